internal import Messages

/// Reads what was recorded in a folder, beside a writer or after it.
public final class MessageLogReader: Sendable {
    private let log: SegmentLog

    /// Opens a folder.
    ///
    /// - Throws: `JournalError` with `notFound` if nothing was recorded there.
    public init(folder: String) throws(JournalError) {
        log = try SegmentLog(
            folder: folder, prefix: MessageLogFormat.prefix, mode: .readOnly, newEpoch: 0,
            recordBytesMax: MessageLogFormat.recordBytesMax)
    }

    /// Exchanges that can be read.
    public var count: UInt64 { log.lastSequence }
    /// The place behind which exchanges cannot be read; nil if all can.
    public var damage: SegmentDamage? { log.damage }

    /// The exchanges behind a sequence, in order.
    ///
    /// - Parameters:
    ///   - sequence: The last exchange that the caller has; 0 for none.
    ///   - countMax: Exchanges at most; fewer if they are large.
    /// - Throws: `JournalError` if the first of them cannot be read.
    public func read(
        after sequence: UInt64, countMax: Int
    ) throws(JournalError) -> [RecordedExchange] {
        let records = try log.read(
            after: sequence, recordsMax: countMax, bytesMax: Limits.messageBytesMax)
        var exchanges: [RecordedExchange] = []
        for (index, bytes) in records.enumerated() {
            let number = sequence + UInt64(index) + 1
            guard let exchange = ExchangeCodec.decode(bytes, sequence: number) else {
                guard exchanges.isEmpty else { break }
                throw JournalError(.damaged, "exchange \(number) cannot be decoded")
            }
            exchanges.append(exchange)
        }
        return exchanges
    }

    /// Finds what the writer has recorded since.
    ///
    /// - Throws: `JournalError` as the system says.
    public func refresh() throws(JournalError) { try log.refresh() }
}
