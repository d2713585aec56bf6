/// One line of iCalendar, unfolded, with its place in the text.
///
/// Lines are unfolded as bytes, before anything is read as UTF-8: a fold may stand in the middle of
/// a character. NUL bytes, which would end a text in C, are left out.
struct ContentLine {
    /// The bytes of the whole line without line ends and folds.
    let bytes: [UInt8]
    /// Where the line stands in the text, folds included, without the last line end.
    let range: Range<Int>
    /// The property name in upper case, or BEGIN or END.
    let name: String
    /// Where the value begins in `bytes`; the line's end if there is no colon.
    let valueStart: Int

    init(bytes: [UInt8], range: Range<Int>) {
        self.bytes = bytes
        self.range = range
        let nameEnd = bytes.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }
        name = String(decoding: bytes[..<(nameEnd ?? bytes.count)], as: UTF8.self).uppercased()
        valueStart = Self.valueStart(of: bytes, from: nameEnd ?? bytes.count)
    }

    /// The value as text; BEGIN and END have the component's name here.
    var value: String { String(decoding: bytes[valueStart...], as: UTF8.self) }

    /// The first value of a parameter, without quotes; nil if the line has none of that name.
    func parameter(_ wanted: String) -> String? {
        var index = name.utf8.count
        while index < valueStart, bytes[index] == UInt8(ascii: ";") {
            let end = Self.end(of: bytes, from: index + 1) {
                $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":")
            }
            let part = bytes[(index + 1)..<end]
            if let equals = part.firstIndex(of: UInt8(ascii: "=")),
                String(decoding: part[..<equals], as: UTF8.self).uppercased() == wanted
            {
                let value = part[(equals + 1)...].filter { $0 != UInt8(ascii: "\"") }
                return String(decoding: value, as: UTF8.self)
            }
            index = end
        }
        return nil
    }

    private static func valueStart(of bytes: [UInt8], from: Int) -> Int {
        let colon = end(of: bytes, from: from) { $0 == UInt8(ascii: ":") }
        return min(colon + 1, bytes.count)
    }

    /// The first byte outside quotes that fits, or the end.
    private static func end(of bytes: [UInt8], from: Int, where fits: (UInt8) -> Bool) -> Int {
        var isQuoted = false
        var index = from
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if !isQuoted && fits(bytes[index]) {
                return index
            }
            index += 1
        }
        return bytes.count
    }
}

/// The lines of a text, in order; empty ones are left out.
struct ContentLines: Sequence, IteratorProtocol {
    private let text: [UInt8]
    private var index: Int

    init(_ text: [UInt8]) {
        self.text = text
        index = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    mutating func next() -> ContentLine? {
        while index < text.count {
            let start = index
            var end = start
            var bytes: [UInt8] = []
            repeat {
                let lineEnd = text[index...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
                end = lineEnd
                while end > index, text[end - 1] == UInt8(ascii: "\r") { end -= 1 }
                bytes += text[index..<end].lazy.filter { $0 != 0 }
                index = Swift.min(lineEnd + 1, text.count)
                guard isFold(at: index) else { break }
                index += 1
            } while true
            if !bytes.isEmpty { return ContentLine(bytes: bytes, range: start..<end) }
        }
        return nil
    }

    private func isFold(at index: Int) -> Bool {
        index < text.count
            && (text[index] == UInt8(ascii: " ") || text[index] == UInt8(ascii: "\t"))
    }
}
