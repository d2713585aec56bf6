public import Foundation
import Journal
package import Messages
import Service

/// A question to a service, whose results are of one type.
///
/// There are functions for the common ones, such as
/// ``SightlineClient/search(_:as:)-(Data,_)``; any other service is asked in the same way:
///
/// ```swift
/// struct Album: Decodable, Sendable { let id: String }
/// var request = try ServiceRequest<Album>("entity.list", body: ["type": "album"])
/// request.limit = 100
/// let albums = try await client.send(request).items
/// ```
public struct ServiceRequest<Item: Decodable & Sendable>: Sendable {
    /// The service.
    public let service: String
    /// The catalog; `main` unless stated.
    public var catalog = CatalogName.main
    /// The account that the request is for; nil for none.
    public var account: String?
    /// Results at most; nil for the service's default.
    public var limit: Int?
    /// Requests of one key share their turns; nil for turns of this connection alone.
    public var fairnessKey: String?
    /// The time that it has; nil for that of the task's deadline.
    public var budget: Duration?
    /// What the answer has to know, such as a change that was just made; nil for anything.
    public var leastPosition: JournalPosition?
    let body: [UInt8]
    let attachments: [[UInt8]]
    var printVersion: String?
    var asOf: Timestamp?

    /// A question with a body as the service takes it, and attachments that it names by hash.
    ///
    /// - Throws: `SightlineError` with `badRequest` if the body cannot be written as JSON.
    public init(
        _ service: String, body: some Encodable, attachments: [Data] = []
    ) throws(SightlineError) {
        do {
            let bytes = Array(try JSONEncoder().encode(body))
            self.init(
                service, json: try JSONValue(parsing: bytes),
                attachments: attachments.map { Array($0) })
        } catch {
            throw SightlineError(.badRequest, "\(error)")
        }
    }

    /// From JSON that is there already.
    package init(_ service: String, json: JSONValue, attachments: [Data]) {
        self.init(service, json: json, attachments: attachments.map { Array($0) })
    }

    init(_ service: String, json: JSONValue, attachments: [[UInt8]] = []) {
        self.service = service
        body = json.canonical()
        self.attachments = attachments
    }

    /// What a REQUEST asks that is made already.
    package init(_ message: Message) {
        self.init(
            message.fields.text(.service) ?? "", bytes: message.body,
            attachments: message.attachments)
        catalog = message.fields.text(.catalog) ?? CatalogName.main
        account = message.fields.text(.account)
        printVersion = message.fields.text(.printVersion)
        asOf = message.fields.asOf
        limit = message.fields.integer(.limit, as: UInt32.self).map { Int($0) }
    }

    private init(_ service: String, bytes: [UInt8], attachments: [[UInt8]]) {
        self.service = service
        body = bytes
        self.attachments = attachments
    }

    /// The REQUEST, with the time that is left; or all that it states, if the answer is not for
    /// this task.
    func message(isDetached: Bool = false) throws(SightlineError) -> Message {
        let milliseconds =
            isDetached
            ? try Budget.milliseconds(budget ?? .seconds(60), deadline: nil)
            : try Budget.milliseconds(budget)
        var message = Message(
            Header(
                .request, budgetMilliseconds: milliseconds, flags: isDetached ? .detached : []),
            body: body, attachments: attachments)
        message.fields.set(.service, text: service)
        message.fields.set(.catalog, text: catalog)
        message.fields.attachmentHashes = attachments.map(ContentHash.of)
        message.fields.set(.account, text: account)
        message.fields.set(.fairnessKey, text: fairnessKey)
        message.fields.set(.printVersion, text: printVersion)
        message.fields.set(.limit, integer: limit.map { UInt32(clamping: $0) })
        message.fields.asOf = asOf
        message.fields.leastPosition = leastPosition?.position
        return message
    }
}
