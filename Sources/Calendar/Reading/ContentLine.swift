/// One line of iCalendar or vCard, unfolded, with its place in the text.
///
/// Lines are unfolded as bytes, before anything is read as UTF-8: a fold may stand in the middle of
/// a character.
struct ContentLine {
    /// Where the line's bytes are: the whole text, or for a folded line the line alone.
    let text: [UInt8]
    /// The line in `text`, without line ends and folds.
    let bytes: Range<Int>
    /// Where the line stands in the text it came from, folds included, without the last line end.
    let place: Range<Int>
    let name: PropertyName
    /// The bytes behind the colon; empty if there is none.
    let value: Range<Int>
    private let nameEnd: Int
    /// The bytes of the name, with the group that cards may have in front of it.
    var nameRange: Range<Int> { bytes.lowerBound..<nameEnd }

    init(text: [UInt8], bytes: Range<Int>, place: Range<Int>) {
        self.text = text
        self.bytes = bytes
        self.place = place
        let nameEnd =
            Self.end(of: text, in: bytes, mayBeQuoted: false) {
                $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";")
            }
        self.nameEnd = nameEnd
        name = PropertyName(text, bytes.lowerBound..<nameEnd)
        let colon = Self.end(of: text, in: nameEnd..<bytes.upperBound, mayBeQuoted: true) {
            $0 == UInt8(ascii: ":")
        }
        value = min(colon + 1, bytes.upperBound)..<bytes.upperBound
    }

    /// The line as valid UTF-8, each bad byte as `TextValue` reads it; its place stays.
    var repaired: ContentLine {
        guard String(validating: text[bytes], as: UTF8.self) == nil else { return self }
        let valid = [UInt8](TextValue.repaired(Array(text[bytes])).utf8)
        return ContentLine(text: valid, bytes: 0..<valid.count, place: place)
    }

    /// The value without spaces around it.
    var trimmedValue: Range<Int> { text.trimmed(value) }

    /// The value in upper case, such as that of BEGIN and STATUS; for short ASCII values.
    var word: String {
        String(decoding: text[trimmedValue].prefix(64).map(\.uppercased), as: UTF8.self)
    }

    /// The first value of a parameter, without quotes; nil if the line has none of that name.
    ///
    /// `wanted` is in upper case.
    func parameter(_ wanted: StaticString) -> String? {
        var index = nameEnd
        while index < value.lowerBound, text[index] == UInt8(ascii: ";") {
            let end = Self.end(of: text, in: (index + 1)..<bytes.upperBound, mayBeQuoted: true) {
                $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":")
            }
            if let content = content(of: (index + 1)..<end, named: wanted) { return content }
            index = end
        }
        return nil
    }

    /// The parameters in order, names in upper case, values without quotes; one without `=` has an
    /// empty name.
    func parameters(countMax: Int) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        var index = nameEnd
        while index < value.lowerBound, text[index] == UInt8(ascii: ";"),
            parameters.count < countMax
        {
            let end = Self.end(of: text, in: (index + 1)..<bytes.upperBound, mayBeQuoted: true) {
                $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":")
            }
            let part = text[(index + 1)..<end].prefix(Bounds.parameterBytesMax)
            let sign = part.firstIndex(of: UInt8(ascii: "="))
            let name = sign.map { part[..<$0].map(\.uppercased) } ?? []
            let content = part[(sign.map { $0 + 1 } ?? part.startIndex)...]
            parameters.append(
                (
                    String(decoding: name, as: UTF8.self),
                    String(decoding: content.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
                ))
            index = end
        }
        return parameters
    }

    private func content(of part: Range<Int>, named wanted: StaticString) -> String? {
        let length = wanted.utf8CodeUnitCount
        guard part.count > length, text[part.lowerBound + length] == UInt8(ascii: "=") else {
            return nil
        }
        let isNamed = wanted.withUTF8Buffer { letters in
            letters.indices.allSatisfy { text[part.lowerBound + $0].uppercased == letters[$0] }
        }
        guard isNamed else { return nil }
        let content = text[(part.lowerBound + length + 1)..<part.upperBound]
        return String(decoding: content.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }

    /// The first byte that fits, outside quotes where there may be some, or the end.
    private static func end(
        of text: [UInt8], in range: Range<Int>, mayBeQuoted: Bool, where fits: (UInt8) -> Bool
    ) -> Int {
        var isQuoted = false
        for index in range {
            if mayBeQuoted && text[index] == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if !isQuoted && fits(text[index]) {
                return index
            }
        }
        return range.upperBound
    }
}

extension [UInt8] {
    /// The range without spaces and tabs at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high, self[low] == 0x20 || self[low] == 0x09 { low += 1 }
        while low < high, self[high - 1] == 0x20 || self[high - 1] == 0x09 { high -= 1 }
        return low..<high
    }
}
