import Foundation
import Journal
import Messages
import Service

/// `sightline calendar push|watch|access|expand|match`.
enum CalendarCommand: Subcommand {
    static let name = "calendar"
    static let summary =
        "push calendar files of an account, keep a folder's, state access, or look into files"
    static let usage = [
        "push ACCOUNT CALENDAR FILE.ics…",
        "watch ACCOUNT CALENDAR FOLDER [--interval MILLISECONDS] [--once]",
        "access ACCOUNT STATUS",
        "expand FILE.ics --from INSTANT --to INSTANT [--zone ZONE] [--count] [--with-cancelled]",
        "match TITLE… --names FILE [--mode contains|names] [--locale NAME]",
    ]
    static let options: [CommandOption] = [
        .connect, .key, .serverKey, .deadline, .json,
        .value("revision", "N", "the calendar's revision (default: the time in milliseconds)"),
        .value("zone", "ZONE", "for floating and all-day values (default UTC)"),
        .flag("reset", "forget what the calendar held before"),
        .flag("more", "more files of the reset follow: keep what there was until the last"),
        .value("token", "TEXT", "the token from which the producer goes on"),
        .value(
            "interval", "MILLISECONDS", "watch: between two looks at the folder (default 2000)"),
        .flag("once", "watch: bring the calendar to what the folder holds, and end"),
        .value(
            "from", "INSTANT", "expand: the window's begin; without an offset in each event's zone"),
        .value("to", "INSTANT", "expand: the window's end, exclusive"),
        .flag("count", "expand: print the number of occurrences alone"),
        .flag("with-cancelled", "expand: cancelled occurrences too"),
        .value("names", "FILE", "match: the names to look for, one a line"),
        .value(
            "mode", "MODE",
            "match: names for whole words (default), contains for the plain rule of Foundation"),
        .value("locale", "NAME", "match: the language for contains, such as tr_TR"),
        .flag("at-venue", "match: the event is at a known venue"),
    ]
    static let details = """
        STATUS is notDetermined, restricted, denied, writeOnly or fullAccess. Nothing is kept for an
        account without fullAccess, and losing it removes what was kept.
        'watch' keeps a calendar as the .ics files of a folder are: it looks at the folder every
        --interval and pushes what was added, changed or removed. When it starts, the calendar begins
        anew with what is there, so that nothing is missed that happened while it was not running. It
        waits for a server that is away, and for access.
        'expand' needs no server: it lists the occurrences of a file that overlap a window, with why
        each is there, and says on standard error what of the file could not be used. Exit status 1
        if the file is no calendar, or not all occurrences are listed.
        'match' needs none either: it says which names stand in each TITLE, which do not count
        although their letters do, and why. TITLE - reads titles from standard input, one a line.
        Exit status 1 if no name matches.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        let rest = Array(arguments.positionals.dropFirst())
        switch arguments.positionals.first {
        case "push" where rest.count >= 3:
            return try await push(rest[0], rest[1], Array(rest.dropFirst(2)), arguments)
        case "watch" where rest.count == 3:
            var watch = try CalendarWatch(rest[0], rest[1], rest[2], arguments)
            return try await watch.run()
        case "access" where rest.count == 2:
            return try await StoreCommands.setAccess(
                CalendarStore.self, rest[0], rest[1], arguments)
        case "expand" where rest.count == 1:
            return try CalendarExpansion(rest[0], arguments).run()
        case "match" where !rest.isEmpty:
            return try CalendarMatching(rest, arguments).run()
        default:
            throw UsageError(
                "'calendar' takes push ACCOUNT CALENDAR FILE.ics…, watch ACCOUNT CALENDAR FOLDER, "
                    + "access ACCOUNT STATUS, expand FILE.ics or match TITLE…")
        }
    }

    private static func push(
        _ account: String, _ calendar: String, _ files: [String], _ arguments: Arguments
    ) async throws -> ExitStatus {
        let texts = try files.map { path in
            let bytes = try readFile(path, bytesMax: Limits.resourceBytesMax)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw UsageError("'\(path)' is not UTF-8 text")
            }
            try CalendarFile.check(bytes, named: path)
            for fault in try CalendarFile.faults(in: bytes, named: path) {
                Sightline.complain(TerminalText.escaped("'\(path)': \(fault)"))
            }
            return text
        }
        if let zone = arguments["zone"] { try CalendarFile.check(zone: zone) }
        let now = Int(SystemClock.wall().milliseconds)
        let revision = try arguments.integer("revision", in: 0...Limits.revisionMax) ?? now
        let change = CalendarChange(
            calendar: calendar, revision: revision, zone: arguments["zone"] ?? "UTC",
            reset: arguments.isSet("reset"), complete: !arguments.isSet("more"),
            syncToken: arguments["token"], put: texts, remove: [])
        return try await arguments.withConnection { connection in
            let message = Message.change(
                .calendarChange, change.json, source: "sightline calendar push",
                id: "\(account)/\(calendar)/\(revision)/\(ContentHash.of(change.bytes))",
                partitionKey: "\(account)/\(calendar)", account: account,
                budgetMilliseconds: try arguments.deadline())
            let position = try await AccessComplaint.naming { try await connection.change(message) }
            print(
                "stored \(files.count) file\(files.count == 1 ? "" : "s") at position \(position)")
            return .success
        }
    }
}
