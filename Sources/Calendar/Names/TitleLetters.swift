/// The letters and digits of a text, folded, and what stands between them.
///
/// Names are compared by these alone, so that punctuation cannot come between them:
/// `AC/DC`, `ACDC` and `AC⚡DC` have the same letters.
struct TitleLetters {
    /// What stands between a letter and the one before it.
    enum Gap: UInt8 {
        case none
        /// Punctuation or symbols alone.
        case mark
        /// A space, whatever else stands there.
        case space
    }

    /// Folded scalars.
    private(set) var scalars: [UInt32] = []
    /// Of each letter, what stands before it.
    private(set) var gaps: [Gap] = []
    /// Of each letter, the mark before it, if that is a single one; else 0.
    private(set) var marks: [UInt32] = []
    /// Of each letter, whether it begins a character: a match may not begin inside a folded `ß`.
    private(set) var isFirst: [Bool] = []
    /// Where each letter's character stands in the text; bytes of UTF-8.
    private(set) var places: [Range<Int>] = []
    /// What stands behind the last letter.
    private(set) var lastGap = Gap.none

    private var gap = Gap.none
    private var mark: UInt32 = 0

    var count: Int { scalars.count }

    init(_ text: String) {
        let size = text.utf8.count
        scalars.reserveCapacity(size)
        gaps.reserveCapacity(size)
        marks.reserveCapacity(size)
        isFirst.reserveCapacity(size)
        places.reserveCapacity(size)
        var place = 0
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        if isASCII {
            for byte in text.utf8 {
                takeASCII(byte, at: place)
                place += 1
            }
        } else {
            for character in text {
                let length = character.utf8.count
                take(character, at: place..<place + length)
                place += length
            }
        }
        lastGap = gap
    }

    /// The letters of each word, as spaces and marks divide it.
    var words: [Range<Int>] {
        guard count > 0 else { return [] }
        var words: [Range<Int>] = []
        var start = 0
        for index in 1...count where index == count || gaps[index] != .none {
            words.append(start..<index)
            start = index
        }
        return words
    }

    private mutating func takeASCII(_ byte: UInt8, at place: Int) {
        switch byte {
        case 0x61...0x7A, 0x30...0x39: append(UInt32(byte), isFirst: true, place..<place + 1)
        case 0x41...0x5A: append(UInt32(byte) + 32, isFirst: true, place..<place + 1)
        case 0x20, 0x09...0x0D: gap = .space
        case 0x26: appendAnd(place..<place + 1)
        case 0x00...0x08, 0x0E...0x1F, 0x7F: break
        default: take(mark: UInt32(byte))
        }
    }

    private mutating func take(_ character: Character, at place: Range<Int>) {
        if let byte = character.asciiValue {
            takeASCII(byte, at: place.lowerBound)
            return
        }
        var isFirst = true
        for kind in NameFolding.kinds(of: character) {
            switch kind {
            case .letters(let letters):
                for letter in letters {
                    append(letter, isFirst: isFirst, place)
                    isFirst = false
                }
            case .space: gap = .space
            case .mark: take(mark: character.unicodeScalars.first?.value ?? 0)
            case .nothing: break
            }
        }
    }

    /// `&` is the word that it stands for, apart from its neighbours.
    private mutating func appendAnd(_ place: Range<Int>) {
        take(mark: 0x26)
        append(0x61, isFirst: true, place)
        append(0x6E, isFirst: false, place)
        append(0x64, isFirst: false, place)
        take(mark: 0x26)
    }

    private mutating func take(mark scalar: UInt32) {
        mark = gap == .none ? scalar : 0
        if gap == .none { gap = .mark }
    }

    private mutating func append(_ scalar: UInt32, isFirst: Bool, _ place: Range<Int>) {
        if let composed = NameFolding.voiced(scalars.last, scalar), gap == .none {
            scalars[count - 1] = composed
            places[count - 1] = places[count - 1].lowerBound..<place.upperBound
            return
        }
        scalars.append(scalar)
        gaps.append(gap)
        marks.append(gap == .mark ? mark : 0)
        self.isFirst.append(isFirst)
        places.append(place)
        gap = .none
        mark = 0
    }
}
