import Foundation
import Journal
import Messages
import Service

/// What the commands of all kinds of stores have in common: stating access and pushing changes.
enum StoreCommands {
    /// Options of `push` that every kind has.
    static func pushOptions(_ collection: String) -> [CommandOption] {
        [
            .value(
                "revision", "N",
                "push: the \(collection)'s revision (default: the time in milliseconds)"),
            .flag("reset", "push: forget what the \(collection) held before"),
            .flag("more", "push: more of the reset follows: keep what there was until the last"),
            .value("remove", "ID", repeats: true, "push: take an entry away"),
        ]
    }

    /// The statuses that a kind of store knows, for the help.
    static func statuses(_ kind: StoreKind) -> String {
        let names = kind.statuses.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// States what the owner of an account allows.
    static func setAccess<Definition: StoreDefinition>(
        _: Definition.Type, _ account: String, _ status: String,
        _ arguments: Arguments
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

    /// A change of a collection as the options say it, without entries.
    static func change<Definition: StoreDefinition>(
        _: Definition.Type, _ collection: String, _ arguments: Arguments
    ) throws -> StoreChange<Definition> {
        let now = Int(SystemClock.wall().milliseconds)
        return StoreChange(
            collection: collection,
            revision: try arguments.integer("revision", in: 0...Limits.revisionMax) ?? now,
            zone: arguments["zone"] ?? "UTC", reset: arguments.isSet("reset"),
            complete: !arguments.isSet("more"), remove: arguments.values("remove"))
    }

    /// Pushes a change, in as many pages as it takes; gives the position of the last one.
    static func push<Definition: StoreDefinition>(
        _ change: StoreChange<Definition>, _ account: String,
        _ arguments: Arguments
    ) async throws -> Position? {
        try await arguments.withConnection { connection in
            var position: Position?
            for page in change.pages() {
                let body = page.json
                let hash = ContentHash.of(body.canonical())
                let message = Message.change(
                    Definition.change, body, source: "sightline \(Definition.change.rawValue)",
                    id: "\(account)/\(change.collection)/\(change.revision)/\(hash)",
                    partitionKey: "\(account)/\(change.collection)", account: account,
                    budgetMilliseconds: try arguments.deadline())
                position = try await AccessComplaint.naming {
                    try await connection.change(message)
                }
            }
            return position
        }
    }

    /// Says what was pushed; the exit status says whether all of it was.
    static func told(
        _ count: Int, _ noun: String, removed: Int, refused: Int, at position: Position?
    ) -> ExitStatus {
        var parts = ["stored \(count) \(noun)\(count == 1 ? "" : "s")"]
        if removed > 0 { parts.append("removed \(removed)") }
        if refused > 0 { parts.append("refused \(refused)") }
        print(parts.joined(separator: ", ") + (position.map { " at position \($0)" } ?? ""))
        return refused == 0 ? .success : .negative
    }
}
