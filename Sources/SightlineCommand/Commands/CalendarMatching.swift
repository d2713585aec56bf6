import Calendar
import Foundation
import Messages
import Service

/// `sightline calendar match`: which names stand in titles, and why.
struct CalendarMatching {
    /// How names are looked for.
    enum Mode: String, CaseIterable {
        case contains, names
    }

    /// A name that a title holds in some way.
    private struct Finding {
        let name: String
        let isMatch: Bool
        /// One word or two for what decided.
        let reasons: [String]
        let written: String?
    }

    private let titles: [String]
    private let names: [String]
    private let mode: Mode
    private let locale: String?
    private let isJSON: Bool
    private let evidence: MatchEvidence

    /// - Throws: `UsageError` for a missing or unreadable option.
    init(_ titles: [String], _ arguments: Arguments) throws {
        guard let path = arguments["names"] else {
            throw UsageError("'calendar match' takes --names FILE, with a name a line")
        }
        let modeName = arguments["mode"] ?? Mode.names.rawValue
        guard let mode = Mode(rawValue: modeName) else {
            throw UsageError("--mode takes contains or names, not '\(modeName)'")
        }
        self.mode = mode
        self.titles = titles == ["-"] ? try Self.standardInput() : titles
        names = Self.lines(try readFile(path, bytesMax: Limits.matchNamesBytesMax))
        guard names.count <= Limits.matchNamesMax else {
            throw UsageError(
                "'\(path)' has \(names.count) names; at most \(Limits.matchNamesMax) are allowed")
        }
        locale = arguments["locale"]
        isJSON = arguments.isSet("json")
        evidence = MatchEvidence(isAtVenue: arguments.isSet("at-venue"))
    }

    /// Looks and prints; the answer is no where no title holds a name.
    func run() -> ExitStatus {
        let findings = mode == .names ? byNames() : byContent()
        if isJSON {
            print(String(decoding: json(findings).canonical(), as: UTF8.self))
        } else {
            print(table(findings))
        }
        return findings.contains { $0.contains(where: \.isMatch) } ? .success : .negative
    }

    // MARK: Modes

    private func byNames() -> [[Finding]] {
        let index = NameIndex(names: names)
        return titles.map { title in
            index.explained(in: title, evidence: evidence).map { match in
                let name = names[match.id]
                let comparison = match.comparison(of: name, in: title)
                let decisive = match.rejection?.rawValue ?? match.signal?.rawValue
                return Finding(
                    name: name, isMatch: match.isMatch,
                    reasons: [comparison.rawValue] + (decisive.map { [$0] } ?? []),
                    written: match.written(in: title))
            }
        }
    }

    private func byContent() -> [[Finding]] {
        let matcher = NameMatcher(names: names, locale: locale)
        return titles.map { title in
            matcher.matches(title: title).map { index in
                Finding(
                    name: names[index], isMatch: true,
                    reasons: [title.contains(names[index]) ? "exact" : "caseFolded", "contained"],
                    written: nil)
            }
        }
    }

    // MARK: Output

    private func table(_ findings: [[Finding]]) -> String {
        let rows = zip(titles, findings).flatMap { title, found in
            found.map {
                [title, $0.name, $0.isMatch ? "yes" : "no", $0.reasons.joined(separator: ", ")]
            }
        }
        guard !rows.isEmpty else { return "no name" }
        return Table(header: ["title", "name", "match", "why"], rows: rows).text
    }

    private func json(_ findings: [[Finding]]) -> JSONValue {
        .object([
            "mode": .string(mode.rawValue),
            "titles": .array(
                zip(titles, findings).map { title, found in
                    .object([
                        "title": .string(title),
                        "matches": .array(found.filter(\.isMatch).map(json)),
                        "refused": .array(found.filter { !$0.isMatch }.map(json)),
                    ])
                }),
        ])
    }

    private func json(_ finding: Finding) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(finding.name), "why": .array(finding.reasons.map(JSONValue.string)),
        ]
        if let written = finding.written { members["written"] = .string(written) }
        return .object(members)
    }

    // MARK: Input

    private static func standardInput() throws -> [String] {
        let bytes =
            try FileHandle.standardInput.read(upToCount: Limits.matchNamesBytesMax) ?? Data()
        return lines([UInt8](bytes))
    }

    /// Lines without spaces around them; empty ones are left out.
    private static func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
