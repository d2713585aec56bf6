public import Journal
public import Messages

/// What a message log holds, counted; nothing in it is personal.
public struct MessageLogSummary: Sendable {
    /// Requests with their replies that could be read.
    public private(set) var exchanges = 0
    /// The same, by service.
    public private(set) var byService: [String: Int] = [:]
    /// The same, by outcome: `complete`, `incomplete` or an error's code.
    public private(set) var byOutcome: [String: Int] = [:]
    /// Places where exchanges were left out.
    public private(set) var gaps: [(number: UInt64, gap: RecordingGap)] = []
    /// Exchanges whose account's key is gone, or was not given.
    public private(set) var erased = 0
    /// Exchanges without the bytes of their attachments.
    public private(set) var withoutAttachments = 0
    /// When the first request came; nil if the log is empty.
    public private(set) var firstTime: Timestamp?
    /// When the last one came.
    public private(set) var lastTime: Timestamp?
    /// Nanoseconds of the monotonic clock from the first request to the last one.
    public private(set) var spanNanoseconds: UInt64 = 0
    private var offsets: ClosedRange<UInt64>?

    /// Exchanges that the recorder left out.
    public var leftOut: UInt64 { gaps.reduce(0) { $0 + $1.gap.count } }

    /// Nothing yet.
    public init() {}

    /// Counts everything that a log holds.
    ///
    /// - Throws: `JournalError` or `MessageLogFault` if an entry cannot be read.
    public init(of reader: MessageLogReader) throws {
        try reader.forEach { try add($0) }
    }

    /// Counts an entry.
    ///
    /// - Throws: `MessageLogFault` if it is no exchange.
    public mutating func add(_ entry: MessageLogEntry) throws {
        switch entry.content {
        case .gap(let gap):
            gaps.append((entry.number, gap))
            return
        case .erased: erased += 1
        case .exchange(let recorded, let keyID):
            let exchange = try LoggedExchange(recorded, number: entry.number, keyID: keyID)
            exchanges += 1
            byService[exchange.service, default: 0] += 1
            byOutcome[exchange.outcome, default: 0] += 1
            if recorded.summary.attachments != .full { withoutAttachments += 1 }
        }
        firstTime = min(firstTime ?? entry.recordedTime, entry.recordedTime)
        lastTime = max(lastTime ?? entry.recordedTime, entry.recordedTime)
        let offset = entry.offsetNanoseconds
        let known = offsets ?? offset...offset
        let range = min(known.lowerBound, offset)...max(known.upperBound, offset)
        offsets = range
        spanNanoseconds = range.upperBound - range.lowerBound
    }
}
