import Foundation
import Messages
import Service

/// What the commands of all kinds of stores have in common: pushing changes, asking, stating access.
protocol StoreCommand: Subcommand {
    /// The kind of store.
    associatedtype Definition: StoreDefinition
    /// What people call one entry.
    static var noun: String { get }
    /// The option with the token from which the producer goes on.
    static var tokenOption: String { get }

    /// Adds the entries of a file; what of it is none is refused, and the rest added.
    static func read(_ path: String, into entries: inout PushedEntries) throws
    /// The question that `query` asks about an account; nil where there is no such verb.
    static func question(_ arguments: Arguments) throws -> Message?
    /// What it brings, for people.
    static func text(_ items: [JSONValue]) -> String
}

extension StoreCommand {
    /// Options of `push` that every kind has.
    static func pushOptions(_ collection: String) -> [CommandOption] {
        [
            .value(
                "revision", "N",
                "push: the \(collection)'s revision (default: the time in milliseconds)"),
            .flag("reset", "push: forget what the \(collection) held before"),
            .flag("more", "push: more of the reset follows: keep what there was until the last"),
            .value("remove", "ID", repeats: true, "push: take an entry away"),
            .value(tokenOption, "TEXT", "push: the \(tokenOption) from which the producer goes on"),
        ]
    }

    /// Their names.
    static var pushOptionNames: [String] { pushOptions("").map(\.name) }

    /// Options of `query` that every kind has.
    static var queryOptions: [CommandOption] {
        [.flag("follow", "query: go on: print the list again whenever it is another")]
    }

    /// The statuses that the kind of store knows, for the help.
    static var statuses: String {
        let names = Definition.kind.statuses.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// Runs the verbs that every kind has; nil for another one.
    static func runVerb(_ arguments: Arguments) async throws -> ExitStatus? {
        let rest = Array(arguments.positionals.dropFirst())
        switch arguments.positionals.first {
        case "push" where rest.count >= 2:
            return try await push(rest[0], rest[1], Array(rest.dropFirst(2)), arguments)
        case "query" where rest.count == 1: return try await query(rest[0], arguments)
        case "access" where rest.count == 2:
            return try await setAccess(rest[0], rest[1], arguments)
        default: return nil
        }
    }

    private static func push(
        _ account: String, _ collection: String, _ files: [String], _ arguments: Arguments
    ) async throws -> ExitStatus {
        let now = Int(SystemClock.wall().milliseconds)
        let change = StoreChange<Definition>(
            collection: collection,
            revision: try arguments.integer("revision", in: 0...Limits.revisionMax) ?? now,
            zone: arguments["zone"] ?? "UTC", reset: arguments.isSet("reset"),
            complete: !arguments.isSet("more"), token: arguments[tokenOption],
            remove: arguments.values("remove"))
        var entries = PushedEntries()
        for path in files { try read(path, into: &entries) }
        var push = StorePush(change, of: account, entries, noun: noun, arguments)
        return try await push.run()
    }

    private static func query(
        _ account: String, _ arguments: Arguments
    ) async throws -> ExitStatus? {
        guard var message = try question(arguments) else { return nil }
        message.fields.set(.account, text: account)
        let question = message
        guard !arguments.isSet("follow") || arguments["as-of"] == nil else {
            throw UsageError("--follow goes with time: without --as-of")
        }
        return try await arguments.withConnection { connection in
            guard !arguments.isSet("follow") else {
                return try await ListFollower(arguments, text: text).follow(
                    connection.subscribe(.subscription(question)))
            }
            let reply = try await connection.request(question)
            if arguments.isSet("json") {
                print(String(decoding: ReplyText.json(reply).canonical(), as: UTF8.self))
            } else {
                print(text(reply.items))
            }
            return reply.isComplete ? .success : .negative
        }
    }

    private static func setAccess(
        _ account: String, _ status: String, _ arguments: Arguments
    ) async throws -> ExitStatus {
        let allowed = Definition.kind.statuses
        guard let status = allowed.first(where: { $0.rawValue == status }) else {
            let names = allowed.map(\.rawValue).joined(separator: ", ")
            throw UsageError("'\(status)' is no access status; allowed are \(names)")
        }
        return try await arguments.withConnection { connection in
            let position = try await connection.change(
                .change(
                    Definition.access, StoreAccess<Definition>(status: status).json,
                    source: "sightline \(Definition.access.rawValue)",
                    id: "\(account)/\(SystemClock.wall().milliseconds)", partitionKey: account,
                    account: account, budgetMilliseconds: try arguments.deadline()))
            print("access of \(account) is \(status.rawValue) at position \(position)")
            return .success
        }
    }
}
