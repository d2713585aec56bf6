import Messages
import Service

/// `sightline replay`.
enum Replay: Subcommand {
    static let name = "replay"
    static let summary = "answer recorded requests again and compare the replies"
    static let usage = ["DIR [--data DIR] [--json]"]
    static let options: [CommandOption] = [
        .value(
            "data", "DIR",
            "the data folder of the server that recorded; it may be running, and is only read (default $XDG_DATA_HOME/sightline)"
        ),
        .json,
    ]
    static let details = """
        DIR is what 'serve --record DIR' or 'router --record DIR' wrote. Each request is answered
        at its recorded position and for its recorded instant, with no deadline. Recorded replies
        that were incomplete are listed and not compared.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(1...1, "one DIR")
        let runner = try ReplayRunner(
            log: arguments.positionals[0], data: arguments.dataFolder(environment),
            arguments.log(default: .warning))
        let isJSON = arguments.isSet("json")
        let summary = await runner.run { request, outcome in
            if !isJSON { show(request, outcome) }
        }
        runner.stop()
        if isJSON {
            print(String(decoding: json(summary).canonical(), as: UTF8.self))
        } else {
            print(
                "replayed \(runner.count): \(summary.same) same, \(summary.different) different, "
                    + "\(summary.failed) failed, \(summary.notCompared) not compared")
        }
        return summary.different + summary.failed == 0 ? .success : .negative
    }

    private static func show(_ request: RecordedRequest, _ outcome: ReplayRunner.Outcome) {
        let title = "#\(request.number) \(request.service)"
        switch outcome {
        case .same: break
        case .different(let lines):
            print("\(title): different")
            for line in lines { print("  \(line)") }
        case .notCompared(let reason): print("\(title): not compared, \(reason)")
        case .failed(let reason): print("\(title): failed, \(reason)")
        }
    }

    private static func json(_ summary: ReplaySummary) -> JSONValue {
        .object([
            "same": .integer(summary.same), "different": .integer(summary.different),
            "failed": .integer(summary.failed), "notCompared": .integer(summary.notCompared),
        ])
    }
}
