import Foundation
import Journal
import Messages
import Service

/// `sightline log extract` and `redact`: parts of a recording, taken out.
enum LogExtract {
    static func run(
        _ folder: String, _ rangeText: String, _ arguments: Arguments
    ) throws -> ExitStatus {
        let range = try numbers(rangeText)
        guard arguments["out"] != nil || arguments["log"] != nil else {
            throw UsageError(
                "'log extract' takes --out DIR for files, --log DIR for a log, or both")
        }
        let reader = try arguments.messageLog(folder)
        let files = try arguments["out"].map { try ExtractedFiles(folder: $0) }
        let copy = try arguments["log"].map {
            try MessageLogCopy(to: $0, keys: arguments.accountKeys())
        }
        var extracted = 0
        var erased = 0
        try forEach(in: reader, range) { entry in
            switch entry.content {
            case .gap: break
            case .erased: erased += 1
            case .exchange(let recorded, let keyID):
                extracted += 1
                try files?.write(
                    LoggedExchange(recorded, number: entry.number, keyID: keyID))
            }
            try copy?.add(entry)
        }
        try copy?.finish()
        print("extracted \(extracted)" + (erased > 0 ? ", left out \(erased) erased" : ""))
        return extracted > 0 ? .success : .negative
    }

    static func redact(_ folder: String, _ arguments: Arguments) throws -> ExitStatus {
        guard let out = arguments["out"] else { throw UsageError("--out DIR is missing") }
        let reader = try arguments.messageLog(folder)
        let copy = try MessageLogCopy(
            to: out, keys: Keyring(),
            redaction: MessageLogCopy.Redaction(
                dropsAttachments: !arguments.isSet("keep-attachments"), dropsAccounts: true,
                services: Set(arguments.values("service"))))
        try reader.forEach { try copy.add($0) }
        try copy.finish()
        print("kept \(copy.written), left out \(copy.leftOut)")
        return .success
    }

    /// Calls `body` for the entries of these numbers that there are.
    private static func forEach(
        in reader: MessageLogReader, _ range: ClosedRange<UInt64>,
        _ body: (MessageLogEntry) throws -> Void
    ) throws {
        let last = min(range.upperBound, reader.last)
        var after = max(range.lowerBound, reader.first) - 1
        while after < last {
            let count = Int(min(last - after, 64))
            let entries = try reader.read(after: after, countMax: count)
            guard let end = entries.last else { return }
            for entry in entries { try body(entry) }
            after = end.number
        }
    }

    private static func numbers(_ text: String) throws -> ClosedRange<UInt64> {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
        guard (1...2).contains(parts.count), let first = parts[0],
            let last = parts[parts.count - 1],
            first >= 1, first <= last
        else {
            throw UsageError("'log extract' takes a number such as 12 or a range such as 12-40")
        }
        return first...last
    }
}

/// Bodies and attachments of exchanges as files of one folder, for their owner only.
private struct ExtractedFiles {
    let folder: String

    init(folder: String) throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    func write(_ exchange: LoggedExchange) throws {
        try write(exchange.request.body, "\(exchange.number)-request.json")
        try write(exchange.reply.body, "\(exchange.number)-reply.json")
        guard exchange.recorded.summary.attachments == .full else { return }
        for message in [exchange.request, exchange.reply] {
            for (hash, bytes) in zip(message.fields.attachmentHashes, message.attachments) {
                try write(bytes, "\(hash)")
            }
        }
    }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        let path = "\(folder)/\(name)"
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data(bytes), attributes: attributes)
        else { throw ConfigurationError("cannot write '\(path)'") }
    }
}
