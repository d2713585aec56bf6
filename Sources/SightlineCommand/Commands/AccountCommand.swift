import Foundation
import Messages
import Service

/// `sightline account export|erase`.
enum AccountCommand: Subcommand {
    static let name = "account"
    static let summary = "export or erase everything that is kept of an account"
    static let usage = ["export ACCOUNT [--out FILE]", "erase ACCOUNT --yes"]
    static let options: [CommandOption] = [
        .connect, .key, .serverKey, .deadline,
        .value("out", "FILE", "export: write there instead of standard output"),
        .flag("yes", "erase: needed, since there is no way back"),
    ]
    static var forms: CommandForms {
        [
            "export": Arguments.connection.union(["out"]),
            "erase": Arguments.connection.union(["yes"]),
        ]
    }
    static let details = """
        export writes a line of JSON for what the account allows of each of its stores, for each
        calendar, address book and health store, and for each of their entries, as they are stored.

        erase destroys the account's key. Records, snapshots, backups and message logs made before
        cannot be read for this account afterwards; what workers and routers keep of it goes at
        once. A copy of the keys that was made with 'journal backup --keys' has to be deleted by
        whoever made it.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(2...2, "export or erase, and an ACCOUNT")
        let account = arguments.positionals[1]
        switch arguments.positionals[0] {
        case "export":
            return try await export(account, arguments)
        case "erase":
            guard arguments.isSet("yes") else {
                throw UsageError("erasing cannot be undone; say --yes if it is meant")
            }
            return try await erase(account, arguments)
        case let other:
            throw UsageError("'\(other)' is none of export, erase")
        }
    }

    private static func export(
        _ account: String, _ arguments: Arguments
    ) async throws -> ExitStatus {
        let out = try arguments["out"].map { try OwnerFile(at: $0) }
        return try await arguments.withConnection { connection in
            var after: AccountExportRequest.Place?
            repeat {
                let reply = try await connection.request(
                    .accountExport(account, after: after, budgetMilliseconds: arguments.deadline()))
                for item in reply.items {
                    let line = String(decoding: item.canonical(), as: UTF8.self)
                    if let out { try out.write(line + "\n") } else { print(line) }
                }
                after = reply.items.last.flatMap { AccountExportRequest.Place(ofItem: $0) }
            } while after != nil
            return .success
        }
    }

    private static func erase(
        _ account: String, _ arguments: Arguments
    ) async throws -> ExitStatus {
        try await arguments.withConnection { connection in
            let position = try await connection.change(
                .accountErase(account, budgetMilliseconds: arguments.deadline()))
            print("erased at position \(position)")
            return .success
        }
    }
}

/// A new file that only its owner may read.
struct OwnerFile {
    private let handle: FileHandle

    init(at path: String) throws {
        guard
            FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw UsageError("'\(path)' cannot be written") }
        self.handle = handle
    }

    func write(_ text: String) throws { try handle.write(contentsOf: Data(text.utf8)) }
}
