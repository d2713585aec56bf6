internal import Messages

/// How the files of a message log are named, and what they may hold.
enum MessageLogFormat {
    static let prefix = "messages"
    /// A request and its reply, sealed or not.
    static var recordBytesMax: Int { 2 * Limits.messageBytesMax + (1 << 16) }

    /// Bytes of one file: what is removed at a time when a log has reached its size.
    static func segmentBytes(logBytesMax: Int) -> Int {
        min(Limits.segmentBytesMax, max(1 << 16, logBytesMax / 8))
    }
}
