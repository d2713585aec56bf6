internal import Bytes
public import Journal
package import Messages
import XXHash

/// What of the traffic is recorded, and how much of it is kept.
public struct RecordingOptions: Sendable, Equatable {
    /// How much of pictures, prints and thumbnails is recorded.
    public var attachments = RecordedAttachments.full
    /// The part of the requests that is recorded, 0 to 1, chosen by request id.
    public var sample = 1.0
    /// How much is kept.
    public var retention = MessageLogWriter.Retention()

    /// Everything, bounded by size alone.
    public init() {}

    /// Whether a request belongs to the sample: always the same for one id.
    package func takes(_ id: RequestID) -> Bool {
        guard sample < 1 else { return true }
        let hash: UInt32 = bigEndianInteger(XXHash.of(id.bytes)[0..<4])
        return Double(hash) < sample * 4_294_967_296
    }
}

extension RecordedAttachments {
    /// The message with as much of its attachments as is recorded.
    func applied(to message: Message) -> Message {
        guard self != .full, !message.sharedAttachments.isEmpty else { return message }
        var message = message
        switch self {
        case .full: break
        case .hash: message.sharedAttachments = message.sharedAttachments.map { _ in [] }
        case .none:
            message.sharedAttachments = []
            message.fields.attachmentHashes = []
        }
        return message
    }
}
