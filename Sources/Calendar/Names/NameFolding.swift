import Foundation

/// Folds a character for comparing names: case, width, ligatures and diacritics go.
///
/// Marks that make another letter stay: the voiced kana, `й`, and the vowels of Indic scripts.
enum NameFolding {
    /// What a scalar is in a title.
    enum Kind {
        /// A letter or digit, as one or more folded scalars.
        case letters([UInt32])
        case space
        case mark
        /// Nothing that can be seen, and marks that are folded away.
        case nothing
    }

    /// What a character is; those of several scalars are composed first.
    static func kinds(of character: Character) -> [Kind] {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return [] }
        if scalars.count == 1 { return [kind(of: first)] }
        let composed = String(character).precomposedStringWithCompatibilityMapping
        return composed.unicodeScalars.map(kind)
    }

    /// A kana with the voiced mark that stands behind it; nil if `mark` is another letter.
    static func voiced(_ kana: UInt32?, _ mark: UInt32) -> UInt32? {
        guard mark == 0x3099 || mark == 0x309A, let kana, let base = Unicode.Scalar(kana),
            let sign = Unicode.Scalar(mark)
        else { return nil }
        let composed = String(String.UnicodeScalarView([base, sign]))
            .precomposedStringWithCanonicalMapping.unicodeScalars
        return composed.count == 1 ? composed.first?.value : nil
    }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        switch scalar.value {
        case 0..<0x80: ascii[Int(scalar.value)]
        case 0x80..<tableEnd: table[Int(scalar.value) - 0x80]
        case 0x3041...0x3096, 0x30A1...0x30FA, 0x30FC, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xAC00...0xD7A3:
            .letters([scalar.value])
        default: computed(scalar)
        }
    }

    private static let tableEnd: UInt32 = 0x530
    private static let ascii: [Kind] = (0..<0x80).map { computed(Unicode.Scalar($0)) }
    private static let table: [Kind] = (0x80..<tableEnd).map { value in
        Unicode.Scalar(value).map(computed) ?? .nothing
    }

    private static func computed(_ scalar: Unicode.Scalar) -> Kind {
        if scalar.properties.isWhitespace { return .space }
        if isDropped(scalar) { return .nothing }
        // A letter of its own in Cyrillic, not one with a mark.
        if scalar == "й" || scalar == "Й" { return .letters([0x439]) }
        var letters: [UInt32] = []
        for part in String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars {
            guard !isDropped(part), isLetter(part) else { continue }
            for lowered in part.properties.lowercaseMapping.unicodeScalars
            where !isDropped(lowered) {
                letters += without[lowered] ?? [lowered.value]
            }
        }
        if letters.isEmpty { return .mark }
        // Kana and Hangul come apart above; whole they are what names are written in.
        let whole = String(String.UnicodeScalarView(letters.compactMap(Unicode.Scalar.init)))
        return .letters(whole.precomposedStringWithCanonicalMapping.unicodeScalars.map(\.value))
    }

    /// Letters that Unicode does not take apart but that are written without their strokes too.
    private static let without: [Unicode.Scalar: [UInt32]] = {
        let pairs = [
            ("ß", "ss"), ("ø", "o"), ("æ", "ae"), ("œ", "oe"), ("ð", "d"), ("đ", "d"), ("ł", "l"),
            ("þ", "th"), ("ħ", "h"), ("ŧ", "t"), ("ı", "i"), ("ς", "σ"), ("ſ", "s"),
        ]
        var without: [Unicode.Scalar: [UInt32]] = [:]
        for (letter, plain) in pairs {
            guard let scalar = letter.unicodeScalars.first else { continue }
            without[scalar] = plain.unicodeScalars.map(\.value)
        }
        return without
    }()

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
            // These are letters by their category and apostrophes by their use.
            !["\u{2BC}", "\u{2BB}", "\u{2B9}", "\u{2BD}"].contains(scalar)
        default: false
        }
    }

    /// Diacritics of scripts that are written without them too, and what cannot be seen.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5,
            0x5C7, 0x610...0x61A, 0x640, 0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E8,
            0x6EA...0x6ED, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F,
            0xFE20...0xFE2F, 0xE0000...0xE01EF:
            true
        default: scalar.properties.generalCategory == .format
        }
    }
}
