import Calendar
import Foundation
import Messages
import Service

/// `sightline calendar push|watch|access|expand|match`.
enum CalendarCommand: StoreCommand {
    typealias Definition = CalendarStore
    static let noun = "event"
    static let tokenOption = "token"
    static let name = "calendar"
    static let summary =
        "push calendar files of an account, keep a folder's, state access, or look into files"
    static let usage = [
        "push ACCOUNT CALENDAR FILE.ics… [--zone ZONE]",
        "watch ACCOUNT CALENDAR FOLDER [--interval MILLISECONDS] [--once]",
        "access ACCOUNT STATUS",
        "expand FILE.ics --from INSTANT --to INSTANT [--zone ZONE] [--count] [--with-cancelled]",
        "match TITLE… --names FILE [--mode contains|names] [--locale NAME]",
    ]
    static let options: [CommandOption] =
        pushOptions("calendar") + [
            .connect, .key, .serverKey, .deadline, .json,
            .value("zone", "ZONE", "for floating and all-day values (default UTC)"),
            .value(
                "interval", "MILLISECONDS", "watch: between two looks at the folder (default 2000)"),
            .flag("once", "watch: bring the calendar to what the folder holds, and end"),
            .value(
                "from", "INSTANT",
                "expand: the window's begin; without an offset in each event's zone"),
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
    static var forms: CommandForms {
        [
            "push": Arguments.connection.union(pushOptionNames).union(["zone"]),
            "watch": Arguments.connection.union(["zone", "interval", "once"]),
            "access": Arguments.connection,
            "expand": ["from", "to", "zone", "count", "with-cancelled", "json"],
            "match": ["names", "mode", "locale", "at-venue", "json"],
        ]
    }
    static let details = """
        STATUS is \(statuses). Nothing is kept for an account without fullAccess, and losing it
        removes what was kept.
        'push' puts every event of the files, and says on standard error what of them does not count;
        exit status 1 then.
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
        if let zone = arguments["zone"] { try CalendarFile.check(zone: zone) }
        switch arguments.positionals.first {
        case "watch" where rest.count == 3:
            var watch = try CalendarWatch(rest[0], rest[1], rest[2], arguments)
            return try await watch.run()
        case "expand" where rest.count == 1:
            return try CalendarExpansion(rest[0], arguments).run()
        case "match" where !rest.isEmpty:
            return try CalendarMatching(rest, arguments).run()
        default:
            if let status = try await runVerb(arguments) { return status }
            throw UsageError(
                "'calendar' takes push ACCOUNT CALENDAR FILE.ics…, watch ACCOUNT CALENDAR FOLDER, "
                    + "access ACCOUNT STATUS, expand FILE.ics or match TITLE…")
        }
    }

    /// The events of a file, one a UID.
    static func read(_ path: String, into entries: inout PushedEntries) throws {
        let bytes = try readFile(path, bytesMax: Limits.calendarFileBytesMax)
        do {
            let resources = try CalendarFile.resources(in: bytes)
            if resources.isEmpty { entries.refuse("'\(path)'", "the file holds no event") }
            for resource in resources {
                let text = resource.unicodeText
                guard text.utf8.count <= Limits.resourceBytesMax else {
                    entries.refuse(
                        "'\(path)': \(resource.uid)",
                        "tooLarge: at most \(Limits.resourceBytesMax) bytes")
                    continue
                }
                entries.add(text, from: "'\(path)'")
            }
        } catch {
            entries.refuse("'\(path)'", "\(error)")
        }
    }

    /// What is coming up is another command.
    static func question(_ arguments: Arguments) throws -> Message? { nil }

    static func text(_ items: [JSONValue]) -> String { "" }
}
