internal import Messages

/// How the files of a message log are named, and what they may hold.
enum MessageLogFormat {
    static let prefix = "messages"
    /// A request and its reply.
    static var recordBytesMax: Int { 2 * Limits.messageBytesMax + (1 << 16) }
}
