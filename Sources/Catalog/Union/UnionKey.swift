import Messages

/// The sort key of a result of a search: results are ordered by its bytes.
///
/// ```
/// match            00  distance(4)  type 00 id 00
/// behind it        the match's key  weight(4)  type 00 id 00
/// grouped          the same, with 01 as the first byte
/// label addition   02  type 00 id 00
/// ```
/// Big-endian; the weight is inverted, so that a higher one stands earlier. Types and ids end
/// with a zero byte and hold none, so no key of a match begins another's. A child's key begins
/// with its parent's, except for the first byte of grouped ones: they stand after all matches,
/// in the order of those that they follow from.
struct UnionKey: Comparable, Sendable {
    let bytes: [UInt8]
    /// 0 for what follows from nothing.
    let level: Int

    static func match(distance: Int, key: EntityKey) -> UnionKey {
        UnionKey(bytes: [0] + bigEndianBytes(UInt32(distance)) + key.unionKey + [0], level: 0)
    }

    static func labelAddition(_ key: EntityKey) -> UnionKey {
        UnionKey(bytes: [2] + key.unionKey + [0], level: 0)
    }

    func related(_ key: EntityKey, by relation: Relation) -> UnionKey {
        var parent = bytes
        switch relation.placement {
        case .behind: break
        case .grouped: parent[0] = 1
        }
        let weight = bigEndianBytes(UInt32.max - UInt32(relation.weight))
        return UnionKey(bytes: parent + weight + key.unionKey + [0], level: level + 1)
    }

    static func < (left: UnionKey, right: UnionKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
