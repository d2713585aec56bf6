import Journal
import Messages
import Sodium

/// Small makers for changes and blobs.
enum Make {
    static func hash(_ bytes: [UInt8]) throws -> ContentHash {
        guard let hash = ContentHash(bytes: Digest.sha256(bytes)) else { throw Missing() }
        return hash
    }
    struct Missing: Error {}

    static func record(
        _ changeID: String, source: String = "test", kind: RecordKind = .entityPut,
        blobs: [BlobReference] = [], body: String = "{}"
    ) -> Record {
        var fields = Fields()
        fields.set(.recordKind, text: kind.rawValue)
        fields.set(.source, text: source)
        fields.set(.changeID, text: changeID)
        fields.blobs = blobs
        return Record(fields: fields, body: Array(body.utf8))
    }

    static func entry(
        _ changeID: String, source: String = "test", kind: RecordKind = .entityPut,
        blobs: [[UInt8]] = [], role: BlobReference.Role = .print, body: String = "{}"
    ) throws -> JournalEntry {
        let references = try blobs.map { BlobReference(role: role, hash: try hash($0)) }
        return JournalEntry(
            record: record(changeID, source: source, kind: kind, blobs: references, body: body),
            blobs: blobs, recordedTime: Timestamp(milliseconds: 1_700_000_000_000))
    }

    /// Entries with ids `PREFIX1`, `PREFIX2` and so on.
    static func entries(_ count: Int, prefix: String = "c") throws -> [JournalEntry] {
        try (1...count).map { try entry("\(prefix)\($0)", body: "{\"n\":\($0)}") }
    }
}

extension JournalBackend {
    /// Change ids of all records, read in small pieces.
    func changeIDs(recordsMax: Int = 7, bytesMax: Int = 1 << 20) throws -> [String] {
        var ids: [String] = []
        while true {
            let records = try read(
                after: UInt64(ids.count), recordsMax: recordsMax, bytesMax: bytesMax)
            if records.isEmpty { return ids }
            ids += records.map { $0.fields.text(.changeID) ?? "" }
        }
    }
    func position(_ sequence: UInt64) -> Position { Position(epoch: epoch, sequence: sequence) }
}

extension AppendOutcome {
    var refusal: String? {
        guard case .refused(let text) = self else { return nil }
        return text
    }
}
