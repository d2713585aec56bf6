public import Messages

/// Records requests and replies in a folder, for its owner only; one thread appends.
public final class MessageLogWriter: Sendable {
    /// What can be written.
    public enum Entry: Sendable {
        /// A request with its reply.
        case plain(RecordedExchange)
        /// A request of an account with its reply, encrypted under the account's key.
        case sealed(RecordedExchange, AccountKey)
        /// Exchanges were left out here, and when that was noted.
        case gap(RecordingGap, Timestamp)
    }

    let log: SegmentLog
    private let retention: Retention

    /// How much of a log is kept.
    public struct Retention: Sendable, Equatable {
        /// Bytes of all files; the oldest file is removed when there are more. One file remains.
        public var bytesMax: Int
        /// Milliseconds after which an exchange goes, with the whole file that it is in; nil for
        /// never.
        public var ageMillisecondsMax: Int64?

        /// From its parts; by default bounded by size alone.
        public init(
            bytesMax: Int = Limits.messageLogBytesMax, ageMillisecondsMax: Int64? = nil
        ) {
            self.bytesMax = bytesMax
            self.ageMillisecondsMax = ageMillisecondsMax
        }
    }

    /// Goes on in a folder, or begins in a new one.
    ///
    /// - Parameters:
    ///   - folder: Made if it does not exist.
    ///   - newEpoch: The epoch of a log that is made now; random.
    ///   - retention: How much is kept.
    /// - Throws: `JournalError` with `locked` if another process records here, `damaged` if the
    ///   log cannot be gone on with, or as the system says.
    public convenience init(
        folder: String, newEpoch: UInt64, retention: Retention = Retention()
    ) throws(JournalError) {
        try self.init(folder: folder, newEpoch: newEpoch, retention: retention, probe: .none)
    }

    /// The same, with a seam for tests.
    package init(
        folder: String, newEpoch: UInt64, retention: Retention, probe: DiskProbe
    ) throws(JournalError) {
        self.retention = retention
        log = try SegmentLog(
            folder: folder, prefix: MessageLogFormat.prefix, mode: .readWrite, newEpoch: newEpoch,
            segmentBytesMax: MessageLogFormat.segmentBytes(logBytesMax: retention.bytesMax),
            recordBytesMax: MessageLogFormat.recordBytesMax, probe: probe)
        if let damage = log.damage { throw damage.error }
    }

    /// The number of the last entry, of earlier runs too; 0 if there is none.
    public var count: UInt64 { log.lastSequence }
    /// Bytes of all files.
    public var byteCount: Int { log.byteCount }

    /// The last entry without its content if that is sealed; nil if there is none.
    ///
    /// - Throws: `JournalError` if it cannot be read.
    public func last() throws(JournalError) -> MessageLogEntry? {
        guard log.lastSequence >= log.firstSequence else { return nil }
        return try entry(log.lastSequence)
    }

    /// Writes entries without waiting for the disk.
    ///
    /// - Throws: `JournalError`; after a failure nothing more is recorded until the log is opened
    ///   again.
    public func append(_ entries: [Entry]) throws(JournalError) {
        var batch = MessageLogBatch()
        for entry in entries { batch.add(entry) }
        try append(&batch)
    }

    /// Removes the oldest files until the log is within its bounds.
    ///
    /// - Returns: Entries that are gone.
    /// - Throws: As `append` does.
    @discardableResult
    public func removeOldest(now: Timestamp) throws(JournalError) -> UInt64 {
        var removed: UInt64 = 0
        while let next = log.secondFileStart {
            let isTooLarge = log.byteCount > retention.bytesMax
            let isTooOld = try isOld(next, now)
            guard isTooLarge || isTooOld else { break }
            removed += try log.removeOldestFile()
        }
        return removed
    }

    /// Returns once everything recorded is on the disk.
    ///
    /// - Throws: As `append` does.
    public func sync() throws(JournalError) { try log.sync() }

    /// What stands before an entry is older than is kept.
    private func isOld(_ number: UInt64, _ now: Timestamp) throws(JournalError) -> Bool {
        guard let age = retention.ageMillisecondsMax, let next = try entry(number) else {
            return false
        }
        return now.milliseconds - next.recordedTime.milliseconds > age
    }

    private func entry(_ number: UInt64) throws(JournalError) -> MessageLogEntry? {
        let bytes = try log.read(after: number - 1, recordsMax: 1, bytesMax: 1).first
        return bytes.flatMap { MessageLogCodec.decode($0, sequence: number, keys: Keyring()) }
    }
}
