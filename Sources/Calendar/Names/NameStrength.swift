/// How much a name says by itself.
enum NameStrength: UInt8, Sendable {
    case strong
    /// One letter or two; in Han, kana and Hangul one.
    case short
    /// One or two words that everybody uses.
    case common
    /// Digits alone.
    case number

    init(_ letters: TitleLetters) {
        let scripts = letters.scalars.map(TitleScript.init)
        let isWide = scripts.contains { $0.writesNoSpaces || $0 == .katakana || $0 == .hangul }
        if scripts.allSatisfy({ $0 == .digit }) {
            self = .number
        } else if letters.count <= (isWide ? 1 : 2) {
            self = .short
        } else if Self.isCommon(letters) {
            self = .common
        } else {
            self = .strong
        }
    }

    /// What a name of this strength is refused for without a second signal; nil for a strong one.
    var rejection: NameMatch.Rejection? {
        switch self {
        case .strong: nil
        case .short: .shortWithoutSignal
        case .common: .commonWithoutSignal
        case .number: .numberWithoutSignal
        }
    }

    private static func isCommon(_ letters: TitleLetters) -> Bool {
        var words = 0
        var start = 0
        for index in 1...letters.count {
            guard index == letters.count || letters.gaps[index] != .none else { continue }
            words += 1
            guard words <= 2, CommonWords.contains(letters.scalars[start..<index]) else {
                return false
            }
            start = index
        }
        return true
    }
}
