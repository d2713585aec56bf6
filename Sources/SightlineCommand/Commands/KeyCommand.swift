import Messages
import Service

/// `sightline key new|list|allow|revoke`.
enum KeyCommand: Subcommand {
    static let name = "key"
    static let summary = "make key pairs, and say which keys a server lets in"
    static let usage = [
        "new PATH", "list [--allowed FILE] [--json]",
        "allow KEY|FILE [--as NAME] [--allowed FILE]", "revoke NAME|KEY [--allowed FILE]",
    ]
    static let options: [CommandOption] = [
        .allowed, .json,
        .value("as", "NAME", "allow: what the key is called (default: the name in its file)"),
    ]
    static var forms: CommandForms {
        [
            "new": [],
            "list": ["allowed", "json"],
            "allow": ["allowed", "as"],
            "revoke": ["allowed"],
        ]
    }
    static let details = """
        new writes two files: PATH.key with the public key, for whoever runs the other side, and
        PATH.key_secret, which stays where it is. A server is told its own pair and the list of
        those that it lets in (--key, --allowed), a client or worker its own pair and the server's
        public key (--key, --server-key). allow and revoke change the list, and a running server
        takes it at SIGHUP; connections of a revoked key end then, too.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(1...2, "new, list, allow or revoke, and what it is about")
        let file = arguments.allowedFile(environment)
        let subject = arguments.positionals.dropFirst().first
        switch (arguments.positionals[0], subject) {
        case ("new", let path?): return try make(path)
        case ("list", nil): return try list(file, arguments)
        case ("allow", let key?): return try allow(key, file, arguments)
        case ("revoke", let key?): return try revoke(key, file)
        case ("new", nil): throw UsageError("new takes the PATH of the new files")
        case ("list", _?): throw UsageError("list takes no argument")
        case ("allow", nil): throw UsageError("allow takes a public KEY, or a FILE with it")
        case ("revoke", nil): throw UsageError("revoke takes the NAME of a key, or the KEY")
        case (let other, _): throw UsageError("'\(other)' is none of new, list, allow, revoke")
        }
    }

    private static func make(_ path: String) throws -> ExitStatus {
        let key = try KeyFile.create(at: path)
        print("public key \(key)")
        print("in \(path + KeyFile.publicEnding), for whoever runs the other side")
        print("the pair is in \(path + KeyFile.secretEnding), which nobody else may read")
        return .success
    }

    private static func list(_ file: String, _ arguments: Arguments) throws -> ExitStatus {
        let entries = try AllowedKeys(file: file).entries
        if arguments.isSet("json") {
            let rows = entries.map {
                JSONValue.object(["name": .string($0.name), "key": .string($0.key)])
            }
            print(String(decoding: JSONValue.array(rows).canonical(), as: UTF8.self))
        } else if entries.isEmpty {
            print("no key is allowed")
        } else {
            print(Table(header: ["name", "key"], rows: entries.map { [$0.name, $0.key] }).text)
        }
        return .success
    }

    private static func allow(
        _ key: String, _ file: String, _ arguments: Arguments
    ) throws -> ExitStatus {
        let added = try AllowedKeys.change(file: file) {
            try $0.allow(key, name: arguments["as"])
        }
        if let added {
            print("allowed \(added.name) \(added.key)")
        } else {
            print("allowed already")
        }
        return .success
    }

    private static func revoke(_ key: String, _ file: String) throws -> ExitStatus {
        let removed = try AllowedKeys.change(file: file) { try $0.revoke(key) }
        print("revoked \(removed.name) \(removed.key)")
        return .success
    }
}
