import Journal
import Messages

/// What is in a chunk of a snapshot: records that bring an empty replica to the state, the blobs
/// that they refer to, and records that were put aside on the way there.
///
/// ```
/// 4   length of the records, as in a TAIL
/// n   the records
/// 4   length of what was put aside: a JSON array, empty text for none
/// n   {"keyID","kind","reason","sequence"}, …
/// and for each blob
/// 32  its hash
/// 4   its length
/// n   the blob
/// ```
/// Integers are unsigned and big-endian. The records have no position.
struct SnapshotPart: Equatable {
    var records: [Record] = []
    var putAside: [ReplicaContent.PutAside] = []
    var blobs: [(hash: ContentHash, bytes: [UInt8])] = []

    init() {}

    static func == (left: SnapshotPart, right: SnapshotPart) -> Bool {
        left.encoded() == right.encoded()
    }

    /// Bytes that `encoded` has, nearly.
    var byteCount: Int {
        records.reduce(0) { $0 + 4 + $1.encodedByteCount }
            + blobs.reduce(0) { $0 + 36 + $1.bytes.count }
    }

    func encoded() -> [UInt8] {
        let list = Record.encodeList(records)
        let aside = putAside.isEmpty ? [] : JSONValue.array(putAside.map(\.json)).canonical()
        var bytes = bigEndianBytes(UInt32(list.count)) + list
        bytes += bigEndianBytes(UInt32(aside.count)) + aside
        for (hash, blob) in blobs {
            bytes += hash.bytes
            bytes += bigEndianBytes(UInt32(blob.count))
            bytes += blob
        }
        return bytes
    }

    /// - Throws: `SnapshotFault` if the bytes are none.
    init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes[...])
        guard let listCount: UInt32 = reader.integer(), let list = reader.take(Int(listCount)),
            let asideCount: UInt32 = reader.integer(), let aside = reader.take(Int(asideCount))
        else { throw SnapshotFault("it ends early") }
        do {
            records = try Record.decodeList(Array(list))
            putAside = try ReplicaContent.PutAside.list(Array(aside))
        } catch {
            throw SnapshotFault("\(error)")
        }
        while reader.remaining > 0 {
            guard let hash = reader.take(32).flatMap({ ContentHash(bytes: Array($0)) }),
                let count: UInt32 = reader.integer(), let blob = reader.take(Int(count))
            else { throw SnapshotFault("a blob ends early") }
            blobs.append((hash, Array(blob)))
        }
    }
}

/// Why a chunk of a snapshot cannot be used.
struct SnapshotFault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension ReplicaContent.PutAside {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "sequence": .integer(Int(sequence)), "kind": .string(kind), "reason": .string(reason),
        ]
        if let keyID { members["keyID"] = .string("\(keyID)") }
        return .object(members)
    }

    fileprivate static func list(_ bytes: [UInt8]) throws -> [ReplicaContent.PutAside] {
        guard !bytes.isEmpty else { return [] }
        return try (JSONValue(parsing: bytes).array ?? []).map { value in
            guard let sequence = value["sequence"]?.integer, let kind = value["kind"]?.text,
                let reason = value["reason"]?.text
            else { throw SnapshotFault("what was put aside cannot be read") }
            return ReplicaContent.PutAside(
                sequence: UInt64(sequence), kind: kind, reason: reason,
                keyID: value["keyID"]?.text.flatMap { Hex.decode($0) }.flatMap {
                    KeyID(bytes: $0)
                })
        }
    }
}
