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
    let limit: Int
    let arrival: MonotonicTime
    /// When the reply leaves, whatever has arrived.
    let replyAt: MonotonicTime
    let byteCount: Int
    var parts: [PartProgress]
    /// The router has just started and does not know the parts yet.
    var isHeld = false

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
        case dispatched(RequestID)
        case answered
        case missing(ErrorCode)
    }
    let name: String
    var stage = Stage.waiting
    /// Attempts that ended with the worker's death or failure.
    var failures = 0
    var items: [MergeItem] = []
    var attachments: [(hash: ContentHash, bytes: [UInt8])] = []
    var position: Position?
    var printVersion: String?
    var lastWorker: Identity?
    var lastWorkerName = ""
    var stages = ""
    /// Fields of the results that only a service of one part has.
    var nextPage: [UInt8]?
    var holdsUntil: [UInt8]?
    var listHash: [UInt8]?
    var lastError = ""
    /// Its entry stands in the part's queue.
    var isQueued = false
    var dispatchedAt: MonotonicTime?
    var milliseconds: UInt64 = 0

    init(name: String) { self.name = name }

    var isOver: Bool {
        switch stage {
        case .waiting, .dispatched: false
        case .answered, .missing: true
        }
    }
    var isAnswered: Bool { stage == .answered }
    var attempt: UInt8 { UInt8(clamping: failures + 1) }

    /// Takes what a PARTIAL or FINAL brought.
    mutating func add(_ message: Message, items new: [MergeItem]) {
        items += new
        for (hash, bytes) in zip(message.fields.attachmentHashes, message.attachments) {
            attachments.append((hash, bytes))
        }
        if let newPosition = message.fields.position { position = newPosition }
        if let version = message.fields.text(.printVersion) { printVersion = version }
        nextPage = message.fields[.nextPage] ?? nextPage
        holdsUntil = message.fields[.holdsUntil] ?? holdsUntil
        listHash = message.fields[.listHash] ?? listHash
    }
    /// Another worker begins from nothing.
    mutating func forgetResults() {
        items = []
        attachments = []
        position = nil
        printVersion = nil
        nextPage = nil
        holdsUntil = nil
        listHash = nil
    }
}

/// A part of a request at a worker.
struct Dispatch: Sendable {
    let key: RequestKey
    let serial: UInt64
    let part: Int
    let worker: Identity
    /// Nobody waits for it; it holds its credit until the worker says that it ended.
    var isCancelled = false
}
