internal import Messages

/// What a record says of the time zone data.
enum ZoneData {
    /// The version that a record declares; nil if it is of another kind.
    static func version(of record: Record) -> String? {
        guard record.kind == .zoneDeclare else { return nil }
        let body = try? ZoneDeclare(parsing: record.body)
        return body?.version
    }
}
