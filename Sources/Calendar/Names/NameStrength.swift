/// How much a name says by itself.
enum NameStrength: UInt8, Sendable {
    case strong
    /// One letter or two; in Han, kana and Hangul one.
    case short
    /// A word that everybody uses, with or without an article.
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

    /// One common word, or an article and one. Two common words beside each other are a name: few
    /// write "Green Day" or "The The" without meaning it.
    private static func isCommon(_ letters: TitleLetters) -> Bool {
        var words = letters.words
        guard words.count <= 2, let last = words.popLast() else { return false }
        if let first = words.first {
            guard Articles.contains(letters.scalars[first]),
                !Articles.contains(letters.scalars[last])
            else { return false }
        }
        return CommonWords.contains(letters.scalars[last])
    }
}

/// Articles, which say nothing of the word behind them.
enum Articles {
    static func contains(_ word: ArraySlice<UInt32>) -> Bool { words.contains(Array(word)) }

    private static let words: Set<[UInt32]> = Set(
        "the a an der die das le la les un une el los las il lo gli de het een os as"
            .split(separator: " ").map { TitleLetters(String($0)).scalars })
}
