internal import Bytes
public import Journal
public import Messages

/// A recorded request with its reply, decoded.
public struct LoggedExchange: Sendable {
    /// Its place in the log, from 1.
    public let number: UInt64
    /// The request with its as-of.
    public internal(set) var request: Message
    /// The reply as it was sent.
    public let reply: Message
    /// The exchange as it is stored.
    public let recorded: RecordedExchange
    /// The key that it is encrypted under; nil if it is not.
    public let keyID: KeyID?

    /// From an exchange of a log.
    ///
    /// - Throws: `MessageLogFault` if request or reply is no message.
    public init(_ recorded: RecordedExchange, number: UInt64, keyID: KeyID?) throws {
        do {
            request = try Message(frames: recorded.request[...])
            reply = try Message(frames: recorded.reply[...])
        } catch {
            throw MessageLogFault(number: number, reason: "\(error)")
        }
        self.number = number
        self.recorded = recorded
        self.keyID = keyID
    }

    /// The service asked for; empty if the request named none.
    public var service: String { request.fields.text(.service) ?? "" }
    /// Where the reply was computed.
    public var position: Position? { reply.fields.position }
    /// `complete`, `incomplete` or the code of an error.
    public var outcome: String { Self.outcome(of: reply) }
    /// Bytes of request and reply.
    public var byteCount: Int {
        (recorded.request + recorded.reply).reduce(0) { $0 + $1.count }
    }

    /// How a reply ended: `complete`, `incomplete` or the code of an error.
    static func outcome(of reply: Message) -> String {
        guard reply.command == .final else {
            return reply.fields.text(.errorCode) ?? "an unknown error"
        }
        return reply.header.flags.contains(.complete) ? "complete" : "incomplete"
    }

    /// Attachments of the request whose bytes are not in the log, by hash; nil if not even the
    /// hashes are known.
    public var missingAttachments: [ContentHash]? {
        switch recorded.summary.attachments {
        case .full: []
        case .hash: request.fields.attachmentHashes
        case .none: request.namesAttachment ? nil : []
        }
    }
}

extension Message {
    /// The body speaks of an attachment that ought to be there.
    fileprivate var namesAttachment: Bool {
        // What is no JSON was refused, and names nothing.
        guard let body = try? JSONValue(parsing: body) else { return false }
        return ["picture", "pixels", "print"].contains { body[$0] != nil }
    }
}

/// An entry of a message log that can be decrypted, but is none.
public struct MessageLogFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// Its place in the log, from 1.
    public let number: UInt64
    /// What is wrong; never what the exchange holds.
    public let reason: String
    /// Number and reason.
    public var description: String { "entry \(number): \(reason)" }
}
