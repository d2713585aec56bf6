import Foundation

/// Finds which names stand in a title: the rule of `localizedCaseInsensitiveContains`.
///
/// A name stands in a title if both, with case folded (full case folding: ß is ss) and canonically
/// decomposed, have the same characters in one place, and the match begins and ends where a
/// character of the title does: 가 is not in 각. Diacritics, width, punctuation and invisible
/// characters count; words do not. An empty name is in no title.
///
/// It differs from Foundation's call in two things. The locale is given, not the process's. And
/// Foundation on Linux errs both ways: it says yes where the name has a letter that folds or
/// decomposes to several scalars, and the title its base letter before a letter that only folds
/// ("Май" in "МАИС", "Beyoncé" in "BeyonceØ"), and no where a decomposed letter follows its own
/// base letter ("é" in "Ee\u{301}"). Neither is repeated here.
public struct NameMatcher: Sendable {
    private struct Entry: Sendable {
        let key: [UInt8]
        let index: Int
    }

    private let locale: Locale?
    /// Whether A to Z are a to z in the locale; in Turkish I is not i.
    private let foldsASCIIPlainly: Bool
    /// Ascending by key: names with a common beginning stand together.
    private let entries: [Entry]

    /// From names, in the caller's order; duplicates are names of their own.
    ///
    /// - Parameters:
    ///   - names: of any number; kept folded, about twice their size.
    ///   - locale: of the user, such as `tr_TR`, where I is not i; nil for the rules that hold
    ///     without one.
    /// - Complexity: n log n in the number of names.
    public init(names: [String], locale: String?) {
        let locale = locale.map { Locale(identifier: $0) }
        self.locale = locale
        let foldsPlainly = Self.folded("I", locale) == "i"
        foldsASCIIPlainly = foldsPlainly
        entries = names.enumerated().compactMap { index, name in
            let isPlain = foldsPlainly && name.utf8.allSatisfy { $0 < 0x80 }
            let key =
                isPlain
                ? name.utf8.map(Self.lowercased) : [UInt8](Self.folded(name, locale).utf8)
            return key.isEmpty ? nil : Entry(key: key, index: index)
        }.sorted { left, right in
            left.key == right.key
                ? left.index < right.index : left.key.lexicographicallyPrecedes(right.key)
        }
    }

    /// Indices into the names, ascending; each once, however often it stands in the title.
    ///
    /// - Complexity: length of the title times length of the longest match times the logarithm of
    ///   the number of names.
    public func matches(title: String) -> [Int] {
        var bytes: [UInt8] = []
        var starts: [Int] = []
        // Folding does not look at neighbours, so it may go character by character: an edge is one
        // of the title, and the second s of a folded ß is none.
        for character in title.precomposedStringWithCanonicalMapping {
            starts.append(bytes.count)
            if foldsASCIIPlainly, let letter = character.utf8.first, character.utf8.count == 1 {
                bytes.append(Self.lowercased(letter))
            } else {
                bytes += Self.folded(String(character), locale).utf8
            }
        }
        var isEdge = [Bool](repeating: false, count: bytes.count + 1)
        for start in starts { isEdge[start] = true }
        isEdge[bytes.count] = true
        var found: Set<Int> = []
        for start in starts { collect(bytes, from: start, isEdge: isEdge, into: &found) }
        return found.sorted()
    }

    /// Narrows the entries that begin as the title does from `start` on, byte by byte.
    private func collect(
        _ bytes: [UInt8], from start: Int, isEdge: [Bool], into found: inout Set<Int>
    ) {
        var range = 0..<entries.count
        var depth = 0
        while start + depth < bytes.count, !range.isEmpty {
            let byte = bytes[start + depth]
            let low = firstIndex(in: range) { $0.count > depth && $0[depth] >= byte }
            let high = firstIndex(in: low..<range.upperBound) { $0[depth] > byte }
            range = low..<high
            depth += 1
            guard isEdge[start + depth] else { continue }
            // The shortest stand first: those that end here.
            for entry in entries[range].prefix(while: { $0.key.count == depth }) {
                found.insert(entry.index)
            }
        }
    }

    /// The first entry of the range whose key is far enough; the range is ordered so.
    private func firstIndex(in range: Range<Int>, where isFar: ([UInt8]) -> Bool) -> Int {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if isFar(entries[middle].key) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func lowercased(_ letter: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) ? letter + 32 : letter
    }

    /// Composed before folding, since Turkish folds İ as one letter; decomposed after it, so that
    /// equal texts have equal bytes.
    private static func folded(_ text: String, _ locale: Locale?) -> String {
        text.precomposedStringWithCanonicalMapping
            .folding(options: .caseInsensitive, locale: locale)
            .decomposedStringWithCanonicalMapping
    }
}
