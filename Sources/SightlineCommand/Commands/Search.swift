import Foundation
import Journal
import Messages
import Service
import Sightline

/// `sightline search`.
enum Search: Subcommand {
    static let name = "search"
    static let summary = "find the entries of the catalog that a picture shows"
    static let usage = ["PICTURE [OPTION…]", "--print FILE [OPTION…]", "--label WORD [OPTION…]"]
    static let options: [CommandOption] = [
        .connect, .key, .serverKey, .catalog, .deadline, .json, .type, .asOf,
        .value(
            "region", "X,Y,WIDTH,HEIGHT", "search this part only, in pixels of the upright picture"),
        .value("limit", "N", "results at most (default \(Limits.resultsDefault))"),
        .value("max-distance", "D", "the cut, from 0 (the same picture) to 2 (default 1.0)"),
        .value("near", "LAT,LON", "where the caller is, for relations within a distance"),
        .value("label", "WORD", repeats: true, "also add entities that carry this label"),
        .value("print", "FILE", "search with a print made by 'sightline print'"),
        .value("account", "NAME", "mark concerts that this account's calendar already has"),
        .value("thumbnails", "DIR", "write the results' thumbnails there"),
        .leastShare,
        .value("locale", "NAME", "the caller's language, such as de_DE"),
        .flag("detach", "hand the search over and print an id for 'sightline result'"),
        .jobKey, .budget,
    ]

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        let message = try message(arguments)
        try arguments.refuse(["job-key", "budget"], without: "detach")
        if arguments.isSet("detach") {
            guard !arguments.isGiven("thumbnails") else {
                throw UsageError("--thumbnails goes with a search whose results are waited for")
            }
            return try await SubmitCommand.submit(
                ServiceRequest<AnyProperties>(message), arguments)
        }
        return try await arguments.withConnection { connection in
            let reply = try await connection.request(message)
            if let folder = arguments["thumbnails"] { try writeThumbnails(of: reply, to: folder) }
            if arguments.isSet("json") {
                print(String(decoding: ReplyText.json(reply).canonical(), as: UTF8.self))
            } else {
                print(ReplyText.table(reply))
            }
            return reply.isComplete ? .success : .negative
        }
    }

    private static func message(_ arguments: Arguments) throws -> Message {
        let (subject, attachments, version) = try subject(arguments)
        let request = SearchRequest(
            subject: subject, region: try region(arguments["region"]),
            labels: arguments.values("label"), near: try coordinates(arguments["near"]),
            locale: arguments["locale"], platform: nil,
            maxDistance: try distance(arguments["max-distance"]), types: arguments.types,
            thumbnails: arguments["thumbnails"] != nil)
        var message = Message.request(
            ServiceName.imageSearch, request.json, attachments: attachments,
            catalog: arguments.catalog, budgetMilliseconds: try arguments.deadline())
        let limit = try arguments.integer("limit", in: 1...Limits.resultsMax)
        message.fields.set(.limit, integer: limit.map { UInt32($0) })
        message.fields.set(.account, text: arguments["account"])
        message.fields.set(.printVersion, text: version)
        message.fields.asOf = try arguments.asOf()
        let share = try arguments.integer("least-share", in: 1...100)
        message.fields.set(.leastShare, integer: share.map { UInt32($0) })
        return message
    }

    /// What is searched for, the attachments that it needs, and a print's version.
    private static func subject(
        _ arguments: Arguments
    ) throws -> (SearchRequest.Subject, [[UInt8]], String?) {
        if let path = arguments["print"] {
            try arguments.requirePositionals(0...0, "either PICTURE or --print")
            let bytes = try readFile(path, bytesMax: Limits.blobBytesMax)
            return (.print(ContentHash.of(bytes)), [bytes], ServiceVersions.featurePrint)
        }
        guard let path = arguments.positionals.first else {
            guard !arguments.values("label").isEmpty else {
                throw UsageError("PICTURE is missing")
            }
            return (.none, [], nil)
        }
        try arguments.requirePositionals(1...1, "one PICTURE")
        let bytes = try readFile(path, bytesMax: Limits.pictureBytesMax)
        return (.picture(ContentHash.of(bytes)), [bytes], nil)
    }

    static func region(_ text: String?) throws -> RegionDescription? {
        guard let text else { return nil }
        let numbers = text.split(separator: ",").compactMap { Int($0) }
        guard numbers.count == 4,
            let region = RegionDescription(
                x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        else {
            throw UsageError("--region takes X,Y,WIDTH,HEIGHT in whole pixels, not '\(text)'")
        }
        return region
    }

    private static func coordinates(_ text: String?) throws -> Coordinates? {
        guard let text else { return nil }
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        guard numbers.count == 2,
            let place = Coordinates(latitude: numbers[0], longitude: numbers[1])
        else {
            throw UsageError("--near takes LATITUDE,LONGITUDE in degrees, not '\(text)'")
        }
        return place
    }

    private static func distance(_ text: String?) throws -> Int {
        guard let text else { return Limits.distanceDefault }
        guard let number = Double(text), number >= 0, number <= 2 else {
            throw UsageError("--max-distance takes a number from 0 to 2, not '\(text)'")
        }
        return Int((number * 1_000_000).rounded())
    }

    private static func writeThumbnails(of reply: Reply, to folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for item in reply.items {
            guard let text = item["thumbnail"]?.text, let hash = ContentHash(hex: text),
                let bytes = reply.attachment(hash)
            else { continue }
            let path = "\(folder)/\(hash).jpg"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
    }
}

/// Reads a whole file.
///
/// - Throws: `UsageError` that names the file and what is wrong with it.
func readFile(_ path: String, bytesMax: Int) throws -> [UInt8] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw UsageError("'\(path)' does not exist")
    }
    guard !isFolder.boolValue else { throw UsageError("'\(path)' is a folder, not a file") }
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    guard size <= bytesMax else {
        throw UsageError("'\(path)' has \(size) bytes; at most \(bytesMax) are allowed")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
        throw UsageError("'\(path)' cannot be read")
    }
    return Array(data)
}
