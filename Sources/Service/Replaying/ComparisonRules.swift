public import Messages

/// What may differ between a recorded reply and a new one.
///
/// ```
/// [{"path": "[*].display.subtitle", "ignore": true},
///  {"service": "image.search", "path": "[*].distance", "tolerance": 2000}]
/// ```
/// A `*` in a path stands for any characters. Paths are written as a replay shows them.
public struct ComparisonRules: Sendable, Equatable {
    /// One rule.
    struct Rule: Sendable, Equatable {
        /// The only service that it is for; nil for all.
        let service: String?
        let path: String
        /// Numbers may differ by this much; nil if anything may differ.
        let tolerance: Double?
    }
    private let rules: [Rule]

    /// Nothing may differ.
    public static let none = ComparisonRules(rules: [])

    private init(rules: [Rule]) { self.rules = rules }

    /// Reads rules.
    ///
    /// - Throws: `ConfigurationError` that names the rule and what is allowed.
    public init(_ document: JSONValue) throws {
        guard let list = document.array, list.count <= Limits.comparisonRulesMax else {
            throw ConfigurationError(
                "rules are a JSON list of at most \(Limits.comparisonRulesMax) objects")
        }
        rules = try list.enumerated().map { try Self.rule($1, number: $0 + 1) }
    }

    private static func rule(_ value: JSONValue, number: Int) throws -> Rule {
        let known: Set<String> = ["service", "path", "ignore", "tolerance"]
        guard let members = value.object, known.isSuperset(of: members.keys),
            let path = members["path"]?.text
        else {
            throw ConfigurationError(
                "rule \(number) takes path, ignore or tolerance, and perhaps service")
        }
        let tolerance = members["tolerance"]?.double
        let ignores = members["ignore"]?.bool == true
        guard ignores != (tolerance != nil), tolerance ?? 0 >= 0,
            members["service"] == nil || members["service"]?.text != nil
        else {
            throw ConfigurationError(
                "rule \(number) takes either \"ignore\": true or a \"tolerance\" of at least 0")
        }
        return Rule(service: members["service"]?.text, path: path, tolerance: tolerance)
    }

    /// A difference is one that may be.
    package func allows(_ difference: JSONDifference, service: String) -> Bool {
        rules.contains { rule in
            guard rule.service == nil || rule.service == service,
                Self.matches(difference.path, rule.path)
            else { return false }
            guard let tolerance = rule.tolerance else { return true }
            guard let old = difference.old?.double, let new = difference.new?.double else {
                return false
            }
            return (old - new).magnitude <= tolerance
        }
    }

    /// A text has the form of a pattern in which `*` stands for any characters.
    package static func matches(_ text: String, _ pattern: String) -> Bool {
        let text = Array(text.utf8)
        let pattern = Array(pattern.utf8)
        let star = UInt8(ascii: "*")
        var (index, place) = (0, 0)
        var retry: (index: Int, place: Int)?
        while index < text.count {
            if place < pattern.count, pattern[place] == star {
                retry = (index, place)
                place += 1
            } else if place < pattern.count, pattern[place] == text[index] {
                index += 1
                place += 1
            } else if let last = retry {
                // The last star takes one character more.
                retry = (last.index + 1, last.place)
                (index, place) = (last.index + 1, last.place + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == star }
    }
}
