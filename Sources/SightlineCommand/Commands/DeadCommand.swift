import Foundation
import Messages
import Service

/// `sightline dead list|show|drop`.
enum DeadCommand: Subcommand {
    static let name = "dead"
    static let summary = "list, show or drop requests that workers died under"
    static let usage = ["list [--json]", "show NUMBER", "drop NUMBER | --all"]
    static let options: [CommandOption] = [
        .connect, .key, .serverKey, .deadline, .json,
        .flag("all", "drop: every request that is put aside"),
    ]
    static var forms: CommandForms {
        [
            "list": Arguments.connection.union(["json"]),
            "show": Arguments.connection.union(["json"]),
            "drop": Arguments.connection.union(["all"]),
        ]
    }
    static let details = """
        A request under which two workers died is not tried a third time: its client gets an error
        that says so, and the router puts it aside, until it is dropped, the router ends, or
        \(Limits.deadRequestsMax) others came behind it. What belongs to an account goes when the account is erased.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(1...2, "list, show or drop, and for these a NUMBER")
        let number = arguments.positionals.dropFirst().first
        switch arguments.positionals[0] {
        case "list": return try await list(arguments)
        case "show":
            guard let number else { throw UsageError("show takes the NUMBER of a request") }
            return try await show(number, arguments)
        case "drop":
            guard (number == nil) == arguments.isSet("all") else {
                throw UsageError("drop takes either the NUMBER of a request or --all")
            }
            return try await drop(number, arguments)
        case let other: throw UsageError("'\(other)' is none of list, show, drop")
        }
    }

    private static func ask(
        _ service: String, _ number: String?, _ arguments: Arguments
    ) async throws -> Reply {
        try await arguments.withConnection { connection in
            var request = Message.request(
                service, .object([:]), budgetMilliseconds: try arguments.deadline())
            request.fields.set(.name, text: number)
            return try await connection.request(request)
        }
    }

    private static func list(_ arguments: Arguments) async throws -> ExitStatus {
        let reply = try await ask("dead.list", nil, arguments)
        if arguments.isSet("json") {
            print(String(decoding: reply.message.body, as: UTF8.self))
            return .success
        }
        guard !reply.items.isEmpty else {
            print("nothing is put aside")
            return .success
        }
        let rows = reply.items.map { item in
            [
                "\(item["number"]?.integer ?? 0)", instant(item), item["service"]?.text ?? "",
                item["clientName"]?.text ?? "", "\(item["bytes"]?.integer ?? 0)",
                (item["workers"]?.array ?? []).compactMap(\.text).joined(separator: ", "),
            ]
        }
        let header = ["number", "put aside", "service", "client", "bytes", "died under it"]
        print(Table(header: header, rows: rows).text)
        return .success
    }

    private static func instant(_ item: JSONValue) -> String {
        let milliseconds = Int64(item["putAsideAt"]?.integer ?? 0)
        return InstantText.format(Timestamp(milliseconds: milliseconds))
    }

    private static func show(_ number: String, _ arguments: Arguments) async throws -> ExitStatus {
        let reply = try await ask("dead.show", number, arguments)
        for item in reply.items {
            print(TerminalText.escaped(String(decoding: item.canonical(), as: UTF8.self)))
        }
        return .success
    }

    private static func drop(_ number: String?, _ arguments: Arguments) async throws -> ExitStatus {
        let reply = try await ask("dead.drop", number, arguments)
        print("dropped \(reply.items.count)")
        return .success
    }
}
