import FoundationEssentials

/// A JSON document, held within I-JSON: numbers are IEEE doubles, texts are valid Unicode.
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// A whole number.
    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(Double(value)) }

    /// Reads a document.
    ///
    /// - Throws: `JSONError` for anything that is not JSON or nests deeper than
    ///   `Limits.jsonDepthMax`.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        try Self.checkDepth(bytes)
        do {
            let decoder = JSONDecoder()
            self = try decoder.decode(Decoded.self, from: Data(bytes)).value
        } catch {
            throw JSONError("is no JSON document")
        }
    }

    /// The member of an object; nil if this is none or has no such member.
    public subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }
    /// The text; nil for anything else.
    public var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
    /// The number; nil for anything else.
    public var double: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }
    /// The number as an integer; nil if it is no whole number or too large to be exact.
    public var integer: Int? {
        guard case .number(let number) = self, number.rounded() == number,
            abs(number) <= 9_007_199_254_740_991
        else { return nil }
        return Int(number)
    }
    /// The truth value; nil for anything else.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }
    /// The elements; nil for anything else.
    public var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
    /// The members; nil for anything else.
    public var object: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// Refuses deep nesting before a recursive parser sees it.
    private static func checkDepth(_ bytes: [UInt8]) throws(JSONError) {
        var depth = 0
        var insideText = false
        var escaped = false
        for byte in bytes {
            if insideText {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    insideText = false
                }
            } else if byte == UInt8(ascii: "\"") {
                insideText = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
                guard depth <= Limits.jsonDepthMax else {
                    throw JSONError("nests deeper than \(Limits.jsonDepthMax) levels")
                }
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                depth -= 1
            }
        }
    }
}

/// Why a document is not what it should be: a sentence that names the place and what is allowed.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// For people.
    public let description: String
    /// From a sentence.
    public init(_ description: String) { self.description = description }
}

/// How Foundation's decoder builds a value.
private struct Decoded: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let bool = try? container.decode(Bool.self) {  // tried in turn
            value = .bool(bool)
        } else if let number = try? container.decode(Double.self) {  // tried in turn
            value = .number(number)
        } else if let text = try? container.decode(String.self) {  // tried in turn
            value = .string(text)
        } else if let elements = try? container.decode([Decoded].self) {  // tried in turn
            value = .array(elements.map(\.value))
        } else {
            value = .object(try container.decode([String: Decoded].self).mapValues(\.value))
        }
    }
}
