public import Bytes

/// One result inside the body of a worker's PARTIAL or FINAL, as much as a router must know.
///
/// The body holds the items' JSON, as written here an array of them; the `items` field lists for
/// each:
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
public struct MergeItem: Sendable {
    /// Results are ordered by these bytes.
    public var sortKey: [UInt8] {
        get { Array(sortSlice) }
        set { sortSlice = newValue[...] }
    }
    /// Names the result: two items with the same union key are the same result.
    public var unionKey: [UInt8] {
        get { Array(unionSlice) }
        set { unionSlice = newValue[...] }
    }
    /// The union key of the result that this one follows from; empty if none.
    public var parentKey: [UInt8] {
        get { Array(parentSlice) }
        set { parentSlice = newValue[...] }
    }
    /// The item's JSON, canonical.
    public var json: [UInt8] {
        get { whole[jsonRange] }
        set {
            whole = SharedBytes(newValue)
            jsonRange = 0..<newValue.count
        }
    }
    /// The body that it was read from, uncopied; the JSON stands in it.
    public private(set) var whole: SharedBytes
    /// Where in it.
    public private(set) var jsonRange: Range<Int>
    /// The keys where they stand in the list that they were read from; not copied.
    public private(set) var sortSlice: ArraySlice<UInt8>
    /// As `sortSlice`.
    public private(set) var unionSlice: ArraySlice<UInt8>
    /// As `sortSlice`.
    public private(set) var parentSlice: ArraySlice<UInt8>
    /// The attachments that the JSON names.
    public var attachments: [ContentHash]

    /// From its parts.
    public init(
        sortKey: [UInt8], unionKey: [UInt8], parentKey: [UInt8] = [], json: [UInt8],
        attachments: [ContentHash] = []
    ) {
        sortSlice = sortKey[...]
        unionSlice = unionKey[...]
        parentSlice = parentKey[...]
        whole = SharedBytes(json)
        jsonRange = 0..<json.count
        self.attachments = attachments
    }

    /// The value of the `items` field and the body that belongs to it: a JSON array, so that a
    /// router that has nothing to add or leave out passes it on as it is. Empty without items.
    public static func encode(_ items: [MergeItem]) -> (list: [UInt8], body: [UInt8]) {
        guard !items.isEmpty else { return ([], []) }
        var list: [UInt8] = []
        var body: [UInt8] = []
        body.reserveCapacity(items.reduce(1) { $0 + $1.jsonRange.count + 1 })
        for item in items {
            body.append(body.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
            for key in [item.sortKey, item.unionKey, item.parentKey] {
                list.append(bigEndian: UInt16(key.count))
                list += key
            }
            list.append(bigEndian: UInt32(body.count))
            list.append(bigEndian: UInt32(item.jsonRange.count))
            list.append(UInt8(item.attachments.count))
            for hash in item.attachments { list += hash.bytes }
            item.appendJSON(to: &body)
        }
        body.append(UInt8(ascii: "]"))
        return (list, body)
    }

    private init(
        _ sortKey: ArraySlice<UInt8>, _ unionKey: ArraySlice<UInt8>,
        _ parentKey: ArraySlice<UInt8>, _ whole: SharedBytes, _ jsonRange: Range<Int>,
        _ attachments: [ContentHash]
    ) {
        sortSlice = sortKey
        unionSlice = unionKey
        parentSlice = parentKey
        self.whole = whole
        self.jsonRange = jsonRange
        self.attachments = attachments
    }

    /// Adds the JSON to other bytes.
    public func appendJSON(to bytes: inout [UInt8]) {
        bytes += jsonRange.count == whole.count ? whole.array : whole[jsonRange]
    }

    /// Reads the items of a PARTIAL or FINAL.
    ///
    /// - Throws: `WireError` with `badItems` for a list that does not fit the body.
    public static func decode(
        list: ArraySlice<UInt8>, body: SharedBytes
    ) throws(WireError) -> [MergeItem] {
        var reader = ByteReader(list)
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
                    sortKey, unionKey, parentKey, body, Int(offset)..<Int(offset) + Int(length),
                    count == 0 ? [] : ContentHash.list(Array(hashes))))
        }
        return items
    }

    private static func key(_ reader: inout ByteReader) -> ArraySlice<UInt8>? {
        guard let count: UInt16 = reader.integer() else { return nil }
        return reader.take(Int(count))
    }
}

extension MergeItem: Equatable {
    /// Whether they say the same, wherever it stands.
    public static func == (left: Self, right: Self) -> Bool {
        left.sortSlice == right.sortSlice && left.unionSlice == right.unionSlice
            && left.parentSlice == right.parentSlice && left.json == right.json
            && left.attachments == right.attachments
    }
}
