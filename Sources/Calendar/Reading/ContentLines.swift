/// The lines of a text, in order; empty ones are left out.
struct ContentLines: Sequence, IteratorProtocol {
    private let text: [UInt8]
    private var index: Int

    /// The text is UTF-8 with or without a byte order mark, or what `UTF16Text` made of another.
    init(_ text: [UInt8]) {
        self.text = text
        index = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    mutating func next() -> ContentLine? {
        while index < text.count {
            let start = index
            let end = takeLine()
            guard isFold(at: index) else {
                guard end > start else { continue }
                return ContentLine(text: text, bytes: start..<end, place: start..<end)
            }
            if let line = folded(from: start, to: end) { return line }
        }
        return nil
    }

    /// A line that goes on in the next one: its parts put together.
    private mutating func folded(from start: Int, to firstEnd: Int) -> ContentLine? {
        var bytes = Array(text[start..<firstEnd])
        var end = firstEnd
        while isFold(at: index) {
            index += 1
            let part = index
            end = takeLine()
            bytes += text[part..<end]
        }
        guard !bytes.isEmpty else { return nil }
        return ContentLine(
            text: bytes, bytes: 0..<bytes.count, place: start..<Swift.max(start, end))
    }

    /// Goes behind the next line end; gives where the line ends before it.
    private mutating func takeLine() -> Int {
        let start = index
        var end = start
        while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
        index = Swift.min(end + 1, text.count)
        while end > start, text[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return end
    }

    private func isFold(at index: Int) -> Bool {
        index < text.count
            && (text[index] == UInt8(ascii: " ") || text[index] == UInt8(ascii: "\t"))
    }
}
