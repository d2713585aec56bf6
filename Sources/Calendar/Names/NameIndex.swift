/// Finds names in titles as whole words, whatever their case, diacritics and punctuation.
///
/// A name is kept as its letters, about 4 bytes each, under a hash: names are put in and taken out
/// one by one, and a title costs a look-up for every pair of places at which a word begins and ends.
public struct NameIndex: Sendable {
    private struct Entry: Sendable {
        let id: Int
        let start: Int32
        let count: Int32
        let strength: NameStrength
        /// The entry before it with the same hash; -1 for none.
        var next: Int32
        var isRemoved = false
    }

    /// Letters of all names: folded scalars with the gap before each in bits 24 and 25.
    private var letters: [UInt32] = []
    private var entries: [Entry] = []
    private var heads: [UInt64: Int32] = [:]
    private var beginnings = Beginnings()
    private var countMax = 0
    private var removedLetters = 0
    /// Names without a letter or digit, such as `!!!`, by their characters.
    private var symbols: [String: [Int]] = [:]
    /// The number of names.
    public private(set) var count = 0

    /// An index without names.
    public init() {}

    /// From names, whose ids are their places in the list.
    public init(names: [String]) {
        for (id, name) in names.enumerated() { insert(name, id: id) }
    }

    /// Adds a name; one of no visible character is in no title.
    ///
    /// - Parameters:
    ///   - name: as people write it; at most 512 letters of it count.
    ///   - id: whatever the caller knows it by; several names may have one.
    public mutating func insert(_ name: String, id: Int) {
        let text = TitleLetters(name)
        count += 1
        guard text.count > 0 else {
            let symbol = name.filter { !$0.isWhitespace }
            if !symbol.isEmpty { symbols[symbol, default: []].append(id) }
            return
        }
        let length = min(text.count, Self.lettersMax)
        let hash = Self.hash(text.scalars[..<length])
        entries.append(
            Entry(
                id: id, start: Int32(letters.count), count: Int32(length),
                strength: NameStrength(text), next: heads[hash] ?? -1))
        heads[hash] = Int32(entries.count - 1)
        for index in 0..<length {
            letters.append(text.scalars[index] | UInt32(text.gaps[index].rawValue) << 24)
        }
        beginnings.insert(text.scalars[..<length])
        countMax = max(countMax, length)
    }

    /// Takes a name out that was put in with this id; whether there was one.
    @discardableResult
    public mutating func remove(_ name: String, id: Int) -> Bool {
        let text = TitleLetters(name)
        guard text.count > 0 else {
            let symbol = name.filter { !$0.isWhitespace }
            guard let place = symbols[symbol]?.firstIndex(of: id) else { return false }
            symbols[symbol]?.remove(at: place)
            count -= 1
            return true
        }
        let length = min(text.count, Self.lettersMax)
        var index = heads[Self.hash(text.scalars[..<length])] ?? -1
        while index >= 0 {
            let entry = entries[Int(index)]
            if !entry.isRemoved && entry.id == id && holds(entry, text) {
                entries[Int(index)].isRemoved = true
                count -= 1
                removedLetters += length
                compactIfWorthIt()
                return true
            }
            index = entry.next
        }
        return false
    }

    /// Bytes that the index takes, about.
    public var bytes: Int {
        letters.capacity * 4 + entries.capacity * MemoryLayout<Entry>.stride
            + heads.capacity * 18 + Beginnings.bytes
    }

    static let lettersMax = 512

    private func holds(_ entry: Entry, _ text: TitleLetters) -> Bool {
        (0..<Int(entry.count)).allSatisfy { offset in
            letters[Int(entry.start) + offset]
                == text.scalars[offset] | UInt32(text.gaps[offset].rawValue) << 24
        }
    }

    /// Half of the letters being those of names that are gone, it is built anew.
    private mutating func compactIfWorthIt() {
        guard removedLetters > 4_096, removedLetters * 2 > letters.count else { return }
        let (oldLetters, oldEntries) = (letters, entries)
        letters = []
        entries = []
        heads = [:]
        beginnings = Beginnings()
        countMax = 0
        removedLetters = 0
        for entry in oldEntries where !entry.isRemoved {
            let kept = oldLetters[Int(entry.start)..<Int(entry.start + entry.count)]
            let scalars = kept.map { $0 & 0xFF_FFFF }
            let hash = Self.hash(scalars[...])
            entries.append(
                Entry(
                    id: entry.id, start: Int32(letters.count), count: entry.count,
                    strength: entry.strength, next: heads[hash] ?? -1))
            heads[hash] = Int32(entries.count - 1)
            letters += kept
            beginnings.insert(scalars[...])
            countMax = max(countMax, scalars.count)
        }
    }

    private static func hash(_ scalars: ArraySlice<UInt32>) -> UInt64 {
        scalars.reduce(Beginnings.seed) { Beginnings.mixed($0, $1) }
    }
}

extension NameIndex {
    /// A name that stands at a place of a title.
    struct Found {
        let id: Int
        let strength: NameStrength
        /// Indices of the title's letters.
        let range: Range<Int>
    }

    /// Every name whose letters stand in the title between places that `isStart` and `isEnd` take.
    func found(
        in title: TitleLetters, isStart: (Int) -> Bool, isEnd: (Int) -> Bool
    ) -> [Found] {
        var found: [Found] = []
        for start in 0..<title.count where isStart(start) {
            guard beginnings.mayBegin(title.scalars, at: start) else { continue }
            var hash = Beginnings.seed
            for end in start..<min(title.count, start + countMax) {
                hash = Beginnings.mixed(hash, title.scalars[end])
                guard isEnd(end + 1), var index = heads[hash] else { continue }
                while index >= 0 {
                    let entry = entries[Int(index)]
                    if !entry.isRemoved, fits(entry, title, start..<end + 1) {
                        found.append(
                            Found(
                                id: entry.id, strength: entry.strength, range: start..<end + 1))
                    }
                    index = entry.next
                }
            }
        }
        return found
    }

    /// Ids of names without letters that are one of the words between spaces.
    func symbolNames(in title: String) -> [(id: Int, place: Range<Int>)] {
        guard !symbols.isEmpty else { return [] }
        return title.split(whereSeparator: \.isWhitespace).flatMap { word in
            let start = title.utf8.distance(from: title.startIndex, to: word.startIndex)
            return (symbols[String(word)] ?? []).map { ($0, start..<start + word.utf8.count) }
        }
    }

    /// Whether the letters are the same and what stands between them agrees: a name that has no
    /// space inside is not in two words, one that has is not in one. Digits stand side by side.
    private func fits(_ entry: Entry, _ title: TitleLetters, _ range: Range<Int>) -> Bool {
        guard range.count == Int(entry.count) else { return false }
        for offset in 0..<range.count {
            let letter = letters[Int(entry.start) + offset]
            let place = range.lowerBound + offset
            guard letter & 0xFF_FFFF == title.scalars[place] else { return false }
            guard offset > 0 else { continue }
            switch (TitleLetters.Gap(rawValue: UInt8(letter >> 24)) ?? .none, title.gaps[place]) {
            case (.none, .space), (.space, .none): return false
            case (.none, .mark):
                let isDigit = { (scalar: UInt32) in (0x30...0x39).contains(scalar) }
                if isDigit(title.scalars[place]), isDigit(title.scalars[place - 1]) {
                    return false
                }
            default: break
            }
        }
        return true
    }
}

/// Which beginnings of up to four letters some name has: most places of a title have none.
private struct Beginnings: Sendable {
    static let seed: UInt64 = 0xcbf2_9ce4_8422_2325
    static let bytes = 1 << 18
    private static let lettersMax = 4
    private var bits = [UInt64](repeating: 0, count: bytes / 8)

    static func mixed(_ hash: UInt64, _ scalar: UInt32) -> UInt64 {
        let mixed = (hash ^ UInt64(scalar)) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 29
    }

    mutating func insert(_ name: ArraySlice<UInt32>) {
        let beginning = name.prefix(Self.lettersMax)
        let hash = beginning.reduce(Self.seed) { Self.mixed($0, $1) }
        bits[Self.word(hash)] |= Self.bit(hash)
    }

    func mayBegin(_ scalars: [UInt32], at start: Int) -> Bool {
        var hash = Self.seed
        for index in start..<min(scalars.count, start + Self.lettersMax) {
            hash = Self.mixed(hash, scalars[index])
            if bits[Self.word(hash)] & Self.bit(hash) != 0 { return true }
        }
        return false
    }

    private static func word(_ hash: UInt64) -> Int { Int(hash >> 6) & (bytes / 8 - 1) }
    private static func bit(_ hash: UInt64) -> UInt64 { 1 << (hash & 63) }
}
