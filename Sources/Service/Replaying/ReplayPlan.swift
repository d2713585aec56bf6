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
        let reason: Reason?

        enum Reason: Equatable {
            case erased
            case notCompared(String)
        }
    }

    /// In the order of their replay: by position, and those of one position by number.
    private(set) var items: [Item] = []
    /// Exchanges that the recorder left out within the part that is replayed.
    private(set) var leftOut: UInt64 = 0
    /// The journals that the replies were computed from.
    private(set) var epochs: Set<UInt64> = []
    /// When each item came, in the order of the log.
    private(set) var offsets: [UInt64] = []

    /// Reads a recording once.
    ///
    /// - Throws: `JournalError` or `MessageLogFault` if an entry cannot be read.
    init(_ reader: MessageLogReader, _ selection: ReplaySelection) throws {
        var firstOffset: UInt64?
        var sequence: UInt64 = 0
        try reader.forEach { entry in
            firstOffset = firstOffset ?? entry.offsetNanoseconds
            // A reply that names no position was given where the one before was.
            let item = try Self.item(entry, after: sequence)
            sequence = item?.sequence ?? sequence
            guard selection.contains(entry, firstOffset: firstOffset ?? 0) else { return }
            if case .gap(let gap) = entry.content { leftOut += gap.count }
            guard let item, selection.takes(item.service) else { return }
            if let epoch = entry.position?.epoch { epochs.insert(epoch) }
            items.append(item)
            offsets.append(item.offset)
        }
        items.sort { ($0.sequence, $0.number) < ($1.sequence, $1.number) }
    }

    private static func item(_ entry: MessageLogEntry, after sequence: UInt64) throws -> Item? {
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
            let exchange = try LoggedExchange(recorded, number: entry.number, keyID: keyID)
            return item(exchange.service, exchange.whyNotCompared.map { .notCompared($0) })
        }
    }
}

extension ReplaySelection {
    /// Erased exchanges have no service any more and belong to every selection.
    fileprivate func takes(_ service: String) -> Bool {
        services.isEmpty || service.isEmpty || services.contains(service)
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
