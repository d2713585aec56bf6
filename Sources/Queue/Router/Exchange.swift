internal import Messages

/// Names a request or change in a router: ids are scoped to their client.
struct RequestKey: Hashable, Sendable {
    let client: Identity
    let id: RequestID
}

/// A request in flight.
struct Exchange: Sendable {
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
    var parts: [PartProgress]
    /// The router has just started and does not know the parts yet.
    var isHeld = false
    /// Admitted to see whether the service has become faster.
    var isProbe = false

    var isAnswered: Bool { !isHeld && parts.allSatisfy(\.isOver) }
    var isComplete: Bool { !isHeld && parts.allSatisfy(\.isAnswered) }
    var missing: [String] {
        guard !isHeld else { return [service] }
        return parts.filter { !$0.isAnswered }.map {
            OfferKey(service: service, part: $0.name).displayName
        }
    }
}

/// How far one part of a request is.
struct PartProgress: Sendable {
    enum Stage: Sendable, Equatable {
        case waiting
        /// At one worker, or at two of which the first to answer counts.
        case dispatched
        case answered
        case missing(ErrorCode)
    }
    let name: String
    var stage = Stage.waiting
    /// The dispatch that runs; nil unless the stage is `dispatched`.
    var attempt: Attempt?
    /// A second one beside it.
    var hedge: Attempt?
    /// What the winner brought.
    var results = PartResults()
    /// Workers that the part was sent to last, for diagnostics and to try another one.
    var lastWorker: Identity?
    var lastWorkerName = ""
    var lastError = ""
    /// Attempts that ended with the worker's death or failure.
    var failures = 0
    /// Names of the workers that died under it.
    var deaths: [String] = []
    /// The part of all its dispatch ids that is the same; 0 before the first.
    var stableNumber: UInt64 = 0
    var dispatchCount: UInt64 = 0
    /// Its entry stands in the part's queue.
    var isQueued = false

    init(name: String) { self.name = name }

    var isOver: Bool {
        switch stage {
        case .waiting, .dispatched: false
        case .answered, .missing: true
        }
    }
    var isAnswered: Bool { stage == .answered }
    /// What there is to show now: the winner's, or at the deadline what one attempt has sent.
    var shown: PartResults {
        guard !isAnswered else { return results }
        if let attempt, !attempt.results.items.isEmpty { return attempt.results }
        return hedge?.results ?? attempt?.results ?? results
    }

    /// Adds to what an attempt has brought.
    mutating func add(_ message: Message, items: [MergeItem], to id: RequestID) {
        if attempt?.id == id {
            attempt?.results.add(message, items: items)
        } else if hedge?.id == id {
            hedge?.results.add(message, items: items)
        }
    }

    /// The attempt has answered: its results count. Returns the other one, which nobody needs.
    mutating func win(_ id: RequestID, at now: MonotonicTime) -> Attempt? {
        let isHedge = hedge?.id == id
        guard let winner = isHedge ? hedge : attempt else { return nil }
        let loser = isHedge ? attempt : hedge
        results = winner.results
        results.milliseconds = now.milliseconds(since: winner.since)
        lastWorker = winner.worker
        lastWorkerName = winner.workerName
        (attempt, hedge) = (nil, nil)
        stage = .answered
        return loser
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
struct Attempt: Sendable {
    let id: RequestID
    let worker: Identity
    let workerName: String
    let since: MonotonicTime
    var results = PartResults()
}

/// What an attempt has brought so far.
struct PartResults: Sendable {
    var items: [MergeItem] = []
    /// The body that all items stand in; empty if they came in several.
    var body: [UInt8] = []
    var attachments: [(hash: ContentHash, bytes: [UInt8])] = []
    var position: Position?
    var printVersion: String?
    var stages = ""
    var milliseconds: UInt64 = 0

    /// Takes what a PARTIAL or FINAL brought.
    mutating func add(_ message: Message, items new: [MergeItem]) {
        body = items.isEmpty ? message.body : []
        if items.isEmpty { items = new } else { items += new }
        for (hash, bytes) in zip(message.fields.attachmentHashes, message.attachments) {
            attachments.append((hash, bytes))
        }
        if let newPosition = message.fields.position { position = newPosition }
        if let version = message.fields.text(.printVersion) { printVersion = version }
        if let text = message.fields.text(.stages) { stages = text }
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
