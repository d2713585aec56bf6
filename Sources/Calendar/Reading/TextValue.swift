/// TEXT values, and texts of other character sets.
enum TextValue {
    /// A TEXT value without its escapes (RFC 5545, section 3.3.11).
    ///
    /// The bytes are UTF-8. Those that are not are Windows-1252, one by one: feeds in that and in
    /// Latin-1 exist, and one bad byte does not spoil the rest. NUL is left out.
    static func decoded(_ text: [UInt8], _ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var isEscaped = false
        for index in range {
            let byte = text[index]
            if isEscaped {
                isEscaped = false
                bytes.append(byte.uppercased == UInt8(ascii: "N") ? 0x0A : byte)
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte != 0 {
                bytes.append(byte)
            }
        }
        if isEscaped { bytes.append(UInt8(ascii: "\\")) }
        return String(validating: bytes, as: UTF8.self) ?? repaired(bytes)
    }

    /// UTF-16 with a byte order mark as UTF-8, and with line feeds where a text has no other line
    /// ends than carriage returns; every other text as it is.
    static func utf8(of text: [UInt8]) -> [UInt8] {
        let text = decodedUTF16(text)
        guard !text.contains(0x0A), text.contains(0x0D) else { return text }
        return text.map { $0 == 0x0D ? 0x0A : $0 }
    }

    private static func decodedUTF16(_ text: [UInt8]) -> [UInt8] {
        let isBig = text.starts(with: [0xFE, 0xFF])
        guard isBig || text.starts(with: [0xFF, 0xFE]) else { return text }
        var units: [UInt16] = []
        units.reserveCapacity(text.count / 2)
        for index in stride(from: 2, to: text.count - 1, by: 2) {
            let (first, second) = (UInt16(text[index]), UInt16(text[index + 1]))
            units.append(isBig ? first << 8 | second : second << 8 | first)
        }
        return [UInt8](String(decoding: units, as: UTF16.self).utf8)
    }

    /// The text of bytes that are not all UTF-8.
    static func repaired(_ bytes: [UInt8]) -> String {
        var scalars = String.UnicodeScalarView()
        var index = 0
        while index < bytes.count {
            let length = sequenceLength(bytes, at: index)
            if length > 0 {
                scalars.append(
                    contentsOf: String(decoding: bytes[index..<index + length], as: UTF8.self)
                        .unicodeScalars)
                index += length
            } else {
                scalars.append(windows1252(bytes[index]))
                index += 1
            }
        }
        return String(scalars)
    }

    /// Bytes of the well-formed UTF-8 sequence that begins here; 0 if none does.
    private static func sequenceLength(_ bytes: [UInt8], at index: Int) -> Int {
        let length =
            switch bytes[index] {
            case 0..<0x80: 1
            case 0xC2..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0..<0xF5: 4
            default: 0
            }
        guard length > 0, index + length <= bytes.count else { return 0 }
        return String(validating: bytes[index..<index + length], as: UTF8.self) == nil ? 0 : length
    }

    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
        return high[Int(byte) - 0x80]
    }

    /// 0x80 to 0x9F; the five that are not assigned become a question mark in a lozenge.
    private static let high: [Unicode.Scalar] = [
        "€", "\u{FFFD}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{FFFD}", "Ž",
        "\u{FFFD}", "\u{FFFD}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ",
        "\u{FFFD}", "ž", "Ÿ",
    ]
}
