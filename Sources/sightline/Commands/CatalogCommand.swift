import Foundation
import Messages
import Service

/// `sightline catalog info|verify|rebuild`.
enum CatalogCommand: Subcommand {
    static let name = "catalog"
    static let summary = "look into a catalog, verify it, or make its prints anew"
    static let usage = [
        "info [NAME] [--data DIR] [--json]",
        "verify [NAME] [--data DIR]",
    ]
    static let options: [CommandOption] = [.data, .json]
    static let details = """
        NAME is main unless it is given; info without one shows every catalog. All read the journal
        of --data, or a backup, beside a running server. verify checks that every picture, print and
        thumbnail is there and what its hash says, that prints can be read, and that relations lead
        somewhere; it exits with 1 if anything is wrong.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        let rest = Array(arguments.positionals.dropFirst())
        switch arguments.positionals.first {
        case "info" where rest.count <= 1: return try info(rest.first, arguments, environment)
        case "verify" where rest.count <= 1:
            return try verify(rest.first ?? CatalogName.main, arguments, environment)
        default: throw UsageError("'catalog' takes info [NAME] or verify [NAME]")
        }
    }

    private static func info(
        _ name: String?, _ arguments: Arguments, _ environment: [String: String]
    ) throws -> ExitStatus {
        let stored = try StoredCatalogs(data: arguments.dataFolder(environment))
        for name in name.map({ [$0] }) ?? stored.names {
            let summary = try stored.summary(of: name)
            print(
                arguments.isSet("json")
                    ? String(decoding: summary.json.canonical(), as: UTF8.self)
                    : text(summary, stored))
        }
        return .success
    }

    private static func text(_ summary: CatalogSummary, _ stored: StoredCatalogs) -> String {
        let types = summary.entities.sorted { $0.key < $1.key }.map { type, count in
            ["  \(type) \(summary.typeVersions[type] ?? 0)", "\(count)"]
        }
        let prints = summary.prints.sorted { $0.key < $1.key }.map { version, count in
            ["  prints \(version)", "\(count)"]
        }
        let rows =
            [["entities", "\(summary.entities.values.reduce(0, +))"]] + types
            + [["pictures", "\(summary.pictures)"], ["  source copies", "\(summary.sources)"]]
            + prints
        return Table(
            header: ["catalog", summary.name],
            rows: rows + [["position", stored.position.map { "\($0)" } ?? "none"]]
        ).text
    }

    private static func verify(
        _ name: String, _ arguments: Arguments, _ environment: [String: String]
    ) throws -> ExitStatus {
        let stored = try StoredCatalogs(data: arguments.dataFolder(environment))
        let result = try CatalogVerification(
            of: name, in: stored, progress: JournalCommand.bar("verifying \(name)"))
        for fault in result.faults { print("fault: \(TerminalText.escaped("\(fault)"))") }
        print(
            "checked \(result.entities) entities, \(result.blobs) blobs: "
                + (result.faultCount == 0 ? "no fault" : "\(result.faultCount) fault(s)"))
        return result.faultCount == 0 ? .success : .negative
    }
}
