import Foundation
import Journal
import Messages
import Queue

/// Who answers the requests of a replay.
struct ReplayTarget: Sendable {
    let connection: RouterConnection
    private let embedded: EmbeddedServer?
    private let gate: PositionGate?
    /// The journal that replies are computed from; nil if it could not be found out.
    private let epoch: UInt64?
    /// Replies come from the recorded position exactly.
    var isExact: Bool { gate != nil }

    /// An embedded server with some workers on a journal that can be brought to a sequence.
    ///
    /// - Throws: What the system refuses.
    init(
        _ journal: ReplayJournal, workers: Int, at sequence: UInt64, log: Log
    ) async throws {
        let gate = PositionGate(sequence: sequence)
        let server = try EmbeddedServer.replaying(
            journal.backend, gate: gate, workers: workers, log: log)
        embedded = server
        self.gate = gate
        epoch = server.epoch
        connection = server.connection
        await untilReady(workers: workers, at: Position(epoch: server.epoch, sequence: sequence))
    }

    /// A running server.
    ///
    /// - Throws: `NoServer` if nothing listens there, `ConnectionRefused` if it does not let us in.
    init(_ endpoint: Endpoint, keys: ConnectionKeys?, log: Log) async throws {
        connection = try RouterConnection.open(endpoint, name: "replay", keys: keys, log: log)
        embedded = nil
        gate = nil
        let probe = Message.request(
            ServiceName.entityList, EntityListRequest(type: nil, after: nil).json,
            budgetMilliseconds: 5_000)
        if case .final(let reply) = await connection.send(probe) {
            epoch = reply.fields.position?.epoch
        } else {
            epoch = nil
        }
    }

    /// Lets the workers apply the records up to a sequence.
    func move(to sequence: UInt64) { gate?.move(to: sequence) }

    /// A recorded request as it is sent: for the recorded instant, at the recorded position if
    /// the journal is the same.
    func request(_ exchange: LoggedExchange, keepsDeadline: Bool) -> Message {
        var message = exchange.request
        if !keepsDeadline {
            message.header.budgetMilliseconds = ReplayOptions.budgetMilliseconds
        }
        message.header.attempt = 1
        let position = exchange.position
        message.fields.leastPosition = position?.epoch == epoch ? position : nil
        return message
    }

    /// Ends the connection, and the embedded server if it is one.
    func stop() {
        if let embedded { embedded.stop() } else { connection.close() }
    }

    private func untilReady(workers: Int, at position: Position) async {
        var first = Message.request(
            ServiceName.entityList, EntityListRequest(type: nil, after: nil).json,
            budgetMilliseconds: Limits.budgetMillisecondsMax)
        first.fields.leastPosition = position
        _ = await connection.send(first)
        // One that never gets ready is noticed by its requests.
        for _ in 0..<1_000 {
            let status = Message.request(
                ServiceName.status, .object([:]), budgetMilliseconds: 5_000)
            // One that fails is asked again.
            if let reply = try? await connection.request(status),
                let router = reply.items.first(where: { $0["role"]?.text == "router" }),
                router["workers"]?.array?.count(where: { $0["state"]?.text == "ready" })
                    ?? 0 >= workers
            {
                return
            }
            // Cut short only when the whole replay is.
            try? await Task.sleep(for: .milliseconds(20))
        }
    }
}
