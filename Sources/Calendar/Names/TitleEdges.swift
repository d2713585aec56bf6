/// Where in a title a name may begin and end: word boundaries.
///
/// The rules are those of Unicode's UAX #29, with these changes, since titles are not prose: `_` is
/// a boundary; so is the apostrophe before a possessive `s` and behind an elided article; a change
/// of script is one too; and scripts without spaces have soft boundaries everywhere.
struct TitleEdges {
    /// What stands at a place between two letters.
    enum Edge: UInt8, Comparable {
        /// The inside of a word.
        case none
        /// Perhaps a boundary: between two letters of a script without spaces.
        case soft
        case hard

        static func < (left: Edge, right: Edge) -> Bool { left.rawValue < right.rawValue }
    }

    /// Whether a name may begin with the letter of this index.
    private(set) var starts: [Edge]
    /// Whether a name may end before the letter of this index.
    private(set) var ends: [Edge]

    init(_ letters: TitleLetters) {
        let count = letters.count
        starts = [Edge](repeating: .hard, count: count + 1)
        ends = starts
        guard count > 1 else { return }
        let scripts = Self.scripts(of: letters)
        for index in 1..<count {
            let edge = Self.edge(letters, scripts, at: index)
            starts[index] = edge
            ends[index] = edge
        }
        takeApostrophes(letters)
        takeNeighbours(letters, scripts)
    }

    // MARK: Two letters

    private static func scripts(of letters: TitleLetters) -> [TitleScript] {
        var scripts = letters.scalars.map(TitleScript.init)
        // The long vowel mark belongs to the kana before it.
        for index in scripts.indices.dropFirst()
        where letters.scalars[index] == 0x30FC && scripts[index - 1] == .hiragana {
            scripts[index] = .hiragana
        }
        return scripts
    }

    private static func edge(
        _ letters: TitleLetters, _ scripts: [TitleScript], at index: Int
    ) -> Edge {
        guard letters.isFirst[index] else { return .none }
        let (left, right) = (scripts[index - 1], scripts[index])
        switch letters.gaps[index] {
        case .space: return .hard
        case .mark: return isInsideWord(letters.marks[index], left, right) ? .none : .hard
        case .none: break
        }
        if left == right {
            return left.writesNoSpaces && letters.scalars[index] != 0x30FC ? .soft : .none
        }
        if left == .digit || right == .digit {
            let other = left == .digit ? right : left
            return other.writesNoSpaces || other == .katakana ? .hard : .none
        }
        if left == .han && right == .hiragana {
            return JapaneseParticles.begins(letters.scalars[index]) ? .hard : .soft
        }
        return .hard
    }

    /// The marks that do not end a word between two letters (MidLetter, MidNum, MidNumLet).
    private static func isInsideWord(
        _ mark: UInt32, _ left: TitleScript, _ right: TitleScript
    ) -> Bool {
        switch mark {
        case 0x27, 0x60, 0xB4, 0x2018, 0x2019, 0x2BB, 0x2BC, 0xFF07:
            !left.writesNoSpaces && !right.writesNoSpaces
        case 0x2E, 0x2024, 0xFE52, 0xFF0E: left == right && !left.writesNoSpaces
        case 0xB7, 0x2027, 0x387: left == .alphabet && right == .alphabet
        case 0x2C, 0x3A, 0x3B: left == .digit && right == .digit
        case 0x22, 0x5F3, 0x5F4: left == .hebrew && right == .hebrew
        default: false
        }
    }

    // MARK: Apostrophes

    private mutating func takeApostrophes(_ letters: TitleLetters) {
        for index in 1..<letters.count
        where ends[index] == .none && letters.gaps[index] == .mark
            && Self.isApostrophe(letters.marks[index])
        {
            let isLast = index + 1 == letters.count || letters.gaps[index + 1] != .none
            if letters.scalars[index] == 0x73, isLast { ends[index] = .hard }
            if Self.isElision(letters, before: index) { starts[index] = .hard }
        }
    }

    private static func isApostrophe(_ mark: UInt32) -> Bool {
        [0x27, 0x60, 0xB4, 0x2018, 0x2019, 0x2BC, 0xFF07].contains(mark)
    }

    /// Whether an elided article stands before the apostrophe, as in `l’Impératrice`.
    private static func isElision(_ letters: TitleLetters, before index: Int) -> Bool {
        var start = index - 1
        while start > 0, letters.gaps[start] == .none, index - start <= 4 { start -= 1 }
        let word = letters.scalars[start..<index].compactMap(Unicode.Scalar.init)
        return ["l", "d", "qu", "s", "c", "j", "all", "dell", "nell", "sull", "dall", "un"]
            .contains(String(String.UnicodeScalarView(word)))
    }

    // MARK: Words that are known

    /// Particles and words of concerts show where the word beside them ends.
    private mutating func takeNeighbours(_ letters: TitleLetters, _ scripts: [TitleScript]) {
        for index in 1..<letters.count
        where letters.isFirst[index] && letters.gaps[index] == .none
            && KoreanParticles.fills(letters, scripts, from: index)
        {
            ends[index] = .hard
        }
        for range in ContextWords.unspaced(in: letters.scalars) {
            ends[range.lowerBound] = .hard
            starts[range.lowerBound] = .hard
            ends[range.upperBound] = .hard
            starts[range.upperBound] = .hard
        }
    }
}

/// The particles of Japanese that stand behind a name.
enum JapaneseParticles {
    private static let letters = Set("のがはをにでともへや".unicodeScalars.map(\.value))

    static func begins(_ scalar: UInt32) -> Bool { letters.contains(scalar) }
}

/// The particles of Korean that hang on a name.
enum KoreanParticles {
    private static let words: Set<[UInt32]> = Set(
        [
            "의", "이", "가", "은", "는", "을", "를", "와", "과", "도", "에", "에서", "로", "으로", "랑",
            "이랑",
        ].map { $0.unicodeScalars.map(\.value) })

    /// Whether all of the word that goes on at `index` is a particle.
    static func fills(
        _ letters: TitleLetters, _ scripts: [TitleScript], from index: Int
    ) -> Bool {
        guard scripts[index] == .hangul, scripts[index - 1] == .hangul else { return false }
        var end = index
        repeat {
            end += 1
        } while end < letters.count && letters.gaps[end] == .none
            && scripts[end] == .hangul && end - index < 4
        return words.contains(Array(letters.scalars[index..<end]))
    }
}
