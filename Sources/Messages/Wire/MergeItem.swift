/// One result inside the body of a worker's PARTIAL or FINAL, as much as a router must know.
///
/// The body is the items' JSON, one behind another; the `items` field lists for each:
///
/// ```
/// 2 + n  sort key      results are ordered by these bytes
/// 2 + n  union key     each result is kept once, with its lowest sort key
/// 2 + n  parent key    the union key that the result follows from; empty if none
/// 4      offset        of the item's JSON in the body
/// 4      length
/// 1      m             number of attachments
/// 32 m   their hashes
/// ```
/// A child's sort key begins with its parent's.
public struct MergeItem: Sendable, Equatable {
    /// Results are ordered by these bytes.
    public var sortKey: [UInt8]
    /// Names the result: two items with the same union key are the same result.
    public var unionKey: [UInt8]
    /// The union key of the result that this one follows from; empty if none.
    public var parentKey: [UInt8]
    /// The item's JSON, canonical.
    public var json: [UInt8]
    /// The attachments that the JSON names.
    public var attachments: [ContentHash]

    /// From its parts.
    public init(
        sortKey: [UInt8], unionKey: [UInt8], parentKey: [UInt8] = [], json: [UInt8],
        attachments: [ContentHash] = []
    ) {
        self.sortKey = sortKey
        self.unionKey = unionKey
        self.parentKey = parentKey
        self.json = json
        self.attachments = attachments
    }

    /// The value of the `items` field and the body that belongs to it.
    public static func encode(_ items: [MergeItem]) -> (list: [UInt8], body: [UInt8]) {
        var list: [UInt8] = []
        var body: [UInt8] = []
        for item in items {
            for key in [item.sortKey, item.unionKey, item.parentKey] {
                list += bigEndianBytes(UInt16(key.count))
                list += key
            }
            list += bigEndianBytes(UInt32(body.count))
            list += bigEndianBytes(UInt32(item.json.count))
            list.append(UInt8(item.attachments.count))
            for hash in item.attachments { list += hash.bytes }
            body += item.json
        }
        return (list, body)
    }

    /// Reads the items of a PARTIAL or FINAL.
    ///
    /// - Throws: `WireError` with `badItems` for a list that does not fit the body.
    public static func decode(list: [UInt8], body: [UInt8]) throws(WireError) -> [MergeItem] {
        var reader = ByteReader(list[...])
        var items: [MergeItem] = []
        while reader.remaining > 0 {
            guard items.count < Limits.resultsMax else {
                throw WireError(.badItems, "more than \(Limits.resultsMax) items")
            }
            guard let sortKey = key(&reader), let unionKey = key(&reader),
                let parentKey = key(&reader), let offset: UInt32 = reader.integer(),
                let length: UInt32 = reader.integer(), let count: UInt8 = reader.integer(),
                let hashes = reader.take(Int(count) * ContentHash.byteCount),
                Int(offset) + Int(length) <= body.count
            else { throw WireError(.badItems, "item \(items.count) does not fit its body") }
            items.append(
                MergeItem(
                    sortKey: sortKey, unionKey: unionKey, parentKey: parentKey,
                    json: Array(body[Int(offset)..<Int(offset) + Int(length)]),
                    attachments: ContentHash.list(Array(hashes))))
        }
        return items
    }

    private static func key(_ reader: inout ByteReader) -> [UInt8]? {
        guard let count: UInt16 = reader.integer() else { return nil }
        return reader.take(Int(count)).map(Array.init)
    }
}
