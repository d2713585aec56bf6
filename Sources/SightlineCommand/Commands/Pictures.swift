import Foundation
import Journal
import Messages
import Service

/// `sightline print`.
enum Print: Subcommand {
    static let name = "print"
    static let summary = "make the feature print of a picture"
    static let usage = ["PICTURE [--out FILE] [--region X,Y,WIDTH,HEIGHT] [--json]"]
    static let options: [CommandOption] = [
        .connect, .key, .serverKey, .deadline, .json,
        .value("out", "FILE", "write the print there, for 'sightline search --print FILE'"),
        .value("region", "X,Y,WIDTH,HEIGHT", "of this part only, in pixels of the upright picture"),
    ]

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(1...1, "one PICTURE")
        let bytes = try readFile(arguments.positionals[0], bytesMax: Limits.pictureBytesMax)
        let request = PrintRequest(
            subject: .picture(ContentHash.of(bytes)),
            region: try Search.region(arguments["region"]), source: false, thumbnail: false)
        return try await arguments.withConnection { connection in
            let reply = try await connection.request(
                .request(
                    ServiceName.printMake, request.json, attachments: [bytes],
                    budgetMilliseconds: try arguments.deadline()))
            guard let item = reply.items.first, let text = item["print"]?.text,
                let hash = ContentHash(hex: text), let made = reply.attachment(hash)
            else { throw RequestFailure.unexpected }
            if let path = arguments["out"] {
                try Data(made).write(to: URL(fileURLWithPath: path))
            }
            if arguments.isSet("json") {
                print(String(decoding: item.canonical(), as: UTF8.self))
            } else {
                let enough =
                    item["enough"]?.bool == true
                    ? "enough content to match" : "too little content: matches only its copy"
                print(
                    "version \(item["printVersion"]?.text ?? ""), "
                        + "\(item["features"]?.integer ?? 0) features, \(made.count) bytes, \(enough)"
                )
                print("hash \(text)")
            }
            return .success
        }
    }
}

/// `sightline open`.
enum Open: Subcommand {
    static let name = "open"
    static let summary = "print the open-intent route of an entity"
    static let usage = ["TYPE ID [--catalog NAME]"]
    static let options: [CommandOption] = [.connect, .key, .serverKey, .catalog, .deadline]

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(2...2, "TYPE and ID")
        let request = OpenRequest(
            entity: EntityName(type: arguments.positionals[0], id: arguments.positionals[1]))
        return try await arguments.withConnection { connection in
            let reply = try await connection.request(
                .request(
                    ServiceName.intentOpen, request.json, catalog: arguments.catalog,
                    budgetMilliseconds: try arguments.deadline()))
            print(reply.items.first?["route"]?.text ?? "")
            return .success
        }
    }
}
