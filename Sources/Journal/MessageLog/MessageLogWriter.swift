/// Records requests and replies in a folder, for its owner only; one thread appends.
public final class MessageLogWriter: Sendable {
    private let log: SegmentLog

    /// Goes on in a folder, or begins in a new one.
    ///
    /// - Parameters:
    ///   - folder: Made if it does not exist.
    ///   - newEpoch: The epoch of a log that is made now; random.
    /// - Throws: `JournalError` with `locked` if another process records here, `damaged` if the
    ///   log cannot be gone on with, or as the system says.
    public init(folder: String, newEpoch: UInt64) throws(JournalError) {
        log = try SegmentLog(
            folder: folder, prefix: MessageLogFormat.prefix, mode: .readWrite, newEpoch: newEpoch,
            recordBytesMax: MessageLogFormat.recordBytesMax)
        if let damage = log.damage { throw damage.error }
    }

    /// Exchanges recorded so far, those of earlier runs included.
    public var count: UInt64 { log.lastSequence }

    /// Writes exchanges without waiting for the disk.
    ///
    /// - Throws: `JournalError`; after a failure nothing more is recorded.
    public func append(_ exchanges: [RecordedExchange]) throws(JournalError) {
        let next = log.lastSequence + 1
        let records = exchanges.enumerated().map { index, exchange in
            ExchangeCodec.encode(exchange, sequence: next + UInt64(index))
        }
        try log.append(records, synced: false)
    }

    /// Returns once everything recorded is on the disk.
    ///
    /// - Throws: As `append` does.
    public func sync() throws(JournalError) { try log.sync() }
}
