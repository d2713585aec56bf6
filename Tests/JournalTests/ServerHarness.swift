import Journal
import Messages

/// A journal server, its peers and a clock, without threads, sockets or disk.
final class ServerHarness {
    var server: JournalServer
    var milliseconds: UInt64 = 1_000
    /// Messages by routing id since they were last taken.
    private(set) var sent: [(message: Message, route: [UInt8])] = []
    /// Groups that are to be stored.
    private(set) var groups: [[(ticket: Int, entry: JournalEntry)]] = []
    private(set) var reads: [Read] = []
    private(set) var facts: [JournalFact] = []
    /// What is to be looked up for FETCH and KEYS.
    private(set) var questions: [JournalAction] = []

    struct Read: Equatable {
        let ticket: Int
        let after: UInt64
        let streams: Set<String>
    }

    static let epoch: UInt64 = 50

    init(head: UInt64 = 0, _ change: (inout JournalServerConfiguration) -> Void = { _ in }) {
        var configuration = JournalServerConfiguration(
            identity: Identity(high: 0, low: 1), incarnation: 3,
            validate: { $0.body == Array("bad".utf8) ? "the body is bad" : nil })
        change(&configuration)
        server = JournalServer(
            configuration: configuration, head: Position(epoch: Self.epoch, sequence: head))
    }

    func handle(_ event: JournalEvent) {
        let now = Now(
            monotonic: MonotonicTime(nanoseconds: milliseconds * 1_000_000),
            wall: Timestamp(milliseconds: Int64(milliseconds) + 1_700_000_000_000))
        var actions: [JournalAction] = []
        server.handle(event, at: now, into: &actions)
        for action in actions {
            switch action {
            case .send(let message, let route): sent.append((message, route))
            case .append(let group): groups.append(group)
            case .read(let ticket, let after, _, _, let streams):
                reads.append(Read(ticket: ticket, after: after, streams: streams))
            case .keys, .fetch: questions.append(action)
            case .fact(let fact): facts.append(fact)
            }
        }
    }

    func take() -> [(message: Message, route: [UInt8])] {
        defer { sent = [] }
        return sent
    }
    /// The only message since the last time; nil if there is none or more than one.
    func takeOne() -> Message? {
        let taken = take()
        return taken.count == 1 ? taken[0].message : nil
    }
    func takeGroup() -> [(ticket: Int, entry: JournalEntry)]? {
        groups.isEmpty ? nil : groups.removeFirst()
    }
    func takeRead() -> Read? { reads.isEmpty ? nil : reads.removeFirst() }

    /// Says HELLO and takes WELCOME away.
    func connect(_ route: [UInt8], identity: UInt64 = 7, incarnation: UInt64 = 1) {
        handle(.message(Self.hello(identity, incarnation), from: route))
        _ = take()
    }

    static func hello(_ identity: UInt64, _ incarnation: UInt64) -> Message {
        var hello = Message(Header(.hello))
        hello.fields.identity = Identity(high: 0, low: identity)
        hello.fields.set(.incarnation, integer: incarnation)
        hello.fields.set(.pingInterval, integer: UInt32(100))
        return hello
    }

    static func change(_ number: UInt64, blobs: [[UInt8]] = [], body: String = "{}") -> Message {
        var message = Message(Header(.record, requestID: RequestID(high: 1, low: number)))
        message.fields.set(.recordKind, text: RecordKind.entityPut.rawValue)
        message.fields.set(.source, text: "test")
        message.fields.set(.changeID, text: "c\(number)")
        let hashes = blobs.compactMap { try? Make.hash($0) }
        message.fields.blobs = hashes.map { BlobReference(role: .print, hash: $0) }
        message.fields.attachmentHashes = hashes
        message.attachments = blobs
        message.body = Array(body.utf8)
        return message
    }

    static func subscribe(
        _ number: UInt64, after: UInt64? = nil, epoch: UInt64 = ServerHarness.epoch,
        streams: [String] = ["catalog"], waits: Bool = true
    ) -> Message {
        var message = Message(
            Header(
                .subscribe, requestID: RequestID(high: 2, low: number), flags: waits ? .wait : []))
        message.fields.streams = streams
        message.fields.leastPosition = after.map { Position(epoch: epoch, sequence: $0) }
        return message
    }

    static func stored(_ sequence: UInt64) -> AppendOutcome {
        .stored(Position(epoch: epoch, sequence: sequence))
    }

    /// A stored record of a stream.
    static func record(_ sequence: UInt64, stream: String) -> Record {
        var record = Make.record("r\(sequence)")
        record.fields.position = Position(epoch: epoch, sequence: sequence)
        record.fields.set(.stream, text: stream)
        return record
    }
}
