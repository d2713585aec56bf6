/// Reads one JSON document (RFC 8259) within I-JSON (RFC 7493).
///
/// Stricter than common parsers, so that every reader of a document sees the same: no member name
/// twice, no lone surrogate, no number that is not finite as a double, nothing behind the
/// document. Names that are canonically equivalent in Unicode count as the same name. Nesting is
/// bounded by `Limits.jsonDepthMax`, and with it the recursion.
struct JSONParser {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The whole document.
    mutating func document() throws(JSONError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard index == bytes.count else { throw fault("something stands behind the document") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return .object(try object(depth: try deeper(depth)))
        case UInt8(ascii: "["): return .array(try array(depth: try deeper(depth)))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private func deeper(_ depth: Int) throws(JSONError) -> Int {
        guard depth < Limits.jsonDepthMax else {
            throw JSONError("nests deeper than \(Limits.jsonDepthMax) levels")
        }
        return depth + 1
    }

    private mutating func object(depth: Int) throws(JSONError) -> [String: JSONValue] {
        index += 1
        var members: [String: JSONValue] = [:]
        guard !skip("}") else { return members }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw fault("a member's name must stand here") }
            let start = index
            let name = try string()
            guard skip(":") else { throw fault("a colon must stand here") }
            guard members.updateValue(try value(depth: depth), forKey: name) == nil else {
                throw fault("a member's name stands twice", at: start)
            }
        } while skip(",")
        guard skip("}") else { throw fault("a comma or } must stand here") }
        return members
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        index += 1
        var elements: [JSONValue] = []
        guard !skip("]") else { return elements }
        repeat { elements.append(try value(depth: depth)) } while skip(",")
        guard skip("]") else { throw fault("a comma or ] must stand here") }
        return elements
    }

    // MARK: Texts

    /// A text; one without escapes is taken as it stands.
    private mutating func string() throws(JSONError) -> String {
        index += 1
        let start = index
        var unescaped: [UInt8] = []
        var runStart = index
        while true {
            skipPlainText()
            switch peek {
            case UInt8(ascii: "\""):
                let run = bytes[runStart..<index]
                let whole = runStart == start ? run : (unescaped + run)[...]
                // Validated in one piece: an escape never completes a broken sequence before it.
                guard let text = String(validating: whole, as: UTF8.self) else {
                    throw fault("the text is no UTF-8", at: start)
                }
                index += 1
                return text
            case UInt8(ascii: "\\"):
                unescaped += bytes[runStart..<index]
                unescaped += String(try escape()).utf8
                runStart = index
            case nil: throw fault("the text has no end")
            default: throw fault("a control character must be escaped")
            }
        }
    }

    /// Goes to the next quotation mark, backslash, control character or the end.
    private mutating func skipPlainText() {
        while index < bytes.count {
            let byte = bytes[index]
            guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
                return
            }
            index += 1
        }
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        index += 2
        switch index <= bytes.count ? bytes[index - 1] : 0 {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try escapedScalar()
        default: throw fault("an unknown escape", at: index - 2)
        }
    }

    /// What four or, for a surrogate pair, twice four digits name.
    private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let isPair =
            index + 1 < bytes.count && bytes[index] == UInt8(ascii: "\\")
            && bytes[index + 1] == UInt8(ascii: "u")
        guard first < 0xDC00, isPair else { throw fault("a lone surrogate") }
        index += 2
        let second = try codeUnit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("a lone surrogate") }
        return scalar
    }

    private mutating func codeUnit() throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Self.hexadecimal(byte) else {
                throw fault("four hexadecimal digits must stand here")
            }
            unit = unit << 4 | digit
            index += 1
        }
        return unit
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 55
        default: nil
        }
    }

    // MARK: Numbers and words

    private mutating func number() throws(JSONError) -> Double {
        let start = index
        if peek == UInt8(ascii: "-") { index += 1 }
        let whole = digits()
        guard let first = whole.first, first != UInt8(ascii: "0") || whole.count == 1 else {
            throw fault("no JSON value", at: start)
        }
        var isPlain = whole.count <= 15
        if peek == UInt8(ascii: ".") {
            index += 1
            isPlain = false
            guard !digits().isEmpty else { throw fault("a digit must stand here") }
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            index += 1
            isPlain = false
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
            guard !digits().isEmpty else { throw fault("a digit must stand here") }
        }
        if isPlain {
            let number = Double(whole.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) })
            return bytes[start] == UInt8(ascii: "-") ? -number : number
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let number = Double(text), number.isFinite else {
            throw fault("the number is too large", at: start)
        }
        return number
    }

    private mutating func digits() -> ArraySlice<UInt8> {
        let start = index
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return bytes[start..<index]
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        guard bytes[index...].starts(with: word.utf8) else { throw fault("no JSON value") }
        index += word.utf8.count
        return value
    }

    // MARK: Bytes

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            index += 1
        }
    }
    /// Goes past white space and, if it stands there, a sign.
    private mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        guard peek == UInt8(ascii: sign) else { return false }
        index += 1
        return true
    }
    private func fault(_ what: String, at place: Int? = nil) -> JSONError {
        JSONError("no JSON of this protocol: \(what) (byte \(place ?? index))")
    }
}
