public import Messages
import Queue

/// What a FINAL said, taken apart.
public struct Reply: Sendable {
    /// The results in order.
    public let items: [JSONValue]
    /// The message as it came; its body is canonical.
    public let message: Message

    /// - Throws: `JSONError` if the body is no array.
    init(_ message: Message) throws {
        guard let items = try JSONValue(parsing: message.body).array else {
            throw JSONError("the reply's body is no array")
        }
        self.items = items
        self.message = message
    }

    /// Every part answered.
    public var isComplete: Bool { message.header.flags.contains(.complete) }
    /// The parts that did not answer in time.
    public var missing: [String] { message.fields.missing }
    /// How far the parts came that their deadline stopped in a search; nil if none was.
    public var checked: CheckedCandidates? { message.fields.checked }
    /// Where the replica stood that answered.
    public var position: Position? { message.fields.position }
    /// Where "Search in app" leads, with the results kept for some minutes.
    public var continueRoute: String? { message.fields.text(.continueRoute) }
    /// `single` or `grid`.
    public var layout: String {
        message.fields[.layout] == [1] ? "single" : "grid"
    }
    /// The attachment of a hash.
    public func attachment(_ hash: ContentHash) -> [UInt8]? {
        message.fields.attachmentHashes.firstIndex(of: hash).map { message.attachments[$0] }
    }
    /// Timings, workers and attempts; differs from run to run.
    public var diagnostics: JSONValue? {
        // A diagnostics frame that cannot be read is no reason to lose the reply.
        message.diagnostics.flatMap { try? JSONValue(parsing: $0) }
    }
}

/// A request or change that ended otherwise than hoped for.
public enum RequestFailure: Error, Sendable, CustomStringConvertible {
    /// The server said why.
    case refused(code: ErrorCode, text: String, retryAfterMilliseconds: UInt32?, body: [UInt8])
    /// Nothing came in time.
    case timedOut
    /// The answer was of the wrong kind.
    case unexpected

    /// How a subscription ended.
    init(_ outcome: Outcome) {
        switch outcome {
        case .error(let code, let text, let retry, let body):
            self = .refused(
                code: code, text: text, retryAfterMilliseconds: retry, body: body)
        case .timedOut: self = .timedOut
        case .final, .ack: self = .unexpected
        }
    }

    /// For people.
    public var description: String {
        switch self {
        case .refused(let code, let text, let retry, _):
            "\(code.rawValue): \(text)" + (retry.map { " (try again after \($0) ms)" } ?? "")
        case .timedOut: "no answer in time; is the server still there?"
        case .unexpected: "the server answered something else"
        }
    }
    /// The server's code; nil if it said nothing.
    public var code: ErrorCode? {
        guard case .refused(let code, _, _, _) = self else { return nil }
        return code
    }
}

extension RouterConnection {
    /// Sends a request and takes its reply apart.
    ///
    /// - Throws: `RequestFailure`.
    public func request(_ message: Message) async throws -> Reply {
        switch await send(message) {
        case .final(let reply): return try Reply(reply)
        case .ack: throw RequestFailure.unexpected
        case .error(let code, let text, let retry, let body):
            throw RequestFailure.refused(
                code: code, text: text, retryAfterMilliseconds: retry, body: body)
        case .timedOut: throw RequestFailure.timedOut
        }
    }

    /// Sends a change and waits until the journal has stored it.
    ///
    /// - Throws: `RequestFailure`.
    @discardableResult
    public func change(_ message: Message) async throws -> Position {
        try await store(message).position
    }

    /// As `change`, with what of it is not applied.
    ///
    /// - Throws: `RequestFailure`.
    public func store(
        _ message: Message
    ) async throws -> (position: Position, answer: ChangeAcknowledgement) {
        switch await send(message) {
        case .ack(let position, let body): return (position, ChangeAcknowledgement(parsing: body))
        case .final: throw RequestFailure.unexpected
        case .error(let code, let text, let retry, let body):
            throw RequestFailure.refused(
                code: code, text: text, retryAfterMilliseconds: retry, body: body)
        case .timedOut: throw RequestFailure.timedOut
        }
    }
}
