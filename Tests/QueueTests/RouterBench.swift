import Messages
import Queue

/// A router on a table: events go in at a clock that the test moves.
struct RouterBench {
    var router: Router
    var clock: UInt64 = 10_000
    var facts: [RouterFact] = []
    var endedAccounts: [String] = []
    var keptJobs: [(job: DetachedRequest, write: UInt64)] = []
    var forgottenJobs: [RequestID] = []
    var exchanges: [(request: Message, reply: Message)] = []
    var isDrained = false
    var wallMilliseconds: Int64 = 77_000

    /// Settled from the start and without a journal, unless the test says otherwise.
    init(_ change: (inout RouterConfiguration) -> Void = { _ in }) {
        var configuration = RouterConfiguration(
            identity: Identity(high: 1, low: 1), incarnation: 5)
        configuration.settleMilliseconds = 0
        configuration.hasJournal = false
        change(&configuration)
        router = Router(configuration) { bytes in
            var sum: UInt64 = 1
            for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return hash(sum)
        }
    }

    var now: Now {
        Now(
            monotonic: MonotonicTime(nanoseconds: clock * 1_000_000),
            wall: Timestamp(milliseconds: wallMilliseconds))
    }

    /// What the router sends upon an event.
    mutating func handle(_ event: RouterEvent) -> [Sent] {
        var actions: [RouterAction] = []
        router.handle(event, at: now, into: &actions)
        var sent: [Sent] = []
        for action in actions {
            switch action {
            case .send(let message, let peer): sent.append(Sent(message: message, peer: peer))
            case .exchange(let request, let reply, _, _): exchanges.append((request, reply))
            case .accountEnded(let account): endedAccounts.append(account)
            case .keepJob(let job, let write): keptJobs.append((job, write))
            case .forgetJob(let id): forgottenJobs.append(id)
            case .fact(let fact): facts.append(fact)
            case .drained: isDrained = true
            }
        }
        return sent
    }

    mutating func receive(_ message: Message, from peer: Peer) -> [Sent] {
        handle(.message(message, from: peer))
    }

    /// Lets time pass, with a tick whenever the router wants one; `living` send PING meanwhile.
    mutating func pass(_ milliseconds: UInt64, living: [Peer] = []) -> [Sent] {
        let end = clock + milliseconds
        var sent: [Sent] = []
        var pingAt = clock + 100
        while clock < end {
            let wake = router.nextWake.map { ($0.nanoseconds + 999_999) / 1_000_000 } ?? end
            clock = min(end, pingAt, max(wake, clock + 1))
            if clock == pingAt {
                for peer in living { sent += receive(Message(Header(.ping)), from: peer) }
                pingAt += 100
            }
            sent += handle(.tick)
        }
        return sent
    }

    @discardableResult
    mutating func joinClient(_ number: UInt8, incarnation: UInt64 = 1) -> Peer {
        let peer = Peer(side: .client, routingID: [0, number, UInt8(incarnation)])
        _ = receive(.hello(number, incarnation: incarnation), from: peer)
        return peer
    }

    @discardableResult
    mutating func joinWorker(
        _ number: UInt8, incarnation: UInt64 = 1, offers: [ServiceOffer] = [search()],
        credit: UInt32 = 1
    ) -> Peer {
        let peer = Peer(
            side: .worker,
            routingID: [0, number] + bigEndianBytes(UInt16(truncatingIfNeeded: incarnation)))
        var hello = Message.hello(number, incarnation: incarnation)
        hello.fields.offers = offers
        _ = receive(hello, from: peer)
        var ready = Message(Header(.ready))
        ready.fields.set(.credit, integer: credit)
        _ = receive(ready, from: peer)
        return peer
    }
}

/// What a machine sent, and to whom.
struct Sent {
    let message: Message
    let peer: Peer
    var command: Command { message.command }
    var id: RequestID { message.header.requestID }
}

extension [Sent] {
    func of(_ command: Command) -> [Sent] { filter { $0.command == command } }
    func of(_ command: Command, to peer: Peer) -> [Sent] {
        filter { $0.command == command && $0.peer == peer }
    }
}

func hash(_ number: UInt64) -> ContentHash {
    guard let hash = ContentHash(bytes: (0..<4).flatMap { bigEndianBytes(number &+ $0) }) else {
        preconditionFailure("32 bytes are a hash")
    }
    return hash
}

func search(_ part: String = "") -> ServiceOffer {
    ServiceOffer(service: "image.search", part: part)
}

func item(_ sort: [UInt8], _ union: [UInt8], parent: [UInt8] = [], _ json: String) -> MergeItem {
    MergeItem(sortKey: sort, unionKey: union, parentKey: parent, json: Array(json.utf8))
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

extension Message {
    static func hello(_ number: UInt8, incarnation: UInt64 = 1) -> Message {
        var message = Message(Header(.hello))
        message.fields.identity = Identity(high: 7, low: UInt64(number))
        message.fields.set(.incarnation, integer: incarnation)
        message.fields.set(.name, text: "peer-\(number)")
        message.fields.set(.pingInterval, integer: UInt32(200))
        return message
    }

    static func request(
        _ id: UInt64, service: String = "image.search", budget: UInt32 = 1_000,
        priority: UInt8 = 4, limit: UInt32 = 10, body: String = "{}"
    ) -> Message {
        var message = Message(
            Header(
                .request, requestID: RequestID(high: 1, low: id), budgetMilliseconds: budget,
                priority: priority))
        message.fields.set(.service, text: service)
        message.fields.set(.limit, integer: limit)
        message.body = Array(body.utf8)
        return message
    }

    static func change(_ id: UInt64, budget: UInt32 = 1_000) -> Message {
        var message = Message(
            Header(
                .record, requestID: RequestID(high: 1, low: id), budgetMilliseconds: budget))
        message.fields.set(.source, text: "test")
        message.fields.set(.changeID, text: "\(id)")
        return message
    }

    /// A PARTIAL or FINAL from a worker.
    static func result(
        _ command: Command, _ id: RequestID, _ items: [MergeItem],
        attachments: [(ContentHash, [UInt8])] = [], position: Position? = nil
    ) -> Message {
        let (list, body) = MergeItem.encode(items)
        var message = Message(
            Header(command, requestID: id), body: body, attachments: attachments.map(\.1))
        message.fields.set(.items, list)
        message.fields.attachmentHashes = attachments.map(\.0)
        message.fields.position = position
        return message
    }
}
