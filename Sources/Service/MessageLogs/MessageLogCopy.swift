import Foundation
public import Journal
import Messages
import Sodium

/// Writes a part of a message log to another folder.
public final class MessageLogCopy {
    /// What is left out on the way.
    public struct Redaction: Sendable {
        /// Attachments become their hashes.
        public var dropsAttachments: Bool
        /// Exchanges of accounts are left out.
        public var dropsAccounts: Bool
        /// The only services that are kept; empty for all.
        public var services: Set<String>

        /// From its parts; by default nothing is left out.
        public init(
            dropsAttachments: Bool = false, dropsAccounts: Bool = false,
            services: Set<String> = []
        ) {
            self.dropsAttachments = dropsAttachments
            self.dropsAccounts = dropsAccounts
            self.services = services
        }
    }

    private let writer: MessageLogWriter
    private let keys: Keyring
    private let redaction: Redaction
    /// Entries that were written.
    public private(set) var written = 0
    /// Entries that were left out.
    public private(set) var leftOut = 0

    /// Begins a log in a new folder or an empty one.
    ///
    /// - Throws: `ConfigurationError` if anything is there already, or what the folder refuses.
    public init(to folder: String, keys: Keyring, redaction: Redaction = Redaction()) throws {
        try MessageLogFolder.checkMayHoldLog(folder)
        var random = SecureGenerator()
        writer = try MessageLogWriter(
            folder: folder, newEpoch: random.next(),
            retention: MessageLogWriter.Retention(bytesMax: .max))
        guard writer.count == 0 else {
            throw ConfigurationError("'\(folder)' holds a message log already")
        }
        self.keys = keys
        self.redaction = redaction
    }

    /// Copies an entry, or leaves it out. One that is encrypted stays so, under the same key.
    ///
    /// - Throws: `JournalError`, or `MessageLogFault` if it is no exchange.
    public func add(_ entry: MessageLogEntry) throws {
        guard let copy = try copied(entry) else {
            leftOut += 1
            return
        }
        try writer.append([copy])
        written += 1
    }

    /// Returns once everything is on the disk.
    ///
    /// - Throws: `JournalError`.
    public func finish() throws { try writer.sync() }

    private func copied(_ entry: MessageLogEntry) throws -> MessageLogWriter.Entry? {
        switch entry.content {
        case .erased: return nil
        case .gap(let gap): return .gap(gap, entry.recordedTime)
        case .exchange(var recorded, let keyID):
            let exchange = try LoggedExchange(recorded, number: entry.number, keyID: keyID)
            let isWanted =
                redaction.services.isEmpty || redaction.services.contains(exchange.service)
            let isPersonal = keyID != nil || exchange.request.fields.text(.account) != nil
            guard isWanted, !(isPersonal && redaction.dropsAccounts) else { return nil }
            if redaction.dropsAttachments, recorded.summary.attachments == .full {
                let hashes = RecordedAttachments.hash
                recorded.request = hashes.applied(to: exchange.request).sharedFrames()
                recorded.reply = hashes.applied(to: exchange.reply).sharedFrames()
                recorded.summary.attachments = hashes
            }
            guard let keyID else { return .plain(recorded) }
            return keys[keyID].map { .sealed(recorded, $0) }
        }
    }
}
