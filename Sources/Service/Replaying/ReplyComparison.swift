import Messages

/// How a new reply differs from a recorded one, by what the wire calls canonical.
struct ReplyComparison {
    /// What differs and may not.
    private(set) var differences: [JSONDifference] = []
    /// Differences that a rule allows, or that are noise.
    private(set) var allowed = 0

    /// Compares outcome, layout, attachments and body, field by field.
    ///
    /// `noise` names fields that differ between two runs of the same version.
    init(
        recorded: Message, new: Message, service: String, rules: ComparisonRules,
        noise: Set<String> = []
    ) {
        for difference in Self.all(from: recorded, to: new) {
            if noise.contains(difference.field) || rules.allows(difference, service: service) {
                allowed += 1
            } else {
                differences.append(difference)
            }
        }
    }

    /// Every difference.
    static func all(from old: Message, to new: Message) -> [JSONDifference] {
        var found: [JSONDifference] = []
        func compare(_ name: String, _ value: (Message) -> JSONValue) {
            let (left, right) = (value(old), value(new))
            guard left != right else { return }
            found.append(JSONDifference(path: name, old: left, new: right))
        }
        compare("outcome") { .string(LoggedExchange.outcome(of: $0)) }
        guard found.isEmpty else { return found }
        compare("layout") { .string($0.fields[.layout] == [1] ? "single" : "grid") }
        compare("attachments") {
            .array($0.fields.attachmentHashes.map { .string("\($0)") })
        }
        guard old.body != new.body else { return found }
        return found + bodies(old.body, new.body)
    }

    private static func bodies(_ old: [UInt8], _ new: [UInt8]) -> [JSONDifference] {
        do {
            let differences = JSONDifference.all(
                from: try JSONValue(parsing: old), to: try JSONValue(parsing: new))
            // The same document in other bytes is a fault too: bodies are canonical.
            guard differences.isEmpty else { return differences }
        } catch {
            // No JSON on one side: the bytes themselves are what differs.
        }
        return [
            JSONDifference(
                path: "body", old: .string(String(decoding: old, as: UTF8.self)),
                new: .string(String(decoding: new, as: UTF8.self)))
        ]
    }
}
