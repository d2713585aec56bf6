internal import Messages

/// What a journal remembers of its past while it runs, read again from its files.
struct Past: Sendable {
    private(set) var window: ChangeWindow
    /// Keys that the last records retired.
    private(set) var retiredKeys: [KeyID] = []
    /// What the last records stated of the access to stores, by key.
    private(set) var statedAccess: [KeyID: AccessStatus] = [:]
    /// The time zone data that the last of the records names.
    private(set) var zoneData: String?
    private let keyring: Keyring

    /// Reads the last changes; nothing for a journal that is only read.
    ///
    /// A damaged file of changes stops the journal from storing any, since duplicates could not
    /// be told, but not from serving what it has.
    init(
        of log: SegmentLog, in folder: Folder, keyring: Keyring, countMax: Int
    ) throws(JournalError) {
        self.keyring = keyring
        window = ChangeWindow(countMax: countMax)
        guard log.mode == .readWrite else { return }
        let last = log.lastSequence
        let oldest = last - min(last, UInt64(countMax))
        do throws(JournalError) {
            if oldest + 1 < log.firstSequence { try readFile(log, folder, after: oldest) }
        } catch {
            log.stop(error)
        }
        try readRecords(log, after: max(oldest, log.firstSequence - 1), to: last)
    }

    private mutating func readFile(
        _ log: SegmentLog, _ folder: Folder, after oldest: UInt64
    ) throws(JournalError) {
        for change in try ChangeFile.read(epoch: log.epoch, in: folder)
        where change.sequence > oldest && change.sequence < log.firstSequence {
            window.insert(change.key, change.sequence)
        }
    }

    private mutating func readRecords(
        _ log: SegmentLog, after start: UInt64, to last: UInt64
    ) throws(JournalError) {
        var after = start
        while after < last {
            let records = try log.read(after: after, recordsMax: 1_024, bytesMax: 16 << 20)
            guard !records.isEmpty else { return }
            for bytes in records {
                after += 1
                let position = Position(epoch: log.epoch, sequence: after)
                guard let record = SegmentJournal.record(bytes, at: position),
                    let key = ChangeKey(record)
                else { throw JournalError(.damaged, "record \(after) cannot be decoded") }
                window.insert(key, after)
                retiredKeys += record.fields.retiredKeys
                noteAccess(record)
                zoneData = ZoneData.version(of: record) ?? zoneData
            }
        }
    }

    private mutating func noteAccess(_ record: Record) {
        guard record.kind?.statesAccess == true, let id = record.fields.keyID,
            let opened = SealedRecord.open(record, with: keyring)
        else { return }
        statedAccess[id] = StatedAccess.status(of: opened)
    }
}
