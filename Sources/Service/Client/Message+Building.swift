import Journal
public import Messages
import Sodium

extension Message {
    /// A request for a service; its id is given by the connection.
    public static func request(
        _ service: String, _ body: JSONValue, attachments: [[UInt8]] = [],
        catalog: String = CatalogName.main, budgetMilliseconds: UInt32
    ) -> Message {
        var message = Message(
            Header(.request, budgetMilliseconds: budgetMilliseconds), body: body.canonical(),
            attachments: attachments)
        message.fields.set(.service, text: service)
        message.fields.set(.catalog, text: catalog)
        message.fields.attachmentHashes = attachments.map(ContentHash.of)
        return message
    }

    /// Subscribes to what a request for a service would be answered with.
    public static func subscription(_ request: Message) -> Message {
        var message = Message(Header(.subscribe), body: request.body)
        for type in [FieldType.service, .catalog, .account, .limit] {
            message.fields.set(type, request.fields[type])
        }
        return message
    }

    /// A change for the journal, with the blobs that it brings along.
    public static func change(
        _ kind: RecordKind, _ body: JSONValue, source: String, id: String,
        partitionKey: String, catalog: String? = nil, account: String? = nil,
        blobs: [(role: BlobReference.Role, bytes: [UInt8])] = [], budgetMilliseconds: UInt32
    ) -> Message {
        var message = Message(
            Header(.record, budgetMilliseconds: budgetMilliseconds), body: body.canonical())
        var attached: [ContentHash] = []
        message.fields.blobs = blobs.map { blob in
            let hash = ContentHash.of(blob.bytes)
            if !attached.contains(hash) {
                attached.append(hash)
                message.attachments.append(blob.bytes)
            }
            return BlobReference(role: blob.role, hash: hash)
        }
        message.fields.set(.recordKind, text: kind.rawValue)
        message.fields.set(.stream, text: kind.stream)
        message.fields.set(.source, text: source)
        message.fields.set(.changeID, text: id)
        message.fields.set(.partitionKey, text: partitionKey)
        message.fields.set(.catalog, text: catalog)
        message.fields.set(.account, text: account)
        message.fields.set(.producerTime, timestamp: SystemClock.wall())
        message.fields.attachmentHashes = attached
        return message
    }
}

extension Message {
    /// Removes an entity; each call is a change of its own.
    public static func entityRemove(
        _ entity: EntityName, catalog: String, budgetMilliseconds: UInt32
    ) -> Message {
        .change(
            .entityRemove, EntityRemove(entity: entity).json, source: "sightline entity remove",
            id: "\(catalog)/\(entity.type)/\(entity.id)/\(Hex.encode(SecureRandom.bytes(8)))",
            partitionKey: "\(catalog)/\(entity.type)/\(entity.id)", catalog: catalog,
            budgetMilliseconds: budgetMilliseconds)
    }

    /// Erases everything of an account; each call is a change of its own.
    public static func accountErase(_ account: String, budgetMilliseconds: UInt32) -> Message {
        .change(
            .accountErase, AccountErase().json, source: "sightline account erase",
            id: Hex.encode(SecureRandom.bytes(16)), partitionKey: account, account: account,
            budgetMilliseconds: budgetMilliseconds)
    }

    /// Asks for a page of what is kept of an account.
    public static func accountExport(
        _ account: String, after: AccountExportRequest.Place?, budgetMilliseconds: UInt32
    ) -> Message {
        var message = Message.request(
            ServiceName.accountExport, AccountExportRequest(after: after).json,
            budgetMilliseconds: budgetMilliseconds)
        message.fields.set(.account, text: account)
        message.fields.set(.limit, integer: UInt32(Limits.resultsMax))
        return message
    }
}
