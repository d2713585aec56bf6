import Journal
import Messages
import ZeroMQ

/// What is sent while searches are measured, each thing at its fixed time; a time that is missed
/// counts from when it should have been.
final class WritesLoad {
    private let producer: WireClient
    private let searcher: WireClient
    private let prober: WireClient
    private let catalog: SearchedCatalog
    private static let searchesPerSecond = 2.0
    private static let probesPerSecond = 10.0
    private static let searchMilliseconds: UInt32 = 1_000
    /// Changes in flight, at most: below what a journal lets wait.
    private static let window = 512

    private(set) var acknowledgeSeconds: [Double] = []
    private(set) var refused = 0
    private(set) var searchSeconds: [Double] = []
    private(set) var searchesSent = 0
    private(set) var searchesMet = 0
    private(set) var lagSeconds: [Double] = []
    private(set) var catchUpSeconds = 0.0
    /// From the first put until the last acknowledgement.
    private(set) var putSeconds = 0.0

    private var puts: [RequestID: Double] = [:]
    private var searches: [RequestID: (sent: Double, entity: Int)] = [:]
    private var probe: (id: RequestID, acknowledged: Double)?
    private var newest: (position: Position, at: Double)?

    init(port: Int, catalog: SearchedCatalog) throws {
        self.catalog = catalog
        producer = try WireClient(port: port, seed: 1)
        searcher = try WireClient(port: port, seed: 2)
        prober = try WireClient(port: port, seed: 3)
    }

    /// Puts every entity once and waits until searches find them.
    func fill() throws {
        newest = (try catalog.fill(through: producer), Clock.seconds())
        try waitForReplica(seconds: 60)
    }

    /// Sends everything at its time, and takes what comes.
    func run(seconds: Int, putsPerSecond: Int) throws {
        for client in [producer, searcher, prober] { try client.greet() }
        let total = seconds * putsPerSecond
        let start = Clock.seconds()
        var sent = 0
        while true {
            let elapsed = Clock.seconds() - start
            while sent < total, puts.count < Self.window,
                Double(sent) / Double(putsPerSecond) <= elapsed
            {
                try put(sent, due: start + Double(sent) / Double(putsPerSecond))
                sent += 1
            }
            if elapsed < Double(seconds), Double(searchesSent) / Self.searchesPerSecond <= elapsed {
                try search(due: start + Double(searchesSent) / Self.searchesPerSecond)
            }
            if probe == nil, Double(lagSeconds.count) / Self.probesPerSecond <= elapsed {
                try sendProbe()
            }
            try take()
            if sent == total, puts.isEmpty, searches.isEmpty, probe == nil { break }
            guard elapsed < Double(seconds) * 3 + 30 else {
                throw BenchError(.answer, "\(puts.count) puts are never answered")
            }
            _ = try Poller.wait(
                sockets: [producer.socket, searcher.socket, prober.socket],
                timeoutMilliseconds: 1)
        }
        putSeconds = Clock.seconds() - start
    }

    /// Waits until the replica has everything that was acknowledged.
    func catchUp() throws {
        catchUpSeconds = try Clock.time { try waitForReplica(seconds: 120) }
    }

    private func waitForReplica(seconds: UInt32) throws {
        guard let newest else { return }
        var request = lookup(at: newest.position, budget: seconds * 1_000)
        request.header.requestID = prober.nextID()
        try prober.greet()
        _ = try prober.success(of: request, seconds: Double(seconds))
    }

    private func put(_ number: Int, due: Double) throws {
        var message = catalog.put(number % catalog.count, turn: number / catalog.count + 1)
        message.header.requestID = producer.nextID()
        puts[message.header.requestID] = due
        try producer.send(message)
    }

    private func search(due: Double) throws {
        let entity = searchesSent % catalog.files.count
        var message = Message.search(
            picture: catalog.files[entity], budgetMilliseconds: Self.searchMilliseconds)
        message.header.requestID = searcher.nextID()
        searches[message.header.requestID] = (due, entity)
        searchesSent += 1
        try searcher.send(message)
    }

    private func sendProbe() throws {
        guard let newest else { return }
        var message = lookup(at: newest.position, budget: 30_000)
        message.header.requestID = prober.nextID()
        probe = (message.header.requestID, newest.at)
        try prober.send(message)
    }

    private func lookup(at position: Position, budget: UInt32) -> Message {
        var message = Message.lookup([0], budgetMilliseconds: budget)
        message.fields.leastPosition = position
        return message
    }

    private func take() throws {
        while let answer = try producer.take() { acknowledged(answer) }
        while let answer = try searcher.take() { try searched(answer) }
        while let answer = try prober.take() {
            guard let probe, answer.header.requestID == probe.id else { continue }
            lagSeconds.append(Clock.seconds() - probe.acknowledged)
            self.probe = nil
        }
    }

    private func acknowledged(_ answer: Message) {
        guard let due = puts.removeValue(forKey: answer.header.requestID) else { return }
        guard answer.command == .ack, let position = answer.fields.position else {
            if refused == 0 { Machine.say("a put is refused: \(answer.errorLine)") }
            refused += 1
            return
        }
        acknowledgeSeconds.append(Clock.seconds() - due)
        newest = (position, Clock.seconds())
    }

    private func searched(_ answer: Message) throws {
        guard let (due, entity) = searches.removeValue(forKey: answer.header.requestID) else {
            return
        }
        let seconds = Clock.seconds() - due
        searchSeconds.append(seconds)
        guard answer.command == .final, answer.header.flags.contains(.complete) else { return }
        let first = try JSONValue(parsing: answer.body).array?.first
        guard first?["id"]?.text == Samples.name(entity).id else { return }
        if seconds * 1_000 <= Double(Self.searchMilliseconds) { searchesMet += 1 }
    }
}
