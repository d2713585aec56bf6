extension JSONValue {
    /// The one way to write the document: RFC 8785 (JSON Canonicalization Scheme).
    ///
    /// Members in the order of their names' UTF-16 code units, no white space, numbers as
    /// ECMAScript writes them. A number that is not finite is written as `null`.
    public func canonical() -> [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let number): bytes += Self.ecmaScript(number).utf8
        case .string(let text): Self.append(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            let names = members.keys.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
            for (index, name) in names.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                members[name]?.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Adds a text as canonical JSON has it, with its quotation marks.
    public static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) {
            bytes += text.utf8
            return bytes.append(UInt8(ascii: "\""))
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0..<0x20: bytes += "\\u00\(Hex.encode([byte]))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Number to text as ECMA-262 section 6.1.6.1.20 (Number::toString) has it.
    private static func ecmaScript(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        if let integer = JSONValue.exactInteger(number) { return "\(integer)" }
        let sign = number < 0 ? "-" : ""
        let (digits, exponent) = shortestDigits(abs(number))
        let count = digits.count
        if count <= exponent, exponent <= 21 {
            return sign + digits + String(repeating: "0", count: exponent - count)
        }
        if 0 < exponent, exponent <= 21 {
            return sign + digits.prefix(exponent) + "." + digits.dropFirst(exponent)
        }
        if -6 < exponent, exponent <= 0 {
            return sign + "0." + String(repeating: "0", count: -exponent) + digits
        }
        let power = exponent - 1
        let fraction = count > 1 ? "." + digits.dropFirst() : ""
        return sign + digits.prefix(1) + fraction + "e" + (power < 0 ? "-" : "+") + "\(abs(power))"
    }

    /// The shortest digits d and the exponent n with value = 0.d * 10^n; Swift's description has
    /// the shortest digits that read back as the same number.
    private static func shortestDigits(_ number: Double) -> (digits: String, exponent: Int) {
        let parts = number.description.split(separator: "e")
        let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let whole = String(mantissa[0])
        let fraction = mantissa.count > 1 ? String(mantissa[1]) : ""
        let all = whole + fraction
        let leading = all.prefix { $0 == "0" }.count
        var digits = String(all.dropFirst(leading))
        while digits.last == "0" { digits.removeLast() }
        return (digits, whole.count - leading + power)
    }
}
