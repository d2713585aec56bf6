import Foundation
import Messages
import Service

/// `sightline health push|query|access`.
enum HealthCommand: StoreCommand {
    typealias Definition = HealthStore
    static let noun = "reading"
    static let tokenOption = "anchor"
    static let name = "health"
    static let summary = "push health readings of an account, state its access, or list them"
    static let usage = [
        "push ACCOUNT HEALTHSTORE FILE.jsonl…",
        "query ACCOUNT [--kind KIND…] [--unit UNIT…] [--from INSTANT] [--to INSTANT] [--follow]",
        "access ACCOUNT STATUS",
    ]
    static let options: [CommandOption] =
        [.connect, .key, .serverKey, .deadline, .json, .asOf] + pushOptions("health store")
        + queryOptions + [
            .value("kind", "KIND", repeats: true, "query: readings of this kind (default all)"),
            .value("unit", "UNIT", repeats: true, "query: the unit wanted (default as given)"),
            .value("from", "INSTANT", "query: readings that began then or later"),
            .value("to", "INSTANT", "query: readings that began before"),
            .value("limit", "N", "query: readings at most, the newest (default 10000)"),
        ]
    static var forms: CommandForms {
        [
            "push": Arguments.connection.union(pushOptionNames),
            "query": Arguments.connection.union([
                "json", "as-of", "follow", "kind", "unit", "from", "to", "limit",
            ]),
            "access": Arguments.connection,
        ]
    }
    static let details = """
        STATUS is \(statuses). 'unknown' is for stores that never say whether
        readings may be read: what came is shown, and that there may be more. Nothing is kept for an
        account that grants neither that nor full access, and losing access removes what was kept.
        KIND is bloodPressure, bloodGlucose or heartRate. UNIT is \(
            HealthUnit.allCases.map(\.rawValue).joined(separator: ", ")).
        'push' reads a reading a line, as schemas/bodies/health.change.schema.json has them. What
        cannot be read is said on standard error, and the rest is pushed; exit status 1 then.
        'query' lists readings, the newest first. What can hardly be true is flagged, never changed.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        if let status = try await runVerb(arguments) { return status }
        throw UsageError(
            "'health' takes push ACCOUNT HEALTHSTORE FILE.jsonl…, query ACCOUNT or "
                + "access ACCOUNT STATUS")
    }

    /// A reading a line. Only what can be no entry of a change is refused here: what it says is for
    /// the server, which answers with what of it does not count.
    static func read(_ path: String, into entries: inout PushedEntries) throws {
        let bytes = try readFile(path, bytesMax: Limits.readingFileBytesMax)
        for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .enumerated() where line.contains(where: { $0 > 0x20 })
        {
            let place = "'\(path)' line \(number + 1)"
            do {
                let value = try JSONValue(parsing: Array(line))
                entries.add(try HealthStore.text(of: value, at: "the reading"), from: place)
            } catch {
                entries.refuse(place, "\(error)")
            }
        }
    }

    static func question(_ arguments: Arguments) throws -> Message? {
        let query = HealthQuery(
            kinds: try words("kind", arguments), from: try instant("from", arguments),
            to: try instant("to", arguments), units: try words("unit", arguments) ?? [])
        var message = Message.request(
            ServiceName.healthQuery, query.json, budgetMilliseconds: try arguments.deadline())
        // What the owner allows is an item too.
        let limit = try arguments.integer("limit", in: 1...Limits.resultsMax - 1)
        message.fields.set(.limit, integer: UInt32((limit ?? Limits.resultsMax - 1) + 1))
        message.fields.asOf = try arguments.asOf()
        return message
    }

    static func text(_ items: [JSONValue]) -> String { HealthText.table(items) }

    private static func words<Word: RawRepresentable & CaseIterable>(
        _ option: String, _ arguments: Arguments
    ) throws -> [Word]? where Word.RawValue == String {
        let texts = arguments.values(option)
        guard !texts.isEmpty else { return nil }
        return try texts.map { text in
            guard let word = Word(rawValue: text) else {
                let allowed = Word.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("--\(option) takes one of \(allowed), not '\(text)'")
            }
            return word
        }
    }

    private static func instant(_ option: String, _ arguments: Arguments) throws -> Int? {
        guard let text = arguments[option] else { return nil }
        guard let instant = InstantText.parse(text) else {
            throw UsageError(
                "--\(option) takes an instant such as 2026-12-05T19:00:00Z, not '\(text)'")
        }
        return Int(instant.milliseconds)
    }
}
