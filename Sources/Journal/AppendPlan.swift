internal import Messages
internal import Sodium

/// What a backend has to store for a group of changes, decided without storing anything.
///
/// Both backends follow the same plan, so that they refuse and number alike.
struct AppendPlan: Sendable {
    /// Bytes of the blobs that travel with one record to every replica, and of the record: half
    /// of what a message may hold.
    static var travellingBytesMax: Int { Limits.messageBytesMax / 2 }

    /// One for each entry; stored ones hold once the plan was carried out.
    private(set) var outcomes: [AppendOutcome] = []
    /// With position, recorded time and stream.
    private(set) var records: [Record] = []
    /// `records`, encoded.
    private(set) var encoded: [[UInt8]] = []
    /// Not stored yet, each once.
    private(set) var blobs: [(hash: ContentHash, bytes: [UInt8])] = []
    /// Stored before, and named by one of the records.
    private(set) var existing: [ContentHash] = []

    private let epoch: UInt64
    private var sequence: UInt64
    private var planned: [ChangeKey: UInt64] = [:]
    private var plannedBlobs: [ContentHash: Int] = [:]

    /// Plans a group behind the head.
    init(
        _ entries: [JournalEntry], head: Position, window: ChangeWindow,
        size: (ContentHash) -> Int?
    ) {
        epoch = head.epoch
        sequence = head.sequence
        for entry in entries { outcomes.append(plan(entry, window, size)) }
    }

    /// Remembers in the window what was stored.
    func remember(in window: inout ChangeWindow) {
        for record in records {
            guard let key = ChangeKey(record), let position = record.position else { continue }
            window.insert(key, position.sequence)
        }
    }

    private mutating func plan(
        _ entry: JournalEntry, _ window: ChangeWindow, _ size: (ContentHash) -> Int?
    ) -> AppendOutcome {
        guard let key = ChangeKey(entry.record) else {
            return .refused("a change has a source and a change id")
        }
        if let known = planned[key] ?? window.sequence(of: key) {
            return .duplicate(Position(epoch: epoch, sequence: known))
        }
        var brought: [ContentHash: [UInt8]] = [:]
        if let fault = check(entry, size, into: &brought) { return .refused(fault) }
        let position = Position(epoch: epoch, sequence: sequence + 1)
        let record = stamped(entry, position)
        let bytes = record.encoded()
        guard bytes.count <= Limits.recordBytesMax else {
            return .refused("a record has at most \(Limits.recordBytesMax) bytes")
        }
        sequence += 1
        planned[key] = sequence
        records.append(record)
        encoded.append(bytes)
        take(record.fields.blobs.map(\.hash), brought, size)
        return .stored(position)
    }

    /// Why an entry's blobs are refused; nil if they are as its record says.
    private func check(
        _ entry: JournalEntry, _ size: (ContentHash) -> Int?,
        into brought: inout [ContentHash: [UInt8]]
    ) -> String? {
        let named = entry.record.fields.blobs
        guard named.count <= Limits.blobsPerRecordMax else {
            return "a record has at most \(Limits.blobsPerRecordMax) blobs"
        }
        for bytes in entry.blobs {
            guard bytes.count <= Limits.blobBytesMax else {
                return "a blob has at most \(Limits.blobBytesMax) bytes"
            }
            guard let hash = ContentHash(bytes: Digest.sha256(bytes)),
                named.contains(where: { $0.hash == hash })
            else {
                return "an attachment's bytes have none of the hashes that the record names"
            }
            brought[hash] = bytes
        }
        let travelling = Set(entry.record.travellingBlobs)
        var bytes = entry.record.encodedByteCount
        for hash in Set(named.map(\.hash)).sorted() {
            guard let count = brought[hash]?.count ?? plannedBlobs[hash] ?? size(hash) else {
                return "blob \(hash) is neither brought nor stored"
            }
            if travelling.contains(hash) { bytes += count }
        }
        guard bytes <= Self.travellingBytesMax else {
            return "prints and thumbnails have at most \(Self.travellingBytesMax) bytes together"
        }
        return nil
    }

    private func stamped(_ entry: JournalEntry, _ position: Position) -> Record {
        var record = entry.record
        record.fields.position = position
        record.fields.set(.recordedTime, timestamp: entry.recordedTime)
        if let kind = record.kind { record.fields.set(.stream, text: kind.stream) }
        return record
    }

    private mutating func take(
        _ hashes: [ContentHash], _ brought: [ContentHash: [UInt8]], _ size: (ContentHash) -> Int?
    ) {
        for hash in hashes where plannedBlobs[hash] == nil {
            if let bytes = brought[hash], size(hash) != bytes.count {
                blobs.append((hash, bytes))
                plannedBlobs[hash] = bytes.count
            } else {
                existing.append(hash)
            }
        }
    }
}
