/// The members of one JSON object, read with refusals that name the place and what is allowed.
struct Members {
    /// Where the object stands in its document; empty for the document itself.
    let path: String
    private let values: [String: JSONValue]

    /// The members of an object that may have these and no others.
    init(_ value: JSONValue, at path: String = "", allowing names: [String]) throws(JSONError) {
        guard let values = value.object else {
            throw JSONError("\(path.isEmpty ? "the body" : path) must be an object")
        }
        self.path = path
        self.values = values
        let unknown = values.keys.filter { !names.contains($0) }
        if let first = unknown.min(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let allowed = names.isEmpty ? "none is allowed" : names.joined(separator: ", ")
            throw JSONError("member \(place(first)) is unknown; allowed: \(allowed)")
        }
    }

    /// The place of a member, for refusals.
    func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// A member as it is; nil if absent.
    func value(_ name: String) -> JSONValue? { values[name] }

    /// A member that must be there.
    func required(_ name: String) throws(JSONError) -> JSONValue {
        guard let value = values[name] else { throw JSONError("\(place(name)) is missing") }
        return value
    }

    /// A whole number within a range; nil if absent.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(JSONError) -> Int? {
        guard let value = values[name] else { return nil }
        return try Self.integer(value, at: place(name), in: range)
    }
    /// A number within a range, which must be there.
    func number(_ name: String, in range: ClosedRange<Double>) throws(JSONError) -> Double {
        guard let number = try required(name).double, range.contains(number) else {
            throw JSONError(
                "\(place(name)) must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
    /// A truth value; `false` if absent.
    func flag(_ name: String) throws(JSONError) -> Bool {
        guard let value = values[name] else { return false }
        guard let flag = value.bool else {
            throw JSONError("\(place(name)) must be true or false")
        }
        return flag
    }
    /// A name (see `name(_:at:bytesMax:)`); nil if absent.
    func name(_ name: String, bytesMax: Int = Limits.nameBytesMax) throws(JSONError) -> String? {
        guard let value = values[name] else { return nil }
        return try Self.name(value, at: place(name), bytesMax: bytesMax)
    }
    /// A name that must be there.
    func requiredName(_ name: String) throws(JSONError) -> String {
        try Self.name(try required(name), at: place(name))
    }
    /// A content hash; nil if absent.
    func hash(_ name: String) throws(JSONError) -> ContentHash? {
        guard let value = values[name] else { return nil }
        return try Self.hash(value, at: place(name))
    }
    /// A content hash that must be there.
    func requiredHash(_ name: String) throws(JSONError) -> ContentHash {
        try Self.hash(try required(name), at: place(name))
    }
    /// A list with each element read by a function; nil if absent.
    func list<Element>(
        _ name: String, in counts: ClosedRange<Int>,
        _ read: (JSONValue, String) throws(JSONError) -> Element
    ) throws(JSONError) -> [Element]? {
        guard let value = values[name] else { return nil }
        guard let elements = value.array, counts.contains(elements.count) else {
            throw JSONError(
                "\(place(name)) must be a list of \(counts.lowerBound) to \(counts.upperBound)")
        }
        var result: [Element] = []
        result.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            result.append(try read(element, "\(place(name))[\(index)]"))
        }
        return result
    }
    /// A list of names; nil if absent.
    func names(
        _ name: String, in counts: ClosedRange<Int>, bytesMax: Int = Limits.nameBytesMax
    ) throws(JSONError) -> [String]? {
        try list(name, in: counts) { (value, place) throws(JSONError) in
            try Self.name(value, at: place, bytesMax: bytesMax)
        }
    }

    // MARK: Single values

    static func integer(
        _ value: JSONValue, at place: String, in range: ClosedRange<Int>
    ) throws(JSONError) -> Int {
        guard let number = value.integer, range.contains(number) else {
            throw JSONError(
                "\(place) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func hash(_ value: JSONValue, at place: String) throws(JSONError) -> ContentHash {
        guard let hash = value.text.flatMap({ ContentHash(hex: $0) }) else {
            throw JSONError("\(place) must be a hash: 64 hexadecimal digits, lower case")
        }
        return hash
    }

    /// Text that names something: not empty, bounded, without control characters.
    ///
    /// U+0000 separates type and id in sort keys and union keys, so no name may hold it; the
    /// other control characters would spoil logs and terminals.
    static func name(
        _ value: JSONValue, at place: String, bytesMax: Int = Limits.nameBytesMax
    ) throws(JSONError) -> String {
        guard let text = value.text, isName(text, bytesMax: bytesMax) else {
            throw JSONError(
                "\(place) must be text of 1 to \(bytesMax) bytes without control characters")
        }
        return text
    }

    /// Whether a text may name something.
    static func isName(_ text: String, bytesMax: Int = Limits.nameBytesMax) -> Bool {
        !text.isEmpty && text.utf8.count <= bytesMax
            && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
