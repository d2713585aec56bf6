/// A JSON document, held within I-JSON: numbers are IEEE doubles, texts are valid Unicode.
public enum JSONValue: Sendable, Equatable {
    /// The literal `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A finite number.
    case number(Double)
    /// A text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Values by name, without order.
    case object([String: JSONValue])

    /// A whole number.
    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(Double(value)) }

    /// Reads a document.
    ///
    /// - Throws: `JSONError` with the place of the fault for anything that is not JSON, names a
    ///   member twice, has half a surrogate pair or a number beyond a double, or nests deeper
    ///   than `Limits.jsonDepthMax`.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var parser = JSONParser(bytes)
        self = try parser.document()
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
        guard case .number(let number) = self else { return nil }
        return Self.exactInteger(number)
    }
    /// A number as the integer that it is, within what every double holds exactly.
    ///
    /// By conversion and not by rounding, which would need the C library's mathematics.
    static func exactInteger(_ number: Double) -> Int? {
        guard number.magnitude <= 9_007_199_254_740_991 else { return nil }
        let integer = Int(number)
        return Double(integer) == number ? integer : nil
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
}

/// Why a document is not what it should be: a sentence that names the place and what is allowed.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// For people.
    public let description: String
    /// From a sentence.
    public init(_ description: String) { self.description = description }
}
