import Foundation
import Messages
import Service

/// `sightline entity list|show|remove`.
enum EntityCommand: Subcommand {
    static let name = "entity"
    static let summary = "list, show or remove entities of a catalog"
    static let usage = [
        "list [TYPE] [--limit N] [--after TYPE/ID]", "show TYPE ID", "remove TYPE ID…",
    ]
    static let options: [CommandOption] = [
        .connect, .key, .serverKey, .catalog, .deadline, .json,
        .value("limit", "N", "entities at most (default 100)"),
        .value("after", "TYPE/ID", "go on behind this entity"),
    ]
    static var forms: CommandForms {
        [
            "list": Arguments.connection.union(["catalog", "json", "limit", "after"]),
            "show": Arguments.connection.union(["catalog", "json"]),
            "remove": Arguments.connection.union(["catalog"]),
        ]
    }

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        let rest = Array(arguments.positionals.dropFirst())
        switch arguments.positionals.first {
        case "list" where rest.count <= 1: return try await list(rest.first, arguments)
        case "show" where rest.count == 2: return try await show(rest[0], rest[1], arguments)
        case "remove" where rest.count >= 2:
            return try await remove(rest[0], Array(rest.dropFirst()), arguments)
        default: throw UsageError("'entity' takes list [TYPE], show TYPE ID or remove TYPE ID…")
        }
    }

    private static func list(
        _ type: String?, _ arguments: Arguments
    ) async throws -> ExitStatus {
        let after = try arguments["after"].map { text in
            let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw UsageError("--after takes TYPE/ID") }
            return EntityName(type: parts[0], id: parts[1])
        }
        let limit = try arguments.integer("limit", in: 1...Limits.resultsMax) ?? 100
        var message = Message.request(
            ServiceName.entityList, EntityListRequest(type: type, after: after).json,
            catalog: arguments.catalog, budgetMilliseconds: try arguments.deadline())
        message.fields.set(.limit, integer: UInt32(limit))
        return try await arguments.withConnection { connection in
            let reply = try await connection.request(message)
            if arguments.isSet("json") {
                print(String(decoding: reply.message.body, as: UTF8.self))
            } else {
                let rows = reply.items.map { item in
                    [
                        item["type"]?.text ?? "", item["id"]?.text ?? "",
                        item["display"]?["title"]?.text ?? "",
                        item["display"]?["subtitle"]?.text ?? "",
                    ]
                }
                print(Table(header: ["type", "id", "title", "subtitle"], rows: rows).text)
            }
            guard reply.isComplete else {
                Sightline.complain("incomplete: missing \(reply.missing.joined(separator: ", "))")
                return .negative
            }
            return .success
        }
    }

    private static func show(
        _ type: String, _ id: String, _ arguments: Arguments
    ) async throws -> ExitStatus {
        let request = EntityGetRequest(entities: [EntityName(type: type, id: id)])
        return try await arguments.withConnection { connection in
            let reply = try await connection.request(
                .request(
                    ServiceName.entityGet, request.json, catalog: arguments.catalog,
                    budgetMilliseconds: try arguments.deadline()))
            guard let item = reply.items.first, item["unknown"]?.bool != true else {
                Sightline.complain(
                    "no \(type) has the id '\(id)' in catalog '\(arguments.catalog)'")
                return .negative
            }
            print(String(decoding: item.canonical(), as: UTF8.self))
            return .success
        }
    }

    private static func remove(
        _ type: String, _ ids: [String], _ arguments: Arguments
    ) async throws -> ExitStatus {
        try await arguments.withConnection { connection in
            for id in ids {
                let position = try await connection.change(
                    .entityRemove(
                        EntityName(type: type, id: id), catalog: arguments.catalog,
                        budgetMilliseconds: try arguments.deadline()))
                print("removed \(type) \(id) at position \(position)")
            }
            return .success
        }
    }
}
