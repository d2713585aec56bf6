internal import Messages

/// A client or producer that said HELLO.
final class ClientState {
    let identity: Identity
    let serial: UInt64
    var incarnation: UInt64
    var name: String
    /// Nil while its connection is gone.
    var peer: Peer?
    var lastHeard: MonotonicTime
    var lastPinged: MonotonicTime
    var intervalMilliseconds: UInt32
    /// Requests in flight, in order of arrival.
    var inFlight: [RequestKey] = []
    var subscriptions = 0
    var wasToldMalformed = false

    init(
        identity: Identity, serial: UInt64, incarnation: UInt64, name: String, peer: Peer?,
        intervalMilliseconds: UInt32, at now: MonotonicTime
    ) {
        self.identity = identity
        self.serial = serial
        self.incarnation = incarnation
        self.name = name
        self.peer = peer
        self.intervalMilliseconds = intervalMilliseconds
        lastHeard = now
        lastPinged = now
    }

    /// A request ended.
    func ended(_ key: RequestKey) {
        if let place = inFlight.firstIndex(of: key) { inFlight.remove(at: place) }
    }
}

/// A worker that said HELLO.
final class WorkerState {
    let identity: Identity
    let serial: UInt64
    let incarnation: UInt64
    let name: String
    let peer: Peer
    var offers: [OfferKey]
    /// Those that a second attempt may harm.
    var unrepeatable: Set<OfferKey>
    var lastHeard: MonotonicTime
    var lastPinged: MonotonicTime
    let intervalMilliseconds: UInt32
    var credit = 0
    /// Dispatches that hold a credit, oldest first.
    var inFlight: [RequestID] = []
    var isDraining = false
    /// Its queue was full; it gets nothing until it is heard again.
    var isStalled = false
    var wasToldMalformed = false
    var position: Position?
    /// Grows with each dispatch of the router, to find the least recently used.
    var lastUsed: UInt64 = 0

    init(
        identity: Identity, serial: UInt64, incarnation: UInt64, name: String, peer: Peer,
        offers: [OfferKey], unrepeatable: Set<OfferKey>, intervalMilliseconds: UInt32,
        at now: MonotonicTime
    ) {
        self.identity = identity
        self.serial = serial
        self.incarnation = incarnation
        self.name = name
        self.peer = peer
        self.offers = offers
        self.unrepeatable = unrepeatable
        self.intervalMilliseconds = intervalMilliseconds
        lastHeard = now
        lastPinged = now
    }

    /// Something came from it. True if it was stalled until now.
    func heard(at now: MonotonicTime) -> Bool {
        lastHeard = now
        defer { isStalled = false }
        return isStalled
    }
    /// Takes a dispatch.
    func use(_ id: RequestID, number: UInt64) {
        inFlight.append(id)
        lastUsed = number
    }
    /// A dispatch ended.
    func release(_ id: RequestID) {
        if let place = inFlight.firstIndex(of: id) { inFlight.remove(at: place) }
    }

    /// How good a choice it is for a request; nil if it can take none.
    func rank(isLast: Bool, least: Position?, ignoresCredit: Bool) -> WorkerRank? {
        guard canTake || (ignoresCredit && credit > 0) else { return nil }
        return WorkerRank(
            class: (isLast ? 2 : 0) + isBehind(least), inFlight: inFlight.count,
            lastUsed: lastUsed, serial: serial)
    }

    var freeCredit: Int { max(0, credit - inFlight.count) }
    /// 1 if the worker is not known to have a position that is asked for; such a one comes last.
    func isBehind(_ least: Position?) -> Int {
        guard let least else { return 0 }
        guard let position, position.epoch == least.epoch else { return 1 }
        return position.sequence >= least.sequence ? 0 : 1
    }
    var canTake: Bool { !isDraining && !isStalled && freeCredit > 0 }
    var stateName: String {
        if isDraining { return "draining" }
        if isStalled { return "stalled" }
        return credit > 0 ? "ready" : "starting"
    }
}

/// How good a choice a worker is; the least is the best.
struct WorkerRank: Comparable {
    let `class`: Int
    let inFlight: Int
    let lastUsed: UInt64
    let serial: UInt64
    static let last = WorkerRank(class: .max, inFlight: .max, lastUsed: .max, serial: .max)

    static func < (left: Self, right: Self) -> Bool {
        (left.class, left.inFlight, left.lastUsed, left.serial)
            < (right.class, right.inFlight, right.lastUsed, right.serial)
    }
}

/// One part of one service.
struct OfferKey: Hashable, Sendable, Comparable {
    let service: String
    let part: String
    /// Made once: parts are looked up many times for each request.
    private let hash: Int

    init(service: String, part: String) {
        self.service = service
        self.part = part
        var hasher = Hasher()
        hasher.combine(service)
        hasher.combine(part)
        hash = hasher.finalize()
    }

    static func == (left: Self, right: Self) -> Bool {
        left.hash == right.hash && left.service == right.service && left.part == right.part
    }
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// The slots that the part covers, all of them if it is the whole; nil if it is split otherwise.
    var slots: SlotRange? { part.isEmpty ? .all : SlotRange(part: part) }
    /// What a reply calls the part if it is missing.
    var displayName: String { part.isEmpty ? service : part }
    static func < (left: OfferKey, right: OfferKey) -> Bool {
        (left.service, left.part) < (right.service, right.part)
    }
}

/// A part that some worker offers or offered not long ago.
final class PartState {
    var workers: [Identity] = []
    /// Workers that did not declare the service idempotent.
    var unrepeatable: Set<Identity> = []
    var waiting: WaitingQueue
    /// Nanoseconds that requests have waited lately, the newest counting for an eighth.
    var recentDelay: UInt64 = 0
    var times: ServiceTimes
    var hedges: HedgeBudget
    /// Grows with each turn of the router, so that the parts of one worker take turns.
    var lastServed: UInt64 = 0
    /// When the last worker left; meaningless while there is one.
    var leftAt = MonotonicTime(nanoseconds: 0)
    /// Never forgotten.
    var isExpected = false
    private let isRepeatedAlways: Bool
    private let isNeverHedged: Bool

    /// A second attempt beside the first does no harm.
    var mayRepeat: Bool { unrepeatable.isEmpty || isRepeatedAlways }

    /// A first attempt was made. Nanoseconds after which it may have a second one beside it; nil
    /// if it may not, or nobody could make it.
    func hedgeWait() -> UInt64? {
        hedges.earn()
        guard workers.count > 1, mayRepeat, !isNeverHedged else { return nil }
        return times.hedgeAfter
    }

    init(_ configuration: RouterConfiguration) {
        times = ServiceTimes(samplesMin: configuration.hedgeSamplesMin)
        waiting = WaitingQueue(
            intervalMilliseconds: configuration.queueDelayIntervalMilliseconds)
        isRepeatedAlways = configuration.planted.contains(.everythingIsRepeated)
        isNeverHedged = configuration.hedgesPerThousand == 0
        hedges = HedgeBudget(
            perThousand: configuration.hedgesPerThousand, savedMax: configuration.hedgesSavedMax)
    }
}

/// What happens at an instant.
enum RouterTimer: Sendable {
    case reply(RequestKey, serial: UInt64)
    case client(Identity, serial: UInt64)
    case worker(Identity, serial: UInt64)
    case change(RequestID)
    case hedge(RequestKey, serial: UInt64, part: Int, attempt: RequestID)
    case retry(RequestKey, serial: UInt64, part: Int)
    /// Whoever prepares the request may stand still.
    case preparation(RequestKey, serial: UInt64)
    case cancelAgain(RequestID)
    case part(OfferKey)
    case subscription(RequestKey, alarm: UInt64)
    case job(RequestID, alarm: UInt64)
    case jobWait(RequestKey, serial: UInt64)
    case jobTurn
    case settled
}
