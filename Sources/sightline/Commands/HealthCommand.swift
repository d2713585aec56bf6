import Foundation
import Messages
import Service

/// `sightline health push|query|access`.
enum HealthCommand: Subcommand {
    static let name = "health"
    static let summary = "push health readings of an account, state its access, or list them"
    static let usage = [
        "push ACCOUNT HEALTHSTORE FILE.jsonl…",
        "query ACCOUNT [--kind KIND…] [--unit UNIT…] [--from INSTANT] [--to INSTANT] [--json]",
        "access ACCOUNT STATUS",
    ]
    static let options: [CommandOption] =
        [.connect, .key, .serverKey, .deadline, .json, .asOf]
        + StoreCommands.pushOptions("health store") + [
            .value("anchor", "TEXT", "push: the anchor from which the producer goes on"),
            .value("kind", "KIND", repeats: true, "query: readings of this kind (default all)"),
            .value("unit", "UNIT", repeats: true, "query: the unit wanted (default as given)"),
            .value("from", "INSTANT", "query: readings that began then or later"),
            .value("to", "INSTANT", "query: readings that began before"),
            .value("limit", "N", "query: readings at most, the newest (default 10000)"),
        ]
    static let details = """
        STATUS is \(StoreCommands.statuses(.health)). 'unknown' is for stores that never say whether
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
        let rest = Array(arguments.positionals.dropFirst())
        switch arguments.positionals.first {
        case "push" where rest.count >= 2:
            return try await push(rest[0], rest[1], Array(rest.dropFirst(2)), arguments)
        case "query" where rest.count == 1: return try await query(rest[0], arguments)
        case "access" where rest.count == 2:
            return try await StoreCommands.setAccess(
                HealthStore.self, rest[0], rest[1], arguments)
        default:
            throw UsageError(
                "'health' takes push ACCOUNT HEALTHSTORE FILE.jsonl…, query ACCOUNT or "
                    + "access ACCOUNT STATUS")
        }
    }

    private static func push(
        _ account: String, _ store: String, _ files: [String], _ arguments: Arguments
    ) async throws -> ExitStatus {
        var change = try StoreCommands.change(HealthStore.self, store, arguments)
        change.token = arguments["anchor"]
        var refused = 0
        for path in files {
            let bytes = try readFile(path, bytesMax: Limits.readingFileBytesMax)
            for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
                .enumerated() where line.contains(where: { $0 > 0x20 })
            {
                do {
                    let value = try JSONValue(parsing: Array(line))
                    _ = try HealthReading(parsing: value)
                    change.put.append(try HealthStore.text(of: value, at: "the reading"))
                } catch {
                    refused += 1
                    Sightline.complain(
                        TerminalText.escaped("'\(path)' line \(number + 1): \(error)"))
                }
            }
        }
        guard !change.put.isEmpty || !change.remove.isEmpty || change.reset else {
            return StoreCommands.told(0, "reading", removed: 0, refused: refused, at: nil)
        }
        let position = try await StoreCommands.push(change, account, arguments)
        return StoreCommands.told(
            change.put.count, "reading", removed: change.remove.count, refused: refused,
            at: position)
    }

    private static func query(
        _ account: String, _ arguments: Arguments
    ) async throws -> ExitStatus {
        let query = HealthQuery(
            kinds: try words("kind", arguments), from: try instant("from", arguments),
            to: try instant("to", arguments), units: try words("unit", arguments) ?? [])
        var message = Message.request(
            ServiceName.healthQuery, query.json, budgetMilliseconds: try arguments.deadline())
        message.fields.set(.account, text: account)
        // What the owner allows is an item too.
        let limit = try arguments.integer("limit", in: 1...Limits.resultsMax - 1)
        message.fields.set(.limit, integer: UInt32((limit ?? Limits.resultsMax - 1) + 1))
        message.fields.asOf = try arguments.asOf()
        return try await arguments.withConnection { connection in
            let reply = try await connection.request(message)
            if arguments.isSet("json") {
                print(String(decoding: ReplyText.json(reply).canonical(), as: UTF8.self))
            } else {
                print(HealthText.table(reply))
            }
            return reply.isComplete ? .success : .negative
        }
    }

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
