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
        try checkHolds(range, reader)
        let files = try arguments["out"].map { try ExtractedFiles(folder: $0) }
        let copy = try arguments["log"].map {
            try MessageLogCopy(to: $0, keys: arguments.accountKeys())
        }
        var extracted = 0
        var erased = 0
        let isWhole = try forEach(of: reader, range) { entry in
            switch entry.content {
            case .gap: break
            case .erased: erased += 1
            case .exchange(let recorded, let keyID):
                try files?.write(
                    LoggedExchange(recorded, number: entry.number, keyID: keyID))
                extracted += 1
            }
            try copy?.add(entry)
        }
        try copy?.finish()
        print("extracted \(extracted)" + (erased > 0 ? ", left out \(erased) erased" : ""))
        return extracted > 0 && isWhole ? .success : .negative
    }

    static func redact(_ folder: String, _ arguments: Arguments) throws -> ExitStatus {
        guard let out = arguments["out"] else { throw UsageError("--out DIR is missing") }
        let reader = try arguments.messageLog(folder)
        let copy = try MessageLogCopy(
            to: out, keys: Keyring(),
            redaction: MessageLogCopy.Redaction(
                dropsAttachments: !arguments.isSet("keep-attachments"), dropsAccounts: true,
                services: Set(arguments.values("service"))))
        let isWhole = try forEach(of: reader, 1...UInt64.max) { try copy.add($0) }
        try copy.finish()
        print("kept \(copy.written), left out \(copy.leftOut)")
        return isWhole ? .success : .negative
    }

    /// Calls `body` for the entries of these numbers, and says what could not be read; true if
    /// that is nothing.
    private static func forEach(
        of reader: MessageLogReader, _ numbers: ClosedRange<UInt64>,
        _ body: (MessageLogEntry) throws -> Void
    ) throws -> Bool {
        var isWhole = true
        func tell(_ text: String) {
            isWhole = false
            print("not read: \(text)")
        }
        let end = numbers.upperBound > reader.last ? try reader.unreadableEnd() : nil
        try reader.forEachReadable(in: numbers, unreadable: tell, body)
        if let end { tell("\(end)") }
        return isWhole
    }

    private static func checkHolds(
        _ numbers: ClosedRange<UInt64>, _ reader: MessageLogReader
    ) throws {
        let (first, last) = (reader.first, reader.last)
        guard numbers.lowerBound > last || numbers.upperBound < first else { return }
        let (low, high) = (numbers.lowerBound, numbers.upperBound)
        let wanted = low == high ? "no exchange \(low)" : "none of the exchanges \(low) to \(high)"
        let held = first <= last ? "\(first) to \(last)" : "none"
        let end = try reader.unreadableEnd().map { "; \($0)" } ?? ""
        throw ConfigurationError("there is \(wanted); the recording has \(held)\(end)")
    }

    private static func numbers(_ text: String) throws -> ClosedRange<UInt64> {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map {
            UInt64($0.hasPrefix("#") ? $0.dropFirst() : $0)
        }
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
