import Foundation
import Service

/// `sightline journal`, and `sightline journal info|verify|backup|restore|compact`.
enum JournalCommand: Subcommand {
    static let name = "journal"
    static let summary = "run the journal, or look into, verify, copy or compact one"
    static let usage = [
        "[--listen ADDRESS] [--data DIR]",
        "info [--data DIR] [--json]",
        "verify [BACKUP] [--data DIR] [--json]",
        "backup DIR [--data DIR] [--keys FILE]",
        "restore BACKUP [--data DIR] [--keys FILE] [--up-to-damage]",
        "compact [--data DIR] [--history DAYS]",
    ]
    static let options: [CommandOption] = [
        .value("listen", "ADDRESS", "the journal's endpoint (default 127.0.0.1:5572)"),
        .data, .snapshotEvery, .history, .json, .key, .allowed, .trustNetwork,
        .value("keys", "FILE", "the file of the accounts' keys, beside a backup and never in it"),
        .flag("up-to-damage", "restore what a damaged backup still has"),
    ]
    static var forms: CommandForms {
        [
            "": ["listen", "data", "snapshot-every", "history", "key", "allowed", "trust-network"],
            "info": ["data", "json"],
            "verify": ["data", "json"],
            "backup": ["data", "keys"],
            "restore": ["data", "keys", "up-to-damage"],
            "compact": ["data", "history"],
        ]
    }
    static let details = """
        Without a verb it runs the journal: every change is on the disk before it is acknowledged.
        info, verify and backup read beside a running journal; restore takes an empty data folder
        and makes a journal of a new epoch; compact wants that no journal runs on the folder.
        verify exits with 1 if anything is not as it was written.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        let rest = Array(arguments.positionals.dropFirst())
        let data = absolute(arguments.dataFolder(environment))
        let folder = "\(data)/journal"
        switch arguments.positionals.first {
        case nil: return try serve(arguments, environment)
        case "info" where rest.isEmpty: return try info(folder, arguments)
        case "verify" where rest.count <= 1:
            return try verify(rest.first.map(absolute) ?? folder, arguments)
        case "backup" where rest.count == 1:
            return try backup(folder, to: absolute(rest[0]), arguments)
        case "restore" where rest.count == 1:
            return try restore(absolute(rest[0]), to: data, arguments)
        case "compact" where rest.isEmpty: return try compact(folder, arguments)
        default:
            throw UsageError(
                "'journal' takes nothing, info, verify [BACKUP], backup DIR, restore BACKUP or compact"
            )
        }
    }

    private static func serve(
        _ arguments: Arguments, _ environment: [String: String]
    ) throws -> ExitStatus {
        var options = try arguments.serverOptions(environment)
        options.serverKeys = try arguments.serverKeys(environment)
        options.journal = try Endpoint(
            arguments["listen"] ?? "127.0.0.1", defaultPort: Endpoint.journalPort)
        return try runServer(options, arguments, Server.journal) {
            "journal on \(options.journal); data in \(options.data)"
        }
    }

    private static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }

    /// A bar for something long whose total is known only when it begins.
    static func bar(_ label: String) -> (_ done: Int, _ total: Int) -> Void {
        var bar: ProgressBar?
        return { done, total in
            let shown = bar ?? ProgressBar(total: total, label: label)
            bar = shown
            shown.show(done)
            if done == total { shown.end() }
        }
    }
}
