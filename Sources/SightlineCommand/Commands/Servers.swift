import Catalog
import Foundation
import Messages
import Raster
import Service

/// `sightline serve`.
enum Serve: Subcommand {
    static let name = "serve"
    static let summary = "run router, journal and a worker in one process"
    static let usage = ["[--listen ADDRESS] [--data DIR] [--record DIR]"]
    static let options: [CommandOption] =
        [
            .value(
                "listen", "ADDRESS",
                "the client endpoint (default 127.0.0.1:5570); workers reach the next port, the journal the one after"
            ),
            .data, .lanes, .snapshotEvery, .history, .routeScheme, .key, .allowed, .trustNetwork,
            .hedges, .weight,
        ] + RecordingArguments.options

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(0...0, "no argument")
        var options = try arguments.serverOptions(environment)
        options.name = "embedded"
        DecoderProcesses.prepare()  // before this process grows
        options.serverKeys = try arguments.serverKeys(environment)
        options.jobs = options.data + "/jobs"
        return try runServer(options, arguments, Server.serve) {
            "serving on \(options.listen); data in \(options.data)"
        }
    }
}

/// `sightline router`.
enum RunRouter: Subcommand {
    static let name = "router"
    static let summary = "run a router: accepts requests, merges, replies at the deadline"
    static let usage = [
        "[--listen ADDRESS] [--journal ADDRESS] [--data DIR] [--record DIR]"
    ]
    static let options: [CommandOption] =
        [
            .value(
                "listen", "ADDRESS",
                "the client endpoint (default 127.0.0.1:5570); workers reach the next port"),
            .value(
                "data", "DIR",
                "where detached requests are kept, to outlive the router (default nowhere)"),
            .journal, .key, .allowed, .journalKey, .trustNetwork, .hedges, .weight,
        ] + RecordingArguments.options

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(0...0, "no argument")
        var options = try arguments.serverOptions(environment)
        options.serverKeys = try arguments.serverKeys(environment)
        options.journalKeys = try arguments.journalKeys(ofRouterWith: options.serverKeys)
        options.jobs = arguments["data"].map { $0 + "/jobs" }
        return try runServer(options, arguments, Server.router) {
            "router on \(options.listen), workers on \(options.listen.advanced(by: 1))"
        }
    }
}

/// `sightline worker`.
enum RunWorker: Subcommand {
    static let name = "worker"
    static let summary = "run a worker: holds a replica, matches pictures, answers services"
    static let usage = ["[--connect ADDRESS]… [--journal ADDRESS] [--data DIR] [--name NAME]"]
    static let options: [CommandOption] = [
        .value(
            "connect", "ADDRESS", repeats: true,
            "a router's worker endpoint (default 127.0.0.1:5571)"),
        .journal, .key, .serverKey, .journalKey, .data, .lanes, .type, .slots,
        .routeScheme,
        .value(
            "service", "SERVICE", repeats: true,
            "offer only this service, and follow only what it needs (default all)"),
        .value(
            "name", "NAME", "unique in the deployment; names the replica's folder (default worker)"),
    ]

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(0...0, "no argument")
        var options = try arguments.serverOptions(environment)
        options.slots = try arguments.slots()
        guard options.slots == nil || options.types == nil else {
            throw UsageError("a worker covers types (--type) or slots (--slots), not both")
        }
        options.routerKeys = try arguments.connectionKeys()
        options.journalKeys = try arguments.journalKeysOfWorker()
        let routers = arguments.values("connect")
        if !routers.isEmpty {
            options.routers = try routers.map {
                try Endpoint($0, defaultPort: Endpoint.workerPort)
            }
        }
        DecoderProcesses.prepare()  // before this process grows
        return try runServer(options, arguments, Server.worker) {
            "worker '\(options.name)' for \(options.routers.map(\.description).joined(separator: ", "))"
        }
    }
}

extension CommandOption {
    static let slots = value(
        "slots", "FIRST-LAST",
        "match only the entities of these of the catalog's \(Limits.catalogSlots) slots, as 0-31 (default all)"
    )
    static let routeScheme = value(
        "route-scheme", "NAME", repeats: true,
        "a scheme that open-intent routes may have besides https, sightline and those with a period"
    )
    static let snapshotEvery = value(
        "snapshot-every", "N",
        "make a snapshot once N records stand behind the newest one (default \(Limits.snapshotRecords))"
    )
    static let history = value(
        "history", "DAYS",
        "days of the past that are kept once a snapshot holds it (default 7)")
    static let hedges = value(
        "hedges-per-thousand", "N",
        "second attempts for 1,000 requests, of those that take long (default \(Limits.hedgesPerThousand))"
    )
    static let weight = value(
        "weight", "KEY=N", repeats: true,
        "turns of a fairness key where others have one, 1 to \(Limits.fairnessWeightMax)")
    static let journal = value(
        "journal", "ADDRESS", "the journal's endpoint (default 127.0.0.1:5572)")
}

extension Arguments {
    /// What the server subcommands have in common.
    func serverOptions(_ environment: [String: String]) throws -> ServerOptions {
        var options = ServerOptions(data: dataFolder(environment))
        options.listen = try Endpoint(
            self["listen"] ?? "127.0.0.1", defaultPort: Endpoint.clientPort)
        options.journal = try Endpoint(
            self["journal"] ?? "127.0.0.1", defaultPort: Endpoint.journalPort)
        options.record = self["record"]
        options.recording = try RecordingArguments.options(of: self)
        options.lanes =
            try integer("lanes", in: 1...64) ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
        options.name = self["name"] ?? "worker"
        options.types = types
        let services = values("service")
        if let unknown = services.first(where: { !ServiceName.all.contains($0) }) {
            let known = ServiceName.all.joined(separator: ", ")
            throw UsageError("there is no service '\(unknown)'; there are \(known)")
        }
        options.services = services.isEmpty ? nil : services
        options.routeSchemes = try values("route-scheme").map { name in
            guard RouteSchemes.isScheme(name) else {
                throw UsageError(
                    "--route-scheme takes a letter, then letters, digits and '+.-', not '\(name)'")
            }
            return name
        }
        options.snapshotRecords =
            try integer("snapshot-every", in: 1...1_000_000_000) ?? options.snapshotRecords
        options.historyDays = try integer("history", in: 0...36_500) ?? options.historyDays
        options.trustsNetwork = isSet("trust-network")
        options.hedgesPerThousand =
            try integer("hedges-per-thousand", in: 0...1_000).map { UInt32($0) }
            ?? options.hedgesPerThousand
        options.fairnessWeights = try weights()
        return options
    }

    private func weights() throws -> [String: UInt32] {
        var weights: [String: UInt32] = [:]
        for text in values("weight") {
            // The key may hold an equals sign, the weight cannot.
            guard let place = text.lastIndex(of: "="), place > text.startIndex,
                let weight = UInt32(text[text.index(after: place)...]),
                (1...Limits.fairnessWeightMax).contains(weight)
            else {
                throw UsageError(
                    "--weight takes KEY=N with N from 1 to \(Limits.fairnessWeightMax), not '\(text)'"
                )
            }
            weights[String(text[..<place])] = weight
        }
        return weights
    }
}

/// Runs a server until SIGTERM or SIGINT, then drains it; a second signal ends it at once. With keys
/// SIGHUP reads the list of those that are allowed again.
func runServer(
    _ options: ServerOptions, _ arguments: Arguments,
    _ start: (ServerOptions, Log) throws -> Server, announcing line: () -> String
) throws -> ExitStatus {
    OpenFiles.raiseLimit()
    let signals = StopSignals(takesHangup: options.serverKeys != nil)
    let server = try start(options, arguments.log(default: .info))
    // Not through print, whose buffer would keep the line from a waiting script.
    FileHandle.standardOutput.write(Data("sightline: \(line())\n".utf8))
    signals.whenReceived(
        stop: { server.drain() }, hangup: { server.reloadKeys() })
    server.join()
    return .success
}
