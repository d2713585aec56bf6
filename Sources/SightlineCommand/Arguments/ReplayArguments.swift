import Foundation
import Journal
import Messages
import Service

/// The options of `replay`.
enum ReplayArguments {
    static let options: [CommandOption] = [
        .value(
            "data", "DIR",
            "the data folder of the server that recorded (default $XDG_DATA_HOME/sightline)"),
        .value("to", "ADDRESS", "a running server that answers instead"),
        .key, .serverKey,
        .value("workers", "N", "workers of the embedded instance (default 1)"),
        .value(
            "speed", "N x|max",
            "1x for the recorded pace, 10x, or any number with x; max is as fast as possible (default max)"
        ),
        .value(
            "max-wait", "DURATION",
            "wait no longer for a pause in the recording, such as 5s (default 10m)"),
        .value(
            "from", "#N|INSTANT|OFFSET",
            "begin at this number, instant or time since the start, such as #12 or 90s"),
        .value("until", "#N|INSTANT|OFFSET", "end there"),
        .value("service", "SERVICE", repeats: true, "only requests for this service (default all)"),
        .value("window", "N", "requests in flight at full speed (default 16)"),
        .flag("deadlines", "keep the recorded budgets (default: a minute for each)"),
        .flag("step", "ask before each request"),
        .value("rules", "FILE", "what may differ, as JSON"),
        .flag("noise", "run each request twice and leave out what differs by itself"),
        .value("baseline", "ADDRESS", "the old version, for --noise"),
        .value(
            "attachments-from", "DIR",
            "pictures that were recorded as hashes, in files named by hash"),
        .value("keys", "FILE", "the keys of accounts (default: those of --data)"),
        .value("out", "FILE", "write the replies there, a line each"),
        .value("junit", "FILE", "write the result there as JUnit XML"),
        .json,
    ]

    /// How to replay.
    ///
    /// - Throws: `UsageError` or `ConfigurationError` that names what is allowed.
    static func options(of arguments: Arguments) throws -> ReplayOptions {
        var options = ReplayOptions()
        options.selection.from = try bound("from", arguments)
        options.selection.until = try bound("until", arguments)
        options.selection.services = Set(arguments.values("service"))
        options.pace = try pace(arguments)
        let inFlightMax = Limits.inFlightPerClientMax
        options.window =
            try arguments.integer("window", in: 1...inFlightMax)
            ?? (options.pace == nil ? Limits.replayWindowDefault : inFlightMax)
        if arguments.isSet("step") { options.window = 1 }
        options.keepsDeadlines = arguments.isSet("deadlines")
        options.findsNoise = arguments.isSet("noise")
        guard options.findsNoise || arguments["baseline"] == nil else {
            throw UsageError("--baseline is for --noise")
        }
        options.attachments = arguments["attachments-from"]
        options.connectionKeys = try arguments.connectionKeys()
        if let folder = options.attachments, !Arguments.isFolder(folder) {
            throw ConfigurationError("there is no folder '\(folder)' for --attachments-from")
        }
        try checkFilesDiffer(arguments)
        if let file = arguments["rules"] { options.rules = try rules(file) }
        return options
    }

    /// Who answers.
    static func target(
        _ arguments: Arguments, _ environment: [String: String]
    ) throws -> ReplayRunner.Against {
        let workers = try arguments.integer("workers", in: 1...Limits.replayWorkersMax)
        if let endpoint = try endpoint("to", arguments) {
            guard workers == nil else {
                throw UsageError("--workers is for the embedded instance, not for --to")
            }
            return .server(endpoint)
        }
        return .journal(data: arguments.dataFolder(environment), workers: workers ?? 1)
    }

    static func endpoint(_ option: String, _ arguments: Arguments) throws -> Endpoint? {
        try arguments[option].map { try Endpoint($0, defaultPort: Endpoint.clientPort) }
    }

    static func keys(_ arguments: Arguments, _ environment: [String: String]) throws -> Keyring {
        if arguments["to"] != nil { return try arguments.accountKeys() }
        return try arguments.accountKeys(data: arguments.dataFolder(environment))
    }

    /// A place in a recording that `--from` or `--until` names; nil if the option is not given.
    static func bound(_ option: String, _ arguments: Arguments) throws -> ReplaySelection.Bound? {
        guard let text = arguments[option] else { return nil }
        if text.hasPrefix("#"), let number = UInt64(text.dropFirst()) { return .number(number) }
        if let instant = InstantText.parse(text) { return .time(instant) }
        if let nanoseconds = duration(text) { return .offset(nanoseconds) }
        throw UsageError(
            "--\(option) takes a number such as #12, an instant such as 2026-12-05T19:00:00Z or a time since the start such as 90s, not '\(text)'"
        )
    }

    private static func pace(_ arguments: Arguments) throws -> ReplayPace? {
        let waitMax = try arguments["max-wait"].map { text in
            guard let nanoseconds = duration(text) else {
                throw UsageError("--max-wait takes a duration such as 500ms or 5s, not '\(text)'")
            }
            return nanoseconds
        }
        let text = arguments["speed"] ?? "max"
        guard text != "max" else { return nil }
        guard text.hasSuffix("x"), let speed = Double(text.dropLast()), speed > 0, speed <= 1e6
        else {
            throw UsageError(
                "--speed takes max or a number with x such as 1x or 10x, not '\(text)'")
        }
        guard let waitMax else { return ReplayPace(speed: speed) }
        return ReplayPace(speed: speed, waitNanosecondsMax: waitMax)
    }

    /// Nanoseconds of a duration such as `300ms`, `2s`, `5m` or `1h`; nil for anything else.
    private static func duration(_ text: String) -> UInt64? {
        let digits = text.prefix { $0.isNumber || $0 == "." }
        let factors = ["ms": 1e6, "s": 1e9, "m": 60e9, "h": 3_600e9]
        guard let number = Double(digits), number >= 0,
            let factor = factors[String(text.dropFirst(digits.count))], number * factor < 1e18
        else { return nil }
        return UInt64(number * factor)
    }

    private static func rules(_ file: String) throws -> ComparisonRules {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw ConfigurationError("cannot read the rules '\(file)'")
        }
        do {
            return try ComparisonRules(try JSONValue(parsing: Array(data)))
        } catch {
            throw ConfigurationError("the rules '\(file)': \(error)")
        }
    }

    private static func checkFilesDiffer(_ arguments: Arguments) throws {
        guard let out = arguments["out"], let junit = arguments["junit"] else { return }
        func place(_ path: String) -> String {
            URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
        }
        guard place(out) != place(junit) else {
            throw UsageError("--out and --junit take a file each, and both name '\(junit)'")
        }
    }
}
