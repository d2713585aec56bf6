internal import Foundation
internal import Messages

/// Reads what was recorded in a folder, beside a writer or after it.
public final class MessageLogReader: Sendable {
    /// For how long, and how often, an end is looked at before it counts as torn.
    private static let looks = 5
    private static let lookMicroseconds: UInt32 = 20_000
    private let log: SegmentLog
    private let keys: Keyring

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - folder: Where was recorded.
    ///   - keys: What exchanges of accounts are read with; those of other keys come as erased.
    /// - Throws: `JournalError` with `notFound` if nothing was recorded there.
    public init(folder: String, keys: Keyring = Keyring()) throws(JournalError) {
        self.keys = keys
        log = try SegmentLog(
            folder: folder, prefix: MessageLogFormat.prefix, mode: .readOnly, newEpoch: 0,
            recordBytesMax: MessageLogFormat.recordBytesMax)
    }

    /// The number of the first entry that is kept; 1 unless older ones were removed.
    public var first: UInt64 { log.firstSequence }
    /// The number of the last entry that can be read; 0 if there is none.
    public var last: UInt64 { log.lastSequence }
    /// Entries that can be read.
    public var count: UInt64 { last + 1 - first }
    /// Files that can be read, in part or whole.
    public var files: Int { log.readableFiles }
    /// Bytes of the files, as far as they can be read.
    public var byteCount: Int { log.byteCount }
    /// The place behind which exchanges cannot be read; nil if all can.
    public var damage: SegmentDamage? { log.damage }

    /// Where the last file ends in something that is no entry, because writing it was cut short;
    /// nil if it does not, or a writer is going on there.
    ///
    /// - Throws: `JournalError` as the system says.
    public func tornEnd() throws(JournalError) -> SegmentDamage? {
        guard damage == nil, let torn = try log.tornEnd() else { return nil }
        for _ in 0..<Self.looks {
            usleep(Self.lookMicroseconds)
            try log.refresh()
            // What was being written is there by now, and perhaps the next is.
            guard let now = try log.tornEnd(), now.file == torn.file, now.offset == torn.offset
            else { return nil }
        }
        return torn
    }

    /// The entries behind a number, in order.
    ///
    /// - Parameters:
    ///   - number: The last entry that the caller has; 0 for none.
    ///   - countMax: Entries at most; fewer if they are large.
    /// - Throws: `JournalError` if the first of them cannot be read.
    public func read(
        after number: UInt64, countMax: Int
    ) throws(JournalError) -> [MessageLogEntry] {
        let start = max(number, first - 1)
        let records = try log.read(
            after: start, recordsMax: countMax, bytesMax: Limits.tailBytesMax)
        var entries: [MessageLogEntry] = []
        for (index, bytes) in records.enumerated() {
            let number = start + UInt64(index) + 1
            guard let entry = MessageLogCodec.decode(bytes, sequence: number, keys: keys) else {
                guard entries.isEmpty else { break }
                throw JournalError(.damaged, "entry \(number) cannot be decoded")
            }
            entries.append(entry)
        }
        return entries
    }

    /// One entry; nil if there is none of this number.
    ///
    /// - Throws: `JournalError` if it cannot be read.
    public func entry(_ number: UInt64) throws(JournalError) -> MessageLogEntry? {
        guard number >= first, number <= last else { return nil }
        return try read(after: number - 1, countMax: 1).first
    }

    /// Calls `body` for every entry, in order; in bounded memory.
    ///
    /// - Throws: `JournalError` if an entry cannot be read, or what `body` throws.
    public func forEach(_ body: (MessageLogEntry) throws -> Void) throws {
        var after: UInt64 = 0
        while true {
            let entries = try read(after: after, countMax: 256)
            guard let last = entries.last else { return }
            for entry in entries { try body(entry) }
            after = last.number
        }
    }

    /// Finds what the writer has recorded since.
    ///
    /// - Throws: `JournalError` as the system says.
    public func refresh() throws(JournalError) { try log.refresh() }
}
