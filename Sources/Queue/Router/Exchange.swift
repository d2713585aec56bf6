internal import Bytes
internal import Messages

/// Names a request or change in a router: ids are scoped to their client.
struct RequestKey: Hashable, Sendable {
    let client: Identity
    let id: RequestID

    /// Half as much to hash: of one client no two ids give the same, and identities are random.
    func hash(into hasher: inout Hasher) {
        hasher.combine(client.high ^ id.high)
        hasher.combine(client.low ^ id.low)
    }
}

/// What stays the same of a request in flight; shared, since it is passed on often.
final class ExchangeCore: Sendable {
    let key: RequestKey
    let serial: UInt64
    /// With as-of stamped.
    let request: Message
    let service: String
    /// Where the service is counted.
    let metrics: Int
    let limit: Int
    let arrival: MonotonicTime
    /// When the reply leaves, whatever has arrived.
    let replyAt: MonotonicTime
    let byteCount: Int
    /// Admitted to see whether the service has become faster.
    let isProbe: Bool

    init(
        key: RequestKey, serial: UInt64, request: Message, service: String, metrics: Int,
        limit: Int, arrival: MonotonicTime, replyAt: MonotonicTime, byteCount: Int, isProbe: Bool
    ) {
        self.key = key
        self.serial = serial
        self.request = request
        self.service = service
        self.metrics = metrics
        self.limit = limit
        self.arrival = arrival
        self.replyAt = replyAt
        self.byteCount = byteCount
        self.isProbe = isProbe
    }
}

/// A request in flight.
///
/// An object of the router's own: each event changes a few members of a few of them, where they
/// stand.
final class Exchange {
    let core: ExchangeCore
    var parts: [PartProgress]
    /// The router has just started and does not know the parts yet.
    var isHeld: Bool
    /// The parts that follow once the one in `parts` has prepared the request for all of them; nil
    /// if there is nothing to prepare, or not any more.
    var following: [PartProgress]?
    /// What prepared the request.
    var preparation: PartProgress?

    init(
        core: ExchangeCore, parts: [PartProgress], isHeld: Bool, following: [PartProgress]?
    ) {
        self.core = core
        self.parts = parts
        self.isHeld = isHeld
        self.following = following
    }

    var key: RequestKey { core.key }
    var serial: UInt64 { core.serial }
    var request: Message { core.request }
    var service: String { core.service }
    var metrics: Int { core.metrics }
    var arrival: MonotonicTime { core.arrival }
    var replyAt: MonotonicTime { core.replyAt }

    /// The parts of the service itself, whatever is prepared for them.
    var ownParts: [PartProgress] { following ?? parts }
    var isAnswered: Bool { !isHeld && parts.allSatisfy { $0.isOver } }
    var isComplete: Bool { !isHeld && ownParts.allSatisfy { $0.isAnswered } }
    /// The ERROR that stands for the results if no part has any; nil if there are some, or were to
    /// be.
    var failure: Message? {
        guard service != Router.OwnService.status,
            !parts.contains(where: { $0.isAnswered || $0.shown?.items.isEmpty == false }),
            let first = parts.first, case .missing(let code) = first.stage
        else { return nil }
        return .error(code, first.lastError.isEmpty ? "every worker failed" : first.lastError)
    }
    var missing: [String] {
        guard !isHeld else { return [service] }
        return ownParts.filter { !$0.isAnswered }.map(\.offer.displayName)
    }
    /// Hundredths of the service that have answered: of its slots if it is split over slots, else of
    /// its parts.
    var share: Int {
        guard !isHeld, !ownParts.isEmpty else { return 0 }
        let answered = ownParts.filter(\.isAnswered)
        let slots = ownParts.compactMap(\.slots)
        guard slots.count == ownParts.count else { return answered.count * 100 / ownParts.count }
        return SlotRange.count(of: answered.compactMap(\.slots)) * 100 / Limits.catalogSlots
    }
}

/// How far one part of a request is.
struct PartProgress {
    enum Stage: Sendable, Equatable {
        case waiting
        /// At one worker, or at two of which the first to answer counts.
        case dispatched
        case answered
        case missing(ErrorCode)
    }
    let offer: OfferKey
    /// The slots that it covers; nil if it is no part of slots.
    let slots: SlotRange?
    var stage = Stage.waiting
    /// The dispatch that runs; nil unless the stage is `dispatched`.
    var attempt: Attempt?
    /// A second one beside it.
    var hedge: Attempt?
    /// What the winner brought; nil until there is one.
    var results: PartResults?
    /// Workers that the part was sent to last, for diagnostics and to try another one.
    var lastWorker: Identity?
    var lastWorkerName = ""
    var lastError = ""
    /// Attempts that ended with the worker's death or failure.
    var failures = 0
    /// What workers said about trying again; it holds also while another attempt goes on.
    var refusal: ErrorCode?
    var notBefore = MonotonicTime(nanoseconds: 0)
    /// Names of the workers that died under it.
    var deaths: [String] = []
    /// The part of all its dispatch ids that is the same; 0 before the first.
    var stableNumber: UInt64 = 0
    var dispatchCount: UInt64 = 0
    /// Its entry stands in the part's queue.
    var isQueued = false

    init(_ offer: OfferKey) {
        self.offer = offer
        slots = offer.slots
    }

    /// Slots that nobody offers.
    init(missing slots: SlotRange, of service: String) {
        self.init(OfferKey(service: service, part: slots.part))
        stage = .missing(.unknownService)
        lastError = "no worker offers \(slots.part)"
    }

    var isOver: Bool {
        switch stage {
        case .waiting, .dispatched: false
        case .answered, .missing: true
        }
    }
    /// Whether all of it is there: a search that its deadline stopped is not.
    var isAnswered: Bool { stage == .answered && results?.checked == nil }
    /// What there is to show now: the winner's, or at the deadline what one attempt has sent.
    var shown: PartResults? {
        guard stage != .answered else { return results }
        if let attempt, !attempt.results.items.isEmpty { return attempt.results }
        return hedge?.results ?? attempt?.results ?? results
    }

    /// The part goes to a worker. Returns the id of the dispatch: the incarnation, then a number
    /// that all dispatches of the part share but for its last byte.
    mutating func send(
        to worker: Identity, _ name: String, isHedge: Bool, incarnation: UInt64,
        number: UInt64, at now: MonotonicTime
    ) -> RequestID {
        if dispatchCount % 256 == 0 { stableNumber = number }
        let id = RequestID(high: incarnation, low: stableNumber << 8 | dispatchCount % 256)
        dispatchCount += 1
        let attempt = Attempt(id: id, worker: worker, workerName: name, since: now)
        if isHedge {
            hedge = attempt
        } else {
            self.attempt = attempt
            stage = .dispatched
        }
        lastWorker = worker
        lastWorkerName = name
        return id
    }

    /// Adds to what an attempt has brought.
    func add(_ message: Message, items: [MergeItem], to id: RequestID) {
        if attempt?.id == id {
            attempt?.results.add(message, items: items)
        } else if hedge?.id == id {
            hedge?.results.add(message, items: items)
        }
    }

    /// The attempt has answered: its results count. Returns since when it ran, and the other one,
    /// which nobody needs.
    mutating func win(
        _ id: RequestID, at now: MonotonicTime
    ) -> (since: MonotonicTime, loser: Loser?)? {
        let isHedge = hedge?.id == id
        guard let winner = isHedge ? hedge : attempt else { return nil }
        let loser = (isHedge ? attempt : hedge).map { Loser(id: $0.id, since: $0.since) }
        results = winner.results
        winner.results.milliseconds = now.milliseconds(since: winner.since)
        lastWorker = winner.worker
        lastWorkerName = winner.workerName
        (attempt, hedge) = (nil, nil)
        stage = .answered
        return (winner.since, loser)
    }

    /// Takes what a worker said about trying again.
    mutating func note(_ pushBack: PushBack, reason: ErrorCode, at now: MonotonicTime) {
        switch pushBack {
        case .none: break
        case .after(let milliseconds):
            notBefore = max(notBefore, now.adding(milliseconds: milliseconds))
        case .never: refusal = refusal ?? reason
        }
    }

    /// An attempt ended without a result. True if another one goes on.
    mutating func drop(_ id: RequestID) -> Bool {
        if hedge?.id == id {
            hedge = nil
        } else if attempt?.id == id {
            attempt = hedge
            hedge = nil
        }
        return attempt != nil
    }
}

/// One dispatch of a part that runs.
struct Attempt {
    let id: RequestID
    let worker: Identity
    let workerName: String
    let since: MonotonicTime
    let results = PartResults()
}

/// An attempt that nobody needs any more.
struct Loser: Sendable {
    let id: RequestID
    let since: MonotonicTime
}

/// What an attempt has brought so far.
final class PartResults {
    var items: [MergeItem] = []
    /// The body that all items stand in; empty if they came in several.
    var body: SharedBytes = []
    var attachments: [(hash: ContentHash, bytes: SharedBytes)] = []
    var position: Position?
    var printVersion: String?
    var stages = ""
    /// Fields of the results that only a service of one part has.
    var nextPage: [UInt8]?
    var holdsUntil: [UInt8]?
    var listHash: [UInt8]?
    /// How far a search came that had to stop.
    var checked: CheckedCandidates?
    var milliseconds: UInt64 = 0

    /// Takes what a PARTIAL or FINAL brought.
    func add(_ message: Message, items new: [MergeItem]) {
        body = items.isEmpty ? message.sharedBody : []
        if items.isEmpty { items = new } else { items += new }
        for (hash, bytes) in zip(message.fields.attachmentHashes, message.sharedAttachments) {
            attachments.append((hash, bytes))
        }
        if let newPosition = message.fields.position { position = newPosition }
        if let version = message.fields.text(.printVersion) { printVersion = version }
        if let text = message.fields.text(.stages) { stages = text }
        nextPage = message.fields[.nextPage] ?? nextPage
        holdsUntil = message.fields[.holdsUntil] ?? holdsUntil
        listHash = message.fields[.listHash] ?? listHash
        checked = message.fields.checked ?? checked
    }
}

/// A part of a request at a worker.
struct Dispatch: Sendable {
    let key: RequestKey
    let serial: UInt64
    let part: Int
    let worker: Identity
    let isHedge: Bool
    /// Where its service is counted.
    let metrics: Int
    /// Nobody waits for it; it holds its credit until the worker says that it ended.
    var isCancelled = false
}

extension MonotonicTime {
    /// Behind every instant that comes.
    fileprivate static let never = MonotonicTime(nanoseconds: .max)
}
