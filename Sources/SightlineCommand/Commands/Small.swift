import Messages
import Service

/// `sightline version`.
enum Version: Subcommand {
    static let name = "version"
    static let summary = "print the versions of the command, the wire and the feature print"
    static let usage = [""]
    static let options: [CommandOption] = []
    static let text = "0.1.0"

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(0...0, "no argument")
        print("sightline \(text)")
        print("wire \(Header.majorVersion).\(Header.minorVersion)")
        print("feature print \(ServiceVersions.featurePrint)")
        return .success
    }
}

/// `sightline limits`.
enum ShowLimits: Subcommand {
    static let name = "limits"
    static let summary = "print every limit"
    static let usage = ["[--json]"]
    static let options: [CommandOption] = [.json]

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(0...0, "no argument")
        if arguments.isSet("json") {
            let rows = Limits.table.map { row in
                JSONValue.object([
                    "name": .string(row.name), "value": .integer(row.value),
                    "unit": .string(row.unit.rawValue), "meaning": .string(row.meaning),
                ])
            }
            print(String(decoding: JSONValue.array(rows).canonical(), as: UTF8.self))
        } else {
            let cells = Limits.table.map { [$0.name, "\($0.value)", $0.unit.rawValue, $0.meaning] }
            print(Table(header: ["limit", "value", "unit", "meaning"], rows: cells).text)
        }
        return .success
    }
}

/// `sightline status`.
enum Status: Subcommand {
    static let name = "status"
    static let summary = "show the router, its workers, positions and what was put aside"
    static let usage = ["[--connect ADDRESS] [--json]"]
    static let options: [CommandOption] = [.connect, .key, .serverKey, .deadline, .json]

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(0...0, "no argument")
        return try await arguments.withConnection { connection in
            let reply = try await connection.request(
                .request(
                    ServiceName.status, .object([:]),
                    budgetMilliseconds: try arguments.deadline()))
            if arguments.isSet("json") {
                print(String(decoding: reply.message.body, as: UTF8.self))
            } else {
                for item in reply.items { printIndented(item) }
            }
            return reply.isComplete ? .success : .negative
        }
    }

    private static func printIndented(_ item: JSONValue) {
        let members = item.object ?? [:]
        print("\(members["role"]?.text ?? "?") \(members["name"]?.text ?? "")")
        for (name, value) in members.sorted(by: { $0.key < $1.key })
        where !["role", "name"].contains(name) {
            let text = value.text ?? String(decoding: value.canonical(), as: UTF8.self)
            print("  \(name): \(text)")
        }
    }
}
