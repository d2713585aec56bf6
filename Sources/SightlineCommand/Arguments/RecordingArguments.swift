import Journal
import Messages
import Service

/// The options of `serve` and `router` that say what is recorded.
enum RecordingArguments {
    static let options: [CommandOption] = [
        .value(
            "record", "DIR",
            "record requests and replies there, for 'sightline replay'; a new folder, an empty one or a recording that goes on"
        ),
        .value(
            "attachments", "full|hash|none",
            "record pictures and prints whole, their hashes, or nothing of them (default full)"),
        .value(
            "sample", "PART",
            "record a part of the requests, such as 10% or 0.1, chosen by their ids (default all)"),
        .value(
            "record-max-bytes", "BYTES",
            "remove the oldest of the recording beyond this size, such as 500M or 20G, at least 1M (default 4G)"
        ),
        .value(
            "record-max-age", "DAYS", "remove what was recorded longer ago (default: never)"),
    ]

    /// What the options say.
    ///
    /// - Throws: `UsageError` that names what is allowed.
    static func options(of arguments: Arguments) throws -> RecordingOptions {
        let needless = options.dropFirst().first { arguments.isGiven($0.name) }
        if let needless, arguments["record"] == nil {
            throw UsageError("--\(needless.name) is for --record DIR, which is not given")
        }
        var options = RecordingOptions()
        if let text = arguments["attachments"] {
            guard let attachments = RecordedAttachments(name: text) else {
                throw UsageError("--attachments takes full, hash or none, not '\(text)'")
            }
            options.attachments = attachments
        }
        if let text = arguments["sample"] { options.sample = try part(text) }
        if let text = arguments["record-max-bytes"] {
            options.retention.bytesMax = try bytes(text)
        }
        let days = try arguments.integer("record-max-age", in: 1...Limits.messageLogDaysMax)
        options.retention.ageMillisecondsMax = days.map { Int64($0) * 86_400_000 }
        return options
    }

    private static func part(_ text: String) throws -> Double {
        let isPercent = text.hasSuffix("%")
        guard let number = Double(isPercent ? text.dropLast() : text[...]),
            case let part = isPercent ? number / 100 : number, part > 0, part <= 1
        else {
            throw UsageError(
                "--sample takes a part such as 10% or 0.1, above 0 and at most all, not '\(text)'")
        }
        return part
    }

    private static func bytes(_ text: String) throws -> Int {
        let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40]
        let factor = text.last.flatMap { factors[$0] }
        guard let number = Int(factor == nil ? text[...] : text.dropLast()),
            case let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: factor ?? 1),
            !isTooLarge, bytes >= 1 << 20
        else {
            throw UsageError(
                "--record-max-bytes takes a size from 1M, such as 500M or 20G, not '\(text)'")
        }
        return bytes
    }
}
