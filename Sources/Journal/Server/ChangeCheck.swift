internal import Bytes
internal import Messages

/// Why a change is not taken.
struct ChangeFault: Sendable {
    let code: ErrorCode
    let message: Message

    init(_ code: ErrorCode, _ text: String, _ retryAfterMilliseconds: UInt32? = nil) {
        self.code = code
        message = .error(code, text, retryAfterMilliseconds: retryAfterMilliseconds)
    }
}

/// What the journal itself wants of a RECORD message, whatever its body means.
enum ChangeCheck {
    /// The record of a message, without what only the journal may say.
    static func record(of message: Message) -> Record {
        var record = Record(fields: message.fields, body: message.body)
        for type in [
            FieldType.position, .leastPosition, .recordedTime, .attachments, .stream, .keyID,
            .retiresKey, .accountKey,
        ] {
            record.fields.set(type, nil)
        }
        return record
    }

    static func bytes(of message: Message) -> Int {
        message.sharedBody.count + message.sharedAttachments.reduce(0) { $0 + $1.count }
    }

    static func fault(of record: Record, in message: Message) -> ChangeFault? {
        faultOfName(record) ?? faultOfSize(record, message) ?? faultOfBlobs(record, message)
    }

    private static func faultOfName(_ record: Record) -> ChangeFault? {
        guard record.kind != nil else {
            let known = RecordKind.allCases.map(\.rawValue).joined(separator: ", ")
            return ChangeFault(.refused, "unknown record kind; known are \(known)")
        }
        guard record.fields[.source]?.isEmpty == false,
            record.fields[.changeID]?.isEmpty == false
        else { return ChangeFault(.badRequest, "a change has a source and a change id") }
        return nil
    }

    private static func faultOfSize(_ record: Record, _ message: Message) -> ChangeFault? {
        guard record.body.count <= Limits.bodyBytesMax else {
            return ChangeFault(.tooLarge, "a body has at most \(Limits.bodyBytesMax) bytes")
        }
        // The journal adds position, recorded time and stream, which take less than this.
        guard record.encodedByteCount + 128 <= Limits.recordBytesMax else {
            return ChangeFault(.tooLarge, "a record has at most \(Limits.recordBytesMax) bytes")
        }
        guard message.sharedAttachments.allSatisfy({ $0.count <= Limits.blobBytesMax }) else {
            return ChangeFault(.tooLarge, "a blob has at most \(Limits.blobBytesMax) bytes")
        }
        return nil
    }

    private static func faultOfBlobs(_ record: Record, _ message: Message) -> ChangeFault? {
        let blobs = record.fields.blobs
        guard blobs.count == record.fields.all(.blob).count else {
            return ChangeFault(.refused, "a blob has an unknown role")
        }
        guard blobs.count <= Limits.blobsPerRecordMax else {
            return ChangeFault(
                .tooLarge, "a record has at most \(Limits.blobsPerRecordMax) blobs")
        }
        let named = Set(blobs.map(\.hash))
        guard let stranger = message.fields.attachmentHashes.first(where: { !named.contains($0) })
        else { return nil }
        return ChangeFault(.refused, "attachment \(stranger) is none of the record's blobs")
    }
}
