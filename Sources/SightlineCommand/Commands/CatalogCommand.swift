import Foundation
import Locking
import Messages
import Raster
import Service

/// `sightline catalog info|verify|rebuild`.
enum CatalogCommand: Subcommand {
    static let name = "catalog"
    static let summary = "look into a catalog, verify it, or make its prints anew"
    static let usage = [
        "info [NAME] [--data DIR] [--json]",
        "verify [NAME] [--data DIR]",
        "rebuild [--data DIR] [--connect ADDRESS] [--no-switch] [--drop-old] [--all]",
    ]
    static let options: [CommandOption] = [
        .data, .connect, .key, .serverKey, .json,
        .flag("no-switch", "make the prints, and let searches compare the others still"),
        .flag("drop-old", "then drop the prints of versions that are not compared"),
        .flag("all", "make all prints anew, not only those that are missing"),
    ]
    static var forms: CommandForms {
        [
            "info": ["data", "json"],
            "verify": ["data"],
            "rebuild": ["data", "connect", "key", "server-key", "no-switch", "drop-old", "all"],
        ]
    }
    static let details = """
        NAME is main unless it is given; info without one shows every catalog. All read the journal
        of --data, or a backup, beside a running server. verify checks that every picture, print and
        thumbnail is there and what its hash says, and that prints can be read; it exits with 1 if
        anything is wrong. A relation to a type that nothing was imported of yet is noted. rebuild makes the prints of this program's
        version that pictures of any catalog lack, on all cores, from the source copies in --data,
        beside those that there are. Once all are there, the deployment compares them from one
        position on: workers of the old version stop answering, those of the new one begin.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        let rest = Array(arguments.positionals.dropFirst())
        switch arguments.positionals.first {
        case "info" where rest.count <= 1: return try info(rest.first, arguments, environment)
        case "verify" where rest.count <= 1:
            return try verify(rest.first ?? CatalogName.main, arguments, environment)
        case "rebuild" where rest.isEmpty: return try await rebuild(arguments, environment)
        default: throw UsageError("'catalog' takes info [NAME], verify [NAME] or rebuild")
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
        for note in result.notes { print("note: \(TerminalText.escaped("\(note)"))") }
        for fault in result.faults { print("fault: \(TerminalText.escaped("\(fault)"))") }
        print(
            "checked \(result.entities) entities, \(result.blobs) blobs: "
                + (result.faultCount == 0 ? "no fault" : "\(result.faultCount) fault(s)"))
        return result.faultCount == 0 ? .success : .negative
    }

    private static func rebuild(
        _ arguments: Arguments, _ environment: [String: String]
    ) async throws -> ExitStatus {
        var options = PrintRebuild.Options()
        options.inFlight = max(options.inFlight, ProcessInfo.processInfo.activeProcessorCount)
        options.switches = !arguments.isSet("no-switch")
        options.dropsOthers = arguments.isSet("drop-old")
        options.remakesAll = arguments.isSet("all")
        DecoderProcesses.prepare()  // before this process grows
        StopRequest.listen()
        let data = arguments.dataFolder(environment)
        return try await arguments.withConnection { connection in
            let rebuild = PrintRebuild(data: data, connection: connection, options: options)
            let bars = Locked<ProgressBar?>(nil)
            let summary = try await rebuild.run(shouldStop: { StopRequest.isMade }) {
                done, total in
                bars.withLock { bar in
                    let shown = bar ?? ProgressBar(total: total, label: "making prints")
                    bar = shown
                    shown.show(done)
                    if done == total { shown.end() }
                }
            }
            write(summary)
            return summary.without == 0 && !summary.isStopped ? .success : .negative
        }
    }

    private static func write(_ summary: PrintRebuild.Summary) {
        var line = "made \(summary.made) prints of version \(summary.version)"
        if summary.dropped > 0 { line += ", dropped others of \(summary.dropped) entities" }
        print(line)
        if let position = summary.switched {
            print("searches compare \(summary.version) from position \(position) on")
        }
        if summary.without > 0 {
            Sightline.complain(
                "\(summary.without) pictures have none: their source copies are not there")
        }
        if summary.isStopped { Sightline.complain("stopped; the same command goes on") }
    }
}
