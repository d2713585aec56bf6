import Foundation
import Journal
public import Messages
import Queue

/// Answers recorded requests again, each at its recorded position and as-of, and compares.
///
/// An embedded server reads the journal, read-only and beside a running one, through a gate: its
/// replica sees the records up to the position that the next reply was computed at.
public struct ReplayRunner: Sendable {
    /// How one exchange went.
    public enum Outcome: Sendable {
        /// The same canonical bytes.
        case same
        /// Other bytes; the lines say where.
        case different([String])
        /// The recording is of a partial answer, or of one that depends on time or load.
        case notCompared(String)
        /// This time there is no complete answer.
        case failed(String)
    }

    private let exchanges: [RecordedRequest]
    private let server: EmbeddedServer
    private let gate: PositionGate

    /// Opens a message log and the journal that it was recorded beside.
    ///
    /// - Throws: `ConfigurationError` if the log was recorded beside another journal, or what the
    ///   folders refuse.
    public init(log folder: String, data: String, _ log: Log) throws {
        let reader = try MessageLogReader(folder: folder)
        var read: [RecordedRequest] = []
        var last: UInt64 = 0
        while last < reader.last {
            for entry in try reader.read(after: last, countMax: 256) {
                last = entry.number
                guard case .exchange(let exchange, _) = entry.content else { continue }
                read.append(try RecordedRequest(exchange, number: last))
            }
        }
        // A reply that was overtaken by a record is answered before that record is applied.
        exchanges = read.sorted { ($0.sequence, $0.number) < ($1.sequence, $1.number) }
        gate = PositionGate(sequence: exchanges.first { $0.sequence > 0 }?.sequence ?? 0)
        server = try EmbeddedServer.replaying(journalOf: data, gate: gate, log: log)
        let epochs = Set(exchanges.compactMap { $0.position?.epoch })
        guard epochs.isSubset(of: [server.epoch]) else {
            server.stop()
            throw ConfigurationError(
                "'\(folder)' was recorded beside another journal than the one in '\(data)'")
        }
    }

    /// Exchanges of the recording.
    public var count: Int { exchanges.count }

    /// Replays everything in order; `each` hears how every exchange went.
    public func run(
        _ each: (RecordedRequest, Outcome) -> Void
    ) async -> ReplaySummary {
        var summary = ReplaySummary()
        for exchange in exchanges {
            let outcome = await replay(exchange)
            summary.count(outcome)
            each(exchange, outcome)
        }
        return summary
    }

    /// Stops the embedded server and removes its folder.
    public func stop() { server.stop() }

    private func replay(_ exchange: RecordedRequest) async -> Outcome {
        if let reason = exchange.whyNotCompared { return .notCompared(reason) }
        gate.move(to: exchange.sequence)
        switch await server.connection.send(exchange.repeated) {
        case .final(let reply):
            guard reply.header.flags.contains(.complete) else {
                return .failed("incomplete: " + reply.fields.missing.joined(separator: ", "))
            }
            guard reply.fields.position == exchange.position else {
                return .failed("answered at another position")
            }
            return compare(exchange.reply.body, reply.body)
        case .error(let code, let text, _, let body):
            guard exchange.reply.command == .error else {
                return .failed("\(code.rawValue): \(text)")
            }
            return exchange.reply.errorCode == code && exchange.reply.body == body
                ? .same
                : .different([
                    "error: \(exchange.reply.errorCode?.rawValue ?? "?") → \(code.rawValue)"
                ])
        case .ack: return .failed("an ACK")
        case .timedOut: return .failed("no answer in time")
        }
    }

    private func compare(_ recorded: [UInt8], _ now: [UInt8]) -> Outcome {
        guard recorded != now else { return .same }
        do {
            return .different(
                JSONDifference.lines(
                    from: try JSONValue(parsing: recorded), to: try JSONValue(parsing: now)))
        } catch {
            return .different(["a body is no JSON"])
        }
    }
}

/// One recorded request with its reply.
public struct RecordedRequest: Sendable {
    /// Its place in the recording, from 1.
    public let number: UInt64
    /// The request with its as-of.
    public let request: Message
    /// The reply as it was sent.
    public let reply: Message

    init(_ exchange: RecordedExchange, number: UInt64) throws {
        self.number = number
        request = try Message(frames: exchange.request)
        reply = try Message(frames: exchange.reply)
    }

    /// The service asked for.
    public var service: String { request.fields.text(.service) ?? "" }
    /// Where the reply was computed.
    var position: Position? { reply.fields.position }
    var sequence: UInt64 { position?.sequence ?? 0 }

    /// Why the reply says nothing about right or wrong; nil if it is to be compared.
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
        default: return "\(reply.errorCode?.rawValue ?? "an unknown error") depends on load"
        }
    }

    /// The request for the replay: the same meaning of "now", at the recorded position, and a
    /// budget that does not measure the machine.
    var repeated: Message {
        var message = request
        message.header.budgetMilliseconds = 60_000
        message.header.attempt = 1
        message.fields.leastPosition = position
        return message
    }
}

/// How a replay went.
public struct ReplaySummary: Sendable {
    /// Replies with the same canonical bytes.
    public var same = 0
    /// Replies with other bytes.
    public var different = 0
    /// Replies that are listed and not compared.
    public var notCompared = 0
    /// Requests without a complete answer this time.
    public var failed = 0

    mutating func count(_ outcome: ReplayRunner.Outcome) {
        switch outcome {
        case .same: same += 1
        case .different: different += 1
        case .notCompared: notCompared += 1
        case .failed: failed += 1
        }
    }
}
