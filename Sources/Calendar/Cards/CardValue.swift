/// Values that have parts: those of N and ORG behind semicolons, lists behind commas.
enum CardValue {
    /// The parts of a value, each without its escapes and with single spaces; empty parts stay, so
    /// that each has its place.
    ///
    /// - Parameter countMax: further parts are left out.
    static func parts(
        of line: ContentLine, separatedBy separator: UInt8, countMax: Int
    ) -> [String] {
        var parts: [String] = []
        var start = line.value.lowerBound
        var isEscaped = false
        for index in line.value {
            if isEscaped {
                isEscaped = false
            } else if line.text[index] == UInt8(ascii: "\\") {
                isEscaped = true
            } else if line.text[index] == separator {
                parts.append(text(line.text, start..<index))
                start = index + 1
                guard parts.count < countMax else { return parts }
            }
        }
        parts.append(text(line.text, start..<line.value.upperBound))
        return parts
    }

    /// A whole value without escapes, with single spaces; empty for one that is too long.
    static func text(of line: ContentLine) -> String { text(line.text, line.value) }

    private static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        guard range.count <= Bounds.cardTextBytesMax else { return "" }
        return TextValue.decoded(bytes, range).split(whereSeparator: isGap).joined(separator: " ")
    }

    /// Line ends and control characters are no part of a name or an address.
    private static func isGap(_ character: Character) -> Bool {
        character.isWhitespace || character.unicodeScalars.allSatisfy { $0.value < 0x20 }
            || character == "\u{7F}"
    }
}
