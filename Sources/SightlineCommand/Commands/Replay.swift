import Foundation
import Journal
import Messages
import Service

/// `sightline replay`.
enum Replay: Subcommand {
    static let name = "replay"
    static let summary = "answer recorded requests again and compare the replies"
    static let usage = [
        "DIR [--data DIR] [--workers N] [--speed 1x|10x|max] [--junit FILE]",
        "DIR --to ADDRESS [--noise] [--baseline ADDRESS] [--rules FILE]",
    ]
    static let options = ReplayArguments.options
    static let details = """
        DIR is what 'serve --record DIR' or 'router --record DIR' wrote. Each request is answered
        for its recorded instant, by default by an embedded instance on the journal of --data,
        which is only read and may be in use: then exactly at the recorded position, with the
        records between two requests applied in their place. With --to a running server answers
        from what it has now; it must be on loopback to obey the recorded instant.

        Bodies are compared field by field, and outcome, layout and attachments. --rules names
        what may differ, in a JSON list such as
          [{"path": "[*].display.subtitle", "ignore": true},
           {"service": "image.search", "path": "[*].distance", "tolerance": 2000}]
        with paths as they are shown and * for any characters. --noise runs each request twice,
        against --baseline if it is given, and leaves out what differs between the two.

        Replies that were incomplete when recorded are listed and not compared: what was missing
        may take the place of what was there. So are status and search.continue, which depend on
        the running router, errors that depend on load, and requests whose pictures were not
        recorded, or whose positions are no longer in the journal. Exchanges of accounts whose key
        is gone are counted as erased. The exit status is 1 if a reply differs or is missing, if
        nothing was compared, or if the recording is damaged or ends in a torn write.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(1...1, "one DIR")
        let folder = arguments.positionals[0]
        let options = try ReplayArguments.options(of: arguments)
        let steps = arguments.isSet("step")
        guard !steps || isatty(STDIN_FILENO) == 1 else {
            throw UsageError("--step asks on a terminal, and this is none")
        }
        let report = try ReplayReport(arguments)
        do {
            // Opened here only for what it says of a folder that holds none.
            _ = try arguments.messageLog(folder)
            let runner = try await ReplayRunner(
                log: folder, keys: try ReplayArguments.keys(arguments, environment),
                against: try ReplayArguments.target(arguments, environment),
                baseline: try ReplayArguments.endpoint("baseline", arguments), options: options,
                arguments.log(default: .warning))
            defer { runner.stop() }
            return try await run(runner, report, steps: steps)
        } catch {
            try report.fail("\(error)")
            throw error
        }
    }

    private static func run(
        _ runner: ReplayRunner, _ report: ReplayReport, steps: Bool
    ) async throws -> ExitStatus {
        let bar = ProgressBar(total: runner.count, label: "replay")
        var done = 0
        let summary = try await runner.run(
            goesOn: { number, service in !steps || asks(number, service) },
            { exchange in
                try report.add(exchange)
                done += 1
                if !steps { bar.show(done) }
            })
        bar.end()
        try report.finish(summary, end: runner.unreadableEnd)
        return summary.isGood && runner.unreadableEnd == nil ? .success : .negative
    }

    /// Return sends the request, q ends the replay.
    private static func asks(_ number: UInt64, _ service: String) -> Bool {
        FileHandle.standardError.write(Data("#\(number) \(service)  [return, q] ".utf8))
        return readLine().map { !$0.hasPrefix("q") } ?? false
    }
}
