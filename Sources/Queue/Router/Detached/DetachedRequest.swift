public import Messages

/// A request that is computed when there is room, and whose result is fetched later: what of it
/// outlives its router where that has a place to keep it.
public struct DetachedRequest: Sendable, Equatable {
    /// Names it; cannot be guessed, so that only who was told it fetches the result.
    public let id: RequestID
    /// What its client named it by, so that submitting it twice runs it once.
    public let key: String?
    /// Who shares its room with other requests of theirs: a fairness key, or a client's identity.
    public let owner: String
    /// What is asked; equal for equal questions of one key.
    public let fingerprint: ContentHash
    /// The REQUEST as it came, with as-of stamped; without body and attachments once it is over.
    public var request: Message
    /// When it was accepted.
    public let submittedAt: Timestamp
    /// How often it was begun, in all routers that held it.
    public var starts = 0
    /// FINAL or ERROR; nil while it waits or runs.
    public var reply: Message?
    /// When it was over.
    public var endedAt: Timestamp?

    /// A request that was just accepted, or is read back from where it was kept.
    public init(
        id: RequestID, key: String?, owner: String, fingerprint: ContentHash, request: Message,
        submittedAt: Timestamp
    ) {
        self.id = id
        self.key = key
        self.owner = owner
        self.fingerprint = fingerprint
        self.request = request
        self.submittedAt = submittedAt
    }

    /// The account that it was asked for; nil if for none.
    var account: String? { request.fields.text(.account) }
    var service: String { request.fields.text(.service) ?? "" }
    var requestBytes: Int { request.byteCount }
    var resultBytes: Int { reply.map(\.byteCount) ?? 0 }

    /// Ends it: the question is not needed any more.
    mutating func end(with reply: Message, at time: Timestamp) {
        self.reply = reply
        endedAt = time
        request.body = []
        request.attachments = []
        request.fields.attachmentHashes = []
    }
}

/// Who asks for what under which key.
struct JobKey: Hashable, Sendable {
    let service: String
    let catalog: String
    let account: String
    let key: String

    init?(_ request: Message) {
        guard let key = request.fields.text(.jobKey) else { return nil }
        self.key = key
        service = request.fields.text(.service) ?? ""
        catalog = request.fields.text(.catalog) ?? "main"
        account = request.fields.text(.account) ?? ""
    }
}
