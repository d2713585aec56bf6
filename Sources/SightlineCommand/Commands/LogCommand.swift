/// `sightline log info|list|show|extract|verify|redact`.
enum LogCommand: Subcommand {
    static let name = "log"
    static let summary = "look into a recording of requests and replies, or take a part of it out"
    static let usage = [
        "info DIR", "list DIR [--service S] [--from BOUND] [--until BOUND] [--limit N]",
        "show DIR N", "extract DIR N|FIRST-LAST [--out DIR] [--log DIR]", "verify DIR",
        "redact DIR --out DIR [--service S] [--keep-attachments]",
    ]
    static let options: [CommandOption] = [
        .value(
            "service", "SERVICE", repeats: true, "only exchanges of this service (default all)"),
        .value(
            "from", "#N|INSTANT|OFFSET",
            "begin at this number, instant or time since the start, such as #12 or 90s"),
        .value("until", "#N|INSTANT|OFFSET", "end there"),
        .value("limit", "N", "lines at most (default 1000)"),
        .value("out", "DIR", "where bodies and attachments, or the redacted log, are written"),
        .value("log", "DIR", "where a log of the extracted exchanges alone is written"),
        .flag("keep-attachments", "redact: leave pictures and prints in the log"),
        .value("data", "DIR", "the data folder of the journal that has the keys of the accounts"),
        .value("keys", "FILE", "a file with the keys of the accounts"),
        .json,
    ]
    static var forms: CommandForms {
        [
            "info": ["data", "keys", "json"],
            "list": ["data", "keys", "json", "service", "from", "until", "limit"],
            "show": ["data", "keys", "json"],
            "extract": ["data", "keys", "out", "log"],
            "verify": ["data", "keys", "json"],
            "redact": ["data", "keys", "out", "service", "keep-attachments"],
        ]
    }
    static let details = """
        DIR is what 'serve --record DIR' or 'router --record DIR' wrote; it may be written to at
        the moment. Exchanges of accounts are encrypted under the accounts' keys: without --data
        or --keys, or once an account is erased, they are counted as erased and cannot be shown.

        'extract' writes N-request.json, N-reply.json and each attachment under its hash, or a
        small log for 'sightline replay'. 'redact' writes a copy whose attachments are hashes and
        that has no exchange of an account; bodies, with what was asked for, stay as they are.
        Both logs take a new folder or an empty one. 'verify' reads everything. The exit status is
        1 if something is damaged, ends in a torn write or could not be read.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        let rest = Array(arguments.positionals.dropFirst())
        switch arguments.positionals.first {
        case "info" where rest.count == 1: return try LogInfo.run(rest[0], arguments)
        case "list" where rest.count == 1: return try LogList.run(rest[0], arguments)
        case "show" where rest.count == 2: return try LogShow.run(rest[0], rest[1], arguments)
        case "extract" where rest.count == 2:
            return try LogExtract.run(rest[0], rest[1], arguments)
        case "verify" where rest.count == 1: return try LogVerify.run(rest[0], arguments)
        case "redact" where rest.count == 1: return try LogExtract.redact(rest[0], arguments)
        default:
            throw UsageError(
                "'log' takes info DIR, list DIR, show DIR N, extract DIR N, verify DIR or redact DIR"
            )
        }
    }
}
