public import Bytes
public import Messages

/// A request and its reply as they passed a router.
public struct RecordedExchange: Sendable, Equatable {
    /// When the request came, for people.
    public var recordedTime: Timestamp
    /// When the request came: nanoseconds of the monotonic clock since the recording began, from
    /// which a replay takes its pace.
    public var offsetNanoseconds: UInt64
    /// Who sent the request.
    public var client: Identity
    /// The frames of the request, without routing id.
    public var request: [SharedBytes]
    /// The frames of the reply, without routing id.
    public var reply: [SharedBytes]
    /// What is known without reading the frames; stays readable when an account is erased.
    public var summary: Summary

    /// What an exchange says in clear: nothing personal.
    public struct Summary: Sendable, Equatable {
        /// Where the reply was computed; nil if it says nothing about it.
        public var position: Position?
        /// The reply was a FINAL of every part.
        public var isComplete: Bool
        /// How much of the attachments is there.
        public var attachments: RecordedAttachments

        /// From its parts.
        public init(
            position: Position? = nil, isComplete: Bool = false,
            attachments: RecordedAttachments = .full
        ) {
            self.position = position
            self.isComplete = isComplete
            self.attachments = attachments
        }
    }

    /// From its parts.
    public init(
        recordedTime: Timestamp, offsetNanoseconds: UInt64, client: Identity,
        request: [SharedBytes], reply: [SharedBytes], summary: Summary = Summary()
    ) {
        self.recordedTime = recordedTime
        self.offsetNanoseconds = offsetNanoseconds
        self.client = client
        self.request = request
        self.reply = reply
        self.summary = summary
    }
}

/// How much of the attachments of an exchange is recorded.
public enum RecordedAttachments: UInt8, Sendable, CaseIterable {
    /// All bytes.
    case full = 0
    /// Their hashes, with empty frames.
    case hash = 1
    /// Neither bytes nor hashes.
    case none = 2

    /// `full`, `hash` or `none`.
    public init?(name: String) {
        guard let named = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = named
    }
}

/// Exchanges that a recorder left out, because the disk was too slow or a key did not come.
public struct RecordingGap: Sendable, Equatable {
    /// Exchanges that are missing.
    public var count: UInt64
    /// When the first of their requests came, as `RecordedExchange.offsetNanoseconds`.
    public var firstOffset: UInt64
    /// When the last of them came.
    public var lastOffset: UInt64

    /// From its parts.
    public init(count: UInt64, firstOffset: UInt64, lastOffset: UInt64) {
        self.count = count
        self.firstOffset = firstOffset
        self.lastOffset = lastOffset
    }

    /// Counts one more exchange.
    public mutating func add(offset: UInt64) {
        firstOffset = count == 0 ? offset : min(firstOffset, offset)
        lastOffset = max(lastOffset, offset)
        count += 1
    }
    /// No exchange.
    public static let none = RecordingGap(count: 0, firstOffset: 0, lastOffset: 0)
}

/// One entry of a message log, as it could be read.
public struct MessageLogEntry: Sendable, Equatable {
    /// Its place in the log, from 1.
    public let number: UInt64
    /// When the request came, or the gap was noted.
    public let recordedTime: Timestamp
    /// The same, in nanoseconds of the monotonic clock since the recording began.
    public let offsetNanoseconds: UInt64
    /// What it is.
    public let content: Content

    /// What an entry of a message log is.
    public enum Content: Sendable, Equatable {
        /// A request with its reply; with the id of the key that they are encrypted under.
        case exchange(RecordedExchange, KeyID?)
        /// A request with its reply that nobody can read without a key that is gone or not given.
        case erased(KeyID, RecordedExchange.Summary)
        /// Exchanges are missing here.
        case gap(RecordingGap)
    }
}
