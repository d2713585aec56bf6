import Foundation
import Messages
import Service

/// `sightline upcoming`.
enum Upcoming: Subcommand {
    static let name = "upcoming"
    static let summary = "list an account's coming events whose title holds a name of the catalog"
    static let usage = ["ACCOUNT [--days N] [--zone ZONE] [--follow] [--as-of INSTANT] [--json]"]
    static let options: [CommandOption] = [
        .connect, .key, .serverKey, .catalog, .deadline, .json, .asOf,
        .value(
            "days", "N", "local calendar days from as-of (default \(Limits.upcomingDaysDefault))"),
        .value("zone", "ZONE", "in which days are counted (default: that of most calendars)"),
        .value("locale", "NAME", "the language for comparing names, such as tr_TR"),
        .value("limit", "N", "events of one page (default \(Limits.resultsMax))"),
        .value("after", "TOKEN", "the page behind an earlier one, which named the token"),
        .flag("follow", "go on: print the list again whenever it is another"),
    ]
    static let details = """
        --follow prints the list and then, until it is stopped, the whole list anew whenever it has
        changed: with an event, with time alone, with the catalog, with access. It outlives restarts
        of the server. With --json each list is one line, with position and as-of.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(1...1, "one ACCOUNT")
        let message = try request(arguments)
        return try await arguments.withConnection { connection in
            guard !arguments.isSet("follow") else {
                return try await ListFollower(arguments, text: UpcomingText.table).follow(
                    connection.subscribe(.subscription(message)))
            }
            let reply = try await connection.request(message)
            if arguments.isSet("json") {
                print(String(decoding: ReplyText.json(reply).canonical(), as: UTF8.self))
            } else {
                print(UpcomingText.table(reply.items))
                if let token = reply.message.fields.text(.nextPage) {
                    print("\nmore: --after \(token)")
                }
            }
            return reply.isComplete ? .success : .negative
        }
    }

    private static func request(_ arguments: Arguments) throws -> Message {
        let days = try arguments.integer("days", in: 1...Limits.upcomingDaysMax)
        let limit = try arguments.integer("limit", in: 1...Limits.resultsMax)
        let request = UpcomingRequest(
            days: days ?? Limits.upcomingDaysDefault, locale: arguments["locale"],
            zone: arguments["zone"], after: arguments["after"])
        guard !arguments.isSet("follow") || (arguments["after"] == nil && arguments["as-of"] == nil)
        else { throw UsageError("--follow goes with time: without --after and --as-of") }
        var message = Message.request(
            ServiceName.calendarUpcoming, request.json, catalog: arguments.catalog,
            budgetMilliseconds: try arguments.deadline())
        message.fields.set(.account, text: arguments.positionals[0])
        message.fields.set(.limit, integer: UInt32(limit ?? Limits.resultsMax))
        message.fields.asOf = try arguments.asOf()
        return message
    }
}

/// Upcoming events as people read them.
enum UpcomingText {
    /// A row for each entity of each name of each event.
    static func table(_ items: [JSONValue]) -> String {
        guard !items.isEmpty else { return "nothing upcoming" }
        let rows = items.flatMap { item in
            (item["matches"]?.array ?? []).flatMap { match in
                (match["entities"]?.array ?? []).map { entity in
                    [
                        start(of: item), item["title"]?.text ?? "", match["name"]?.text ?? "",
                        entity["title"]?.text ?? "", entity["route"]?.text ?? "",
                    ]
                }
            }
        }
        return Table(header: ["start", "event", "name", "entity", "route"], rows: rows).text
    }

    private static func start(of item: JSONValue) -> String {
        let instant = Timestamp(milliseconds: Int64(item["start"]?.integer ?? 0))
        let text = InstantText.format(instant)
        return item["allDay"]?.bool == true ? String(text.prefix(10)) : text
    }
}
