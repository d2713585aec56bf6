import Foundation
import Messages
import Service
import Sightline

/// `sightline submit`.
enum SubmitCommand: Subcommand {
    static let name = "submit"
    static let summary = "hand a request over, to be computed when there is room"
    static let usage = ["SERVICE [BODY] [--attach FILE]… [--job-key KEY] [--account NAME]"]
    static let options: [CommandOption] = [
        .connect, .key, .serverKey, .catalog, .json, .jobKey, .budget,
        .value("attach", "FILE", repeats: true, "an attachment, which BODY names by its SHA-256"),
        .value("account", "NAME", "the account that the request is for"),
        .value("limit", "N", "results at most (default \(Limits.resultsDefault))"),
    ]
    static let details = """
        BODY is the JSON that the service takes, {} unless stated. Prints the id with which
        'sightline result' fetches the result, from here or from elsewhere; it is kept for
        \(Limits.jobKeptMilliseconds / 60_000) minutes. 'sightline search --detach' submits a picture.
        What a server with a data folder accepts outlives its restart, but for what is asked for an
        account, which is never written to its disk.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(1...2, "a SERVICE, and its BODY")
        let text = arguments.positionals.dropFirst().first ?? "{}"
        let body: JSONValue
        do {
            body = try JSONValue(parsing: Array(text.utf8))
        } catch {
            throw UsageError("BODY is no JSON: \(error)")
        }
        let files = try arguments.values("attach").map {
            Data(try readFile($0, bytesMax: Limits.frameBytesMax))
        }
        var request = ServiceRequest<AnyProperties>(
            arguments.positionals[0], json: body, attachments: files)
        request.catalog = arguments.catalog
        request.account = arguments["account"]
        request.limit = try arguments.integer("limit", in: 1...Limits.resultsMax)
        return try await submit(request, arguments)
    }

    /// Submits a request and prints its id.
    static func submit<Item>(
        _ request: ServiceRequest<Item>, _ arguments: Arguments
    ) async throws -> ExitStatus {
        var request = request
        request.budget = .milliseconds(
            try Arguments.milliseconds(arguments["budget"] ?? "60s", option: "budget"))
        let job = try await arguments.withClient { [request] client in
            try await client.submit(request, key: arguments["job-key"])
        }
        guard arguments.isSet("json") else {
            print(job.id)
            if !job.isDurable { Sightline.complain("it ends with its router") }
            return .success
        }
        let json = JSONValue.object(["job": .string(job.id), "durable": .bool(job.isDurable)])
        print(String(decoding: json.canonical(), as: UTF8.self))
        return .success
    }
}

extension CommandOption {
    static let jobKey = value(
        "job-key", "KEY", "names what is submitted: the same again gives the same id and runs once")
    static let budget = value(
        "budget", "DURATION", "how long computing it may take, once begun (default 60s)")
}

extension Arguments {
    /// Runs a body with a client of the router, and closes its connection whatever happens.
    func withClient<Result>(
        _ body: (SightlineClient) async throws -> Result
    ) async throws -> Result {
        try await withConnection { try await body(SightlineClient($0)) }
    }
}
