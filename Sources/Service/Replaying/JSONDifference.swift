public import Messages

/// Where two documents differ, a line for each place.
public enum JSONDifference {
    /// Lines such as `[0].display.title: "Blue" → "Green"`, in the order of the documents, at
    /// most `Limits.differencesShown`.
    public static func lines(from old: JSONValue, to new: JSONValue) -> [String] {
        var lines: [String] = []
        compare(old, new, at: "", into: &lines)
        guard lines.count > Limits.differencesShown else { return lines }
        return lines.prefix(Limits.differencesShown) + ["… \(lines.count) differences in all"]
    }

    private static func compare(
        _ old: JSONValue?, _ new: JSONValue?, at path: String, into lines: inout [String]
    ) {
        guard old != new else { return }
        switch (old, new) {
        case (.object(let left), .object(let right)):
            for name in Set(left.keys).union(right.keys).sorted() {
                compare(left[name], right[name], at: "\(path).\(name)", into: &lines)
            }
        case (.array(let left), .array(let right)):
            for index in 0..<max(left.count, right.count) {
                compare(
                    index < left.count ? left[index] : nil,
                    index < right.count ? right[index] : nil, at: "\(path)[\(index)]", into: &lines)
            }
        default: lines.append("\(path): \(text(old)) → \(text(new))")
        }
    }

    private static func text(_ value: JSONValue?) -> String {
        guard let value else { return "nothing" }
        let text = String(decoding: value.canonical(), as: UTF8.self)
        return text.count <= 120 ? text : text.prefix(120) + "…"
    }
}
