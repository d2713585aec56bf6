/// What decides where words end between two letters that stand side by side.
enum TitleScript: UInt8, Sendable {
    /// Latin, Greek, Cyrillic and all others that write spaces between words.
    case alphabet
    case digit
    case hebrew
    case arabic
    /// Korean has spaces, but hangs particles to the word.
    case hangul
    case katakana
    /// Without spaces, and with particles.
    case hiragana
    /// Without spaces.
    case han
    /// Thai, Lao, Khmer, Burmese: without spaces.
    case southeast

    init(_ scalar: UInt32) {
        switch scalar {
        case 0x30...0x39, 0x660...0x669, 0x6F0...0x6F9, 0x966...0x96F: self = .digit
        case ..<0x590: self = .alphabet
        case 0x590...0x5FF, 0xFB1D...0xFB4F: self = .hebrew
        case 0x600...0x6FF, 0x750...0x77F, 0x8A0...0x8FF, 0xFB50...0xFDFF, 0xFE70...0xFEFC:
            self = .arabic
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1A20...0x1AAF: self = .southeast
        case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF: self = .hangul
        case 0x3041...0x309F: self = .hiragana
        case 0x30A0...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .katakana
        case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
            0x20000...0x3FFFF:
            self = .han
        default: self = .alphabet
        }
    }

    /// Whether words of the script stand side by side without a mark between them.
    var writesNoSpaces: Bool {
        switch self {
        case .hiragana, .han, .southeast: true
        case .alphabet, .digit, .hebrew, .arabic, .hangul, .katakana: false
        }
    }

    /// Letters from which a word of the script is long enough to be no chance inside of others.
    var lengthThatStandsAlone: Int {
        switch self {
        case .han, .hiragana: 3
        case .southeast: 5
        case .alphabet, .digit, .hebrew, .arabic, .hangul, .katakana: .max
        }
    }
}
