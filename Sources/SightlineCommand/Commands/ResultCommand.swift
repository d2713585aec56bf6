import Foundation
import Messages
import Service
import Sightline

/// `sightline result`.
enum ResultCommand: Subcommand {
    static let name = "result"
    static let summary = "fetch the result of a request that was submitted, by its id"
    static let usage = ["ID [--wait] [--json]", "ID --drop"]
    static let options: [CommandOption] = [
        .connect, .key, .serverKey, .json,
        .value(
            "deadline", "DURATION", "how long to wait for the answer (default 2s, 10m with --wait)"
        ),
        .flag("wait", "wait until the result is there"),
        .flag("drop", "forget the request and its result, and stop it if it runs"),
    ]
    static let details = """
        Exit status 1 while the request waits or runs, and for a result that is incomplete; 4 where
        the router does not have it: its time is over, it was dropped, or it was lost with a router
        that had not promised to keep it.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(1...1, "one ID")
        let id = arguments.positionals[0]
        guard RequestID(hex: id)?.description == id else {
            throw UsageError("'\(id)' is no id: 32 hexadecimal digits")
        }
        try arguments.refuse(allBut: Arguments.connection, with: "drop")
        let waits = arguments.isSet("wait")
        let milliseconds = try Arguments.milliseconds(
            arguments["deadline"] ?? (waits ? "10m" : "2s"), option: "deadline")
        return try await arguments.withClient { client in
            let job = client.job(id, as: AnyProperties.self)
            return try await Deadline.within(.milliseconds(milliseconds)) {
                if arguments.isSet("drop") {
                    try await job.drop()
                    print("dropped")
                    return .success
                }
                let results = waits ? try await job.result() : try await job.resultNow()
                return show(results.reply, arguments)
            }
        }
    }

    private static func show(_ reply: Reply, _ arguments: Arguments) -> ExitStatus {
        let isSearch = reply.items.contains { $0["display"] != nil && $0["kind"] != nil }
        if arguments.isSet("json") {
            print(String(decoding: ReplyText.json(reply).canonical(), as: UTF8.self))
        } else if isSearch {
            print(ReplyText.table(reply))
        } else {
            for item in reply.items {
                print(TerminalText.escaped(String(decoding: item.canonical(), as: UTF8.self)))
            }
            if reply.items.isEmpty { print("no results") }
        }
        return reply.isComplete ? .success : .negative
    }
}
