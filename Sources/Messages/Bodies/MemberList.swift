/// Puts an object together from the members that are there.
struct MemberList {
    private(set) var json: [String: JSONValue] = [:]

    mutating func add(_ name: String, _ value: JSONValue?) {
        if let value { json[name] = value }
    }
    mutating func add(_ name: String, text: String?) { add(name, text.map(JSONValue.string)) }
    mutating func add(_ name: String, hash: ContentHash?) { add(name, text: hash?.description) }
    /// Left out if false, which is every flag's default.
    mutating func add(_ name: String, flag: Bool) { add(name, flag ? .bool(true) : nil) }
    /// Left out if empty.
    mutating func add(_ name: String, names: [String]) {
        add(name, names.isEmpty ? nil : .array(names.map(JSONValue.string)))
    }
}
