import Journal
import Messages

/// The record that says which time zone data occurrences are computed with.
enum ZoneDeclaration {
    /// What is to be stored in front of a group: the declaration, if the journal has named other
    /// data, or none yet and the group has the first statement of access to a calendar.
    static func entries(
        before group: [JournalEntry], in backend: any JournalBackend, own version: String?
    ) -> [JournalEntry] {
        guard let version, backend.zoneData != version,
            backend.zoneData != nil || group.contains(where: { $0.record.kind == .calendarAccess })
        else { return [] }
        var record = Record(
            fields: Fields(), body: ZoneDeclare(version: version).json.canonical())
        record.fields.set(.recordKind, text: RecordKind.zoneDeclare.rawValue)
        record.fields.set(.source, text: "journal")
        // Going back to an earlier version is a change of its own.
        record.fields.set(.changeID, text: "\(version)/\(backend.head)")
        return [JournalEntry(record: record, recordedTime: SystemClock.wall())]
    }
}
