/// Whether a text stands before another by its UTF-8 bytes, as types and ids are ordered.
///
/// Swift's own order and equality of texts treat canonically equivalent texts as one.
func utf8Precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
}

/// Whether two texts are the same UTF-8 bytes.
func utf8Equal(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
}

extension String {
    /// Without white space at the ends, and one space for each run of it inside.
    var collapsed: String {
        isPlain ? self : split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The form in which names are compared: collapsed, and without difference of case.
    ///
    /// Upper case first, so that "ß" and "ss", "ς" and "σ" meet as Unicode's full case folding
    /// has it. Canonical equivalence is left to Swift's comparison of texts.
    var folded: String {
        isPlain ? lowercased() : collapsed.uppercased().lowercased()
    }

    /// Whether it is ASCII with single spaces inside and no other white space: most names are,
    /// and need no look at Unicode's tables.
    private var isPlain: Bool {
        var isAfterSpace = true
        for byte in utf8 {
            guard (0x20..<0x80).contains(byte), byte != 0x20 || !isAfterSpace else { return false }
            isAfterSpace = byte == 0x20
        }
        return !isAfterSpace
    }
}
