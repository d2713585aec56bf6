public import Messages

/// Makes one list of the results of several parts, without knowing what they mean.
public enum Merge {
    /// Orders by sort key, keeps each union key once with its lowest sort key, drops results
    /// whose parent is missing, and cuts.
    ///
    /// The same parts in any order give the same list: equal sort keys go by union key, and of
    /// two versions of one result the one with the lower bytes is kept. A child's sort key begins
    /// with its parent's, so the parent is always decided first.
    ///
    /// - Complexity: O(n log n) comparisons of keys.
    public static func merge(_ parts: [[MergeItem]], limit: Int) -> [MergeItem] {
        let ordered = parts.joined().sorted(by: precedes)
        var keys: Set<[UInt8]> = []
        var kept: [MergeItem] = []
        for item in ordered {
            guard kept.count < limit else { break }
            guard !keys.contains(item.unionKey),
                item.parentKey.isEmpty || keys.contains(item.parentKey)
            else { continue }
            keys.insert(item.unionKey)
            kept.append(item)
        }
        return kept
    }

    /// The body of a reply: a JSON array of the items as they are.
    public static func body(of items: [MergeItem]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(items.reduce(2) { $0 + $1.json.count + 1 })
        bytes.append(UInt8(ascii: "["))
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += item.json
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    private static func precedes(_ left: MergeItem, _ right: MergeItem) -> Bool {
        if left.sortKey != right.sortKey {
            return left.sortKey.lexicographicallyPrecedes(right.sortKey)
        }
        if left.unionKey != right.unionKey {
            return left.unionKey.lexicographicallyPrecedes(right.unionKey)
        }
        if left.parentKey != right.parentKey {
            return left.parentKey.lexicographicallyPrecedes(right.parentKey)
        }
        if left.json != right.json { return left.json.lexicographicallyPrecedes(right.json) }
        return left.attachments.lexicographicallyPrecedes(right.attachments)
    }
}
