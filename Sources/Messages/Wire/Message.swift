public import Bytes

/// One multipart message, without the routing id that a router socket puts before it.
///
/// Frames: header and fields; body (may be empty); attachments; diagnostics if flagged.
public struct Message: Sendable, Equatable {
    /// The fixed part.
    public var header: Header
    /// The optional fields.
    public var fields: Fields
    /// JSON, or for TAIL encoded records; may be empty. Where they are received, until somebody
    /// wants an array of them.
    public var sharedBody: SharedBytes
    /// Raw bytes, named by hash in `attachmentHashes`, never by index; as `sharedBody`.
    public var sharedAttachments: [SharedBytes]
    /// What is not deterministic: timings, worker names, attempts. JSON, not canonical.
    public var diagnostics: [UInt8]?

    /// From its parts.
    public init(
        _ header: Header, fields: Fields = Fields(), body: [UInt8] = [],
        attachments: [[UInt8]] = [], diagnostics: [UInt8]? = nil
    ) {
        self.header = header
        self.fields = fields
        sharedBody = SharedBytes(body)
        sharedAttachments = attachments.map { SharedBytes($0) }
        self.diagnostics = diagnostics
    }

    /// `sharedBody` as an array: a copy if it is lent.
    public var body: [UInt8] {
        get { sharedBody.array }
        set { sharedBody = SharedBytes(newValue) }
    }

    /// `sharedAttachments` as arrays: copies of those that are lent.
    public var attachments: [[UInt8]] {
        get { sharedAttachments.map(\.array) }
        set { sharedAttachments = newValue.map { SharedBytes($0) } }
    }

    /// What the message asks for or answers.
    public var command: Command { header.command }

    /// An ERROR that answers a request.
    public static func error(
        _ code: ErrorCode, _ text: String, requestID: RequestID = .zero,
        retryAfterMilliseconds: UInt32? = nil
    ) -> Message {
        var message = Message(Header(.error, requestID: requestID))
        message.fields.set(.errorCode, text: code.rawValue)
        // By scalars of at most 4 bytes: one Character can be of any length.
        let short = text.unicodeScalars.prefix(Limits.errorTextCharactersMax)
        message.fields.set(.errorText, text: String(String.UnicodeScalarView(short)))
        message.fields.set(.retryAfter, integer: retryAfterMilliseconds)
        return message
    }

    /// The value of `retryAfter` that means: do not try again.
    public static let neverAgain = UInt32.max

    /// The code of an ERROR; nil if it has none that this version knows.
    public var errorCode: ErrorCode? { fields.text(.errorCode).flatMap(ErrorCode.init(rawValue:)) }
}
