public import Journal
public import Messages

/// Which part of a recording is replayed.
public struct ReplaySelection: Sendable, Equatable {
    /// A place in a recording.
    public enum Bound: Sendable, Equatable {
        /// By number, from 1.
        case number(UInt64)
        /// By the time of day.
        case time(Timestamp)
        /// By nanoseconds since the first request of the recording.
        case offset(UInt64)
    }
    /// The first that belongs to it; nil for the first of all.
    public var from: Bound?
    /// The last that belongs to it; nil for the last of all.
    public var until: Bound?
    /// The only services; empty for all.
    public var services: Set<String> = []

    /// Everything.
    public init() {}

    /// The entry lies between the bounds.
    ///
    /// - Parameter firstOffset: `offsetNanoseconds` of the first entry of the recording.
    public func contains(_ entry: MessageLogEntry, firstOffset: UInt64) -> Bool {
        let offset =
            entry.offsetNanoseconds >= firstOffset
            ? entry.offsetNanoseconds - firstOffset : 0
        let begins =
            switch from {
            case .number(let number): entry.number >= number
            case .time(let time): entry.recordedTime >= time
            case .offset(let least): offset >= least
            case nil: true
            }
        let ends =
            switch until {
            case .number(let number): entry.number <= number
            case .time(let time): entry.recordedTime <= time
            case .offset(let most): offset <= most
            case nil: true
            }
        return begins && ends
    }
}

/// What of a recording is replayed, and in which order; the exchanges themselves stay on the disk.
struct ReplayPlan {
    /// One exchange of the recording.
    struct Item {
        let number: UInt64
        let service: String
        /// The record behind which the request is answered.
        let sequence: UInt64
        let offset: UInt64
        /// Why it is not replayed; nil if it is.
        var reason: Reason?

        enum Reason: Equatable {
            case erased
            case notCompared(String)
            case unreadable(String)
        }
    }

    /// In the order of their replay: by position, and those of one position by number.
    private(set) var items: [Item] = []
    /// Exchanges that the recorder left out within the part that is replayed.
    private(set) var leftOut: UInt64 = 0
    /// Erased exchanges that may be of a service that is asked for, or not.
    private(set) var unlisted = 0
    /// The journals that the replies were computed from.
    private(set) var epochs: Set<UInt64> = []
    /// When each item came, in the order of the log.
    private(set) var offsets: [UInt64] = []

    /// Reads a recording once.
    ///
    /// - Throws: `JournalError` if an entry cannot be read.
    init(_ reader: MessageLogReader, _ selection: ReplaySelection) throws {
        var firstOffset: UInt64?
        var sequence: UInt64 = 0
        try reader.forEach { entry in
            firstOffset = firstOffset ?? entry.offsetNanoseconds
            // A reply that names no position was given where the one before was.
            let item = Self.item(entry, after: sequence)
            sequence = item?.sequence ?? sequence
            guard selection.contains(entry, firstOffset: firstOffset ?? 0) else { return }
            if case .gap(let gap) = entry.content { leftOut += gap.count }
            guard let item, takes(item, selection) else { return }
            if let epoch = entry.position?.epoch { epochs.insert(epoch) }
            items.append(item)
            offsets.append(item.offset)
        }
        items.sort { ($0.sequence, $0.number) < ($1.sequence, $1.number) }
    }

    /// The record behind which the first request is answered; nil if none is to be.
    var firstSequence: UInt64? { items.first { $0.reason == nil }?.sequence }

    /// Leaves out what a journal cannot be brought to the position of.
    ///
    /// - Throws: `ConfigurationError` if that is everything.
    mutating func leaveOut(unreachableIn journal: ReplayJournal) throws {
        guard let first = firstSequence else { return }
        for index in items.indices where items[index].reason == nil {
            items[index].reason = journal.whyUnreachable(items[index].sequence).map {
                .notCompared($0)
            }
        }
        guard firstSequence != nil else { throw journal.refusal(of: first) }
    }

    /// Of which service an erased exchange is, nobody knows.
    private mutating func takes(_ item: Item, _ selection: ReplaySelection) -> Bool {
        guard !selection.services.isEmpty else { return true }
        if item.reason == .erased { unlisted += 1 }
        return selection.services.contains(item.service)
    }

    private static func item(_ entry: MessageLogEntry, after sequence: UInt64) -> Item? {
        func item(_ service: String, _ reason: Item.Reason?) -> Item {
            Item(
                number: entry.number, service: service,
                sequence: entry.position?.sequence ?? sequence, offset: entry.offsetNanoseconds,
                reason: reason)
        }
        switch entry.content {
        case .gap: return nil
        case .erased: return item("", .erased)
        case .exchange(let recorded, let keyID):
            do {
                let exchange = try LoggedExchange(recorded, number: entry.number, keyID: keyID)
                return item(exchange.service, exchange.whyNotCompared.map { .notCompared($0) })
            } catch {
                return item("", .unreadable("\(error)"))
            }
        }
    }
}

extension MessageLogEntry {
    /// Where the reply was computed, as far as it says so in clear.
    fileprivate var position: Position? {
        switch content {
        case .gap: nil
        case .erased(_, let summary): summary.position
        case .exchange(let recorded, _): recorded.summary.position
        }
    }
}

extension LoggedExchange {
    /// Why the reply says nothing about right or wrong; nil if it is to be compared.
    ///
    /// An incomplete reply is not: what was missing may take the place of what was there.
    var whyNotCompared: String? {
        if [ServiceName.status, ServiceName.searchContinue].contains(service) {
            return "\(service) depends on the running router"
        }
        if reply.command == .final {
            return reply.header.flags.contains(.complete) ? nil : "incomplete when recorded"
        }
        switch reply.errorCode {
        case .badRequest, .notFound, .accessRequired, .badPicture, .printVersion, .tooLarge:
            return nil
        default: return "\(outcome) depends on load"
        }
    }
}
