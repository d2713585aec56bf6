public import Journal
import Messages

/// What reading all of a message log found.
public struct MessageLogCheck: Sendable {
    /// Requests with their replies that are as they were written.
    public private(set) var exchanges = 0
    /// Exchanges whose content nobody can read any more; their checksums are right.
    public private(set) var erased = 0
    /// Places where the recorder left exchanges out.
    public private(set) var gaps = 0
    /// Exchanges that it left out there.
    public private(set) var leftOut: UInt64 = 0
    /// Attachments whose bytes have the hash that names them.
    public private(set) var attachments = 0
    /// Where the log is not as it was written, each with file and offset or number.
    public private(set) var faults: [String] = []

    /// Reads everything: checksums, numbers, encryption, messages, attachments.
    public init(_ reader: MessageLogReader) {
        if let damage = reader.damage { faults.append("\(damage)") }
        do {
            if let torn = try reader.tornEnd() { faults.append("\(torn)") }
        } catch {
            faults.append("\(error)")
        }
        var after = reader.first - 1
        while after < reader.last {
            do {
                let entries = try reader.read(after: after, countMax: 64)
                guard let last = entries.last else { return }
                for entry in entries { check(entry) }
                after = last.number
            } catch {
                faults.append("\(error)")
                after += 1
            }
        }
    }

    private mutating func check(_ entry: MessageLogEntry) {
        switch entry.content {
        case .gap(let gap):
            gaps += 1
            leftOut += gap.count
        case .erased: erased += 1
        case .exchange(let recorded, let keyID):
            do {
                let exchange = try LoggedExchange(recorded, number: entry.number, keyID: keyID)
                exchanges += 1
                guard recorded.summary.attachments == .full else { return }
                checkAttachments(of: exchange)
            } catch {
                faults.append("\(error)")
            }
        }
    }

    private mutating func checkAttachments(of exchange: LoggedExchange) {
        for message in [exchange.request, exchange.reply] {
            for (hash, bytes) in zip(message.fields.attachmentHashes, message.attachments) {
                // A client may have sent what it liked: the router checks no hashes.
                if ContentHash.of(bytes) == hash { attachments += 1 }
            }
        }
    }
}
