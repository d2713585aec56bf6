public import Journal
import Messages
import Queue

/// Makes snapshots of a journal: applies the records behind the newest one as a replica does, and
/// writes down the state.
///
/// It runs beside the journal, on a thread of its own; memory holds the entities, never prints.
public struct SnapshotMaker: Sendable {
    private let backend: any JournalBackend

    /// For a journal.
    public init(_ backend: any JournalBackend) {
        self.backend = backend
    }

    /// Makes a snapshot of the journal's head; nil if the newest one is there already.
    ///
    /// - Parameter shouldStop: Asked between records; true gives the work up.
    /// - Throws: `JournalError`, or `SnapshotFault` if the newest snapshot cannot be read.
    public func make(shouldStop: () -> Bool = { false }) throws -> Snapshot? {
        let head = backend.head
        let newest = backend.snapshots.last
        guard head.sequence > newest?.position.sequence ?? 0 else { return nil }
        var content = try content(of: newest, shouldStop)
        try catchUp(&content, from: newest?.position.sequence ?? 0, to: head, shouldStop)
        return shouldStop() ? nil : try write(content, at: head)
    }

    /// What the journal says at its head; nil if the work was given up.
    ///
    /// - Throws: As `make` does.
    func contentOfHead(_ shouldStop: () -> Bool) throws -> ReplicaContent? {
        let newest = backend.snapshots.last
        var content = try content(of: newest, shouldStop)
        try catchUp(
            &content, from: newest?.position.sequence ?? 0, to: backend.head, shouldStop)
        return shouldStop() ? nil : content
    }

    private func content(
        of snapshot: Snapshot?, _ shouldStop: () -> Bool
    ) throws -> ReplicaContent {
        var content = ReplicaContent()
        content.keepsPrints = false
        content.keyring = backend.keyring
        guard let snapshot else { return content }
        for index in snapshot.chunks.indices where !shouldStop() {
            guard let bytes = try backend.chunk(index, of: snapshot.id) else {
                throw SnapshotFault("chunk \(index) of \(snapshot.id) is not there")
            }
            let part = try SnapshotPart(decoding: bytes)
            let brought = Dictionary(part.blobs.map { ($0.hash, $0.bytes) }) { first, _ in first }
            content.putAside += part.putAside
            for record in part.records { apply(record, to: &content) { brought[$0] } }
        }
        return content
    }

    private func catchUp(
        _ content: inout ReplicaContent, from sequence: UInt64, to head: Position,
        _ shouldStop: () -> Bool
    ) throws {
        var after = sequence
        while after < head.sequence, !shouldStop() {
            let count = Int(min(head.sequence - after, 256))
            let records = try backend.read(after: after, recordsMax: count, bytesMax: 16 << 20)
            guard let last = records.last?.position else { break }
            for key in backend.keyring.all where content.keyring[key.id] == nil {
                content.keyring.add(key)
            }
            for record in records {
                apply(record, to: &content) { (try? backend.blob($0)) ?? nil }
            }
            content.unsavedRows = []
            content.endedAccounts = []
            content.changed = WorkerChange()
            after = last.sequence
        }
        content.position = Position(epoch: head.epoch, sequence: after)
    }

    private func apply(
        _ record: Record, to content: inout ReplicaContent, blob: (ContentHash) -> [UInt8]?
    ) {
        do {
            try content.apply(record, blob: blob)
        } catch {
            content.putAside(record, reason: error.description)
        }
    }

    private func write(_ content: ReplicaContent, at head: Position) throws -> Snapshot {
        let writer = try backend.beginSnapshot(at: head)
        var part = SnapshotPart()
        part.putAside = content.putAside
        try content.catalogRecords { record, hashes in
            part.records.append(record)
            for hash in hashes {
                // A blob that cannot be read puts its entity aside, on every replica alike.
                if let bytes = (try? backend.blob(hash)) ?? nil { part.blobs.append((hash, bytes)) }
            }
            try flush(&part, "catalog", to: writer, from: Limits.snapshotChunkBytesMax)
        }
        try flush(&part, "catalog", to: writer, from: 0)
        for kind in StoreKind.allCases {
            try content.storeRecords(kind.definition) { record in
                part.records.append(record)
                try flush(&part, kind.rawValue, to: writer, from: Limits.snapshotChunkBytesMax)
            }
            if !part.records.isEmpty { try flush(&part, kind.rawValue, to: writer, from: 0) }
        }
        return try writer.finish(blobs: content.referredBlobs)
    }

    private func flush(
        _ part: inout SnapshotPart, _ stream: String, to writer: any SnapshotWriter,
        from bytesMin: Int
    ) throws {
        guard part.byteCount >= bytesMin else { return }
        try writer.append(part.encoded(), stream: stream)
        part = SnapshotPart()
    }
}
