import Messages

/// A file of separated values (RFC 4180), read record by record.
///
/// Lines end with LF, CRLF or the end of the file; a field in quotes may hold separators, line ends
/// and doubled quotes. Blank lines are left out.
struct CSVFile {
    /// One record.
    struct Record: Equatable {
        /// The line that it begins on, from 1 on.
        let line: Int
        /// Its fields; nil if it cannot be read.
        let fields: [String]?
        /// Why it cannot be read.
        var fault = ""
    }

    private enum Fault: String {
        case tooLong = "is too long"
        case noText = "is no UTF-8"
        case quoteInside = "has a quote inside a field that does not begin with one"
        case behindQuote = "has text behind the closing quote of a field"
        case quoteOpen = "has a field without its closing quote"
    }

    private var file: ByteFile
    private let separator: UInt8
    private var line = 1

    /// - Parameter separator: Nil for that of ",", ";" and tab which the first line has most of.
    /// - Throws: `ConfigurationError` if there is no such file.
    init(_ path: String, separator: UInt8? = nil) throws {
        self.separator = try separator ?? Self.guessSeparator(path)
        file = try ByteFile(path)
        try file.skipByteOrderMark()
    }

    private static func guessSeparator(_ path: String) throws -> UInt8 {
        var lines = try LineFile(path)
        guard case .bytes(let head) = try lines.next() else { return UInt8(ascii: ",") }
        let candidates = Array(",;\t".utf8)
        let counts = candidates.map { candidate in head.count { $0 == candidate } }
        let most = counts.max() ?? 0
        return zip(candidates, counts).first { $0.1 == most }?.0 ?? candidates[0]
    }

    /// The next record; nil behind the last.
    mutating func next() throws -> Record? {
        while let byte = try file.peek() {
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                return try record()
            }
            try skipLineEnd()
        }
        return nil
    }

    private mutating func skipLineEnd() throws {
        let byte = try file.next()
        if byte == UInt8(ascii: "\r"), try file.peek() == UInt8(ascii: "\n") {
            _ = try file.next()
        }
        line += 1
    }

    private mutating func record() throws -> Record {
        let begin = line
        var partial = Partial()
        var fields: [String] = []
        while true {
            try field(&partial)
            if let text = String(validating: partial.bytes, as: UTF8.self) {
                fields.append(text)
            } else {
                partial.fail(.noText)
            }
            guard try file.peek() == separator else { break }
            _ = try file.next()
        }
        if try file.peek() != nil { try skipLineEnd() }
        guard let fault = partial.fault else { return Record(line: begin, fields: fields) }
        return Record(line: begin, fields: nil, fault: fault.rawValue)
    }

    /// A record while it is read.
    private struct Partial {
        /// The field that is being read.
        var bytes: [UInt8] = []
        private var room = Limits.importRowBytesMax
        private(set) var fault: Fault?

        mutating func add(_ byte: UInt8) {
            guard room > 0 else { return fail(.tooLong) }
            room -= 1
            bytes.append(byte)
        }
        /// The first fault counts.
        mutating func fail(_ fault: Fault) { self.fault = self.fault ?? fault }
    }

    /// Reads one field, without what ends it.
    private mutating func field(_ partial: inout Partial) throws {
        partial.bytes = []
        let isQuoted = try file.peek() == UInt8(ascii: "\"")
        if isQuoted {
            _ = try file.next()
            try quoted(&partial)
        }
        while let byte = try file.peek(), byte != separator, byte != UInt8(ascii: "\n"),
            byte != UInt8(ascii: "\r")
        {
            _ = try file.next()
            if isQuoted {
                partial.fail(.behindQuote)
            } else if byte == UInt8(ascii: "\"") {
                partial.fail(.quoteInside)
            }
            partial.add(byte)
        }
    }

    /// Reads what stands up to the closing quote, and that.
    private mutating func quoted(_ partial: inout Partial) throws {
        while let byte = try file.next() {
            if byte == UInt8(ascii: "\"") {
                guard try file.peek() == byte else { return }
                _ = try file.next()
            } else if byte == UInt8(ascii: "\n") {
                line += 1
            }
            partial.add(byte)
        }
        partial.fail(.quoteOpen)
    }
}
