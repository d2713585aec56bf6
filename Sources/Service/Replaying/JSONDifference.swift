public import Messages

/// A place where two documents differ.
public struct JSONDifference: Sendable, Equatable {
    /// Such as `[0].display.title`; empty for the whole document.
    public let path: String
    /// What stood there; nil if nothing did.
    public let old: JSONValue?
    /// What stands there now; nil if nothing does.
    public let new: JSONValue?

    /// From its parts.
    public init(path: String, old: JSONValue?, new: JSONValue?) {
        self.path = path
        self.old = old
        self.new = new
    }

    /// Every place where two documents differ, in the order of the documents.
    public static func all(from old: JSONValue, to new: JSONValue) -> [JSONDifference] {
        var found: [JSONDifference] = []
        compare(old, new, at: "", into: &found)
        return found
    }

    /// Lines such as `[0].display.title: "Blue" → "Green"`, at most `Limits.differencesShown`.
    public static func lines(_ differences: [JSONDifference]) -> [String] {
        let lines = differences.prefix(Limits.differencesShown).map(\.line)
        guard differences.count > Limits.differencesShown else { return lines }
        return lines + ["… \(differences.count) differences in all"]
    }

    /// The path with `*` in place of every index, so that it names the field in all elements.
    public var field: String {
        var field = ""
        var isIndex = false
        for character in path {
            if character == "[" { field += "[*" }
            isIndex = isIndex ? character != "]" : character == "["
            if !isIndex { field.append(character) }
        }
        return field
    }

    private var line: String { "\(path): \(Self.text(old)) → \(Self.text(new))" }

    private static func compare(
        _ old: JSONValue?, _ new: JSONValue?, at path: String, into found: inout [JSONDifference]
    ) {
        guard old != new else { return }
        switch (old, new) {
        case (.object(let left), .object(let right)):
            for name in Set(left.keys).union(right.keys).sorted() {
                compare(left[name], right[name], at: "\(path).\(name)", into: &found)
            }
        case (.array(let left), .array(let right)):
            for index in 0..<max(left.count, right.count) {
                compare(
                    index < left.count ? left[index] : nil,
                    index < right.count ? right[index] : nil, at: "\(path)[\(index)]", into: &found)
            }
        default: found.append(JSONDifference(path: path, old: old, new: new))
        }
    }

    private static func text(_ value: JSONValue?) -> String {
        guard let value else { return "nothing" }
        let text = String(decoding: value.canonical(), as: UTF8.self)
        return text.count <= 120 ? text : text.prefix(120) + "…"
    }
}
