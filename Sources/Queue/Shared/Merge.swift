public import Bytes
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
        if parts.count == 1, parts[0].count <= 1, limit > 0 {
            return parts[0].allSatisfy { $0.parentSlice.isEmpty } ? parts[0] : []
        }
        let ordered = parts.joined().sorted(by: precedes)
        var keys: Set<ArraySlice<UInt8>> = []
        var kept: [MergeItem] = []
        for item in ordered {
            guard kept.count < limit else { break }
            guard !keys.contains(item.unionSlice),
                item.parentSlice.isEmpty || keys.contains(item.parentSlice)
            else { continue }
            keys.insert(item.unionSlice)
            kept.append(item)
        }
        return kept
    }

    /// The body of a reply: a JSON array of the items as they are.
    ///
    /// - Parameter whole: A body that some of the items may stand in. It is the result, uncopied,
    ///   if it is exactly the array of these items.
    public static func body(
        of items: [MergeItem], from whole: SharedBytes = []
    ) -> SharedBytes {
        if isArray(whole, of: items) { return whole }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(items.reduce(2) { $0 + $1.jsonRange.count + 1 })
        bytes.append(UInt8(ascii: "["))
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            item.appendJSON(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        return SharedBytes(bytes)
    }

    /// The items stand in the body one behind another, with what makes an array between them.
    ///
    /// Their places are compared, not their bytes: items of another body may have equal places,
    /// so the caller gives the one body that all of them were read from.
    private static func isArray(_ body: SharedBytes, of items: [MergeItem]) -> Bool {
        guard !body.isEmpty, body[0] == UInt8(ascii: "[") else { return false }
        var next = 1
        for item in items {
            let range = item.jsonRange
            guard range.lowerBound == next, range.upperBound < body.count else { return false }
            next = range.upperBound + 1
            let follows = body[range.upperBound]
            guard follows == UInt8(ascii: next == body.count ? "]" : ",") else { return false }
        }
        return !items.isEmpty && next == body.count
    }

    private static func precedes(_ left: MergeItem, _ right: MergeItem) -> Bool {
        if left.sortSlice != right.sortSlice {
            return left.sortSlice.lexicographicallyPrecedes(right.sortSlice)
        }
        if left.unionSlice != right.unionSlice {
            return left.unionSlice.lexicographicallyPrecedes(right.unionSlice)
        }
        if left.parentSlice != right.parentSlice {
            return left.parentSlice.lexicographicallyPrecedes(right.parentSlice)
        }
        if left.json != right.json { return left.json.lexicographicallyPrecedes(right.json) }
        return left.attachments.lexicographicallyPrecedes(right.attachments)
    }
}
