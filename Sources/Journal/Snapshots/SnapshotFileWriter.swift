internal import Messages

/// Writes a snapshot's chunks behind one another, and at last its manifest.
final class SnapshotFileWriter: SnapshotWriter {
    private let store: SnapshotStore
    private let position: Position
    private let file: File
    private var list = ChunkList()
    private var end = 0
    private var isFinished = false

    init(store: SnapshotStore, position: Position) throws(JournalError) {
        self.store = store
        self.position = position
        file = try store.folder.file(SnapshotStore.incomingChunks, .write)
        try file.truncate(to: 0)
    }

    deinit {
        guard !isFinished else { return }
        // Best effort: what stays is removed at the next start.
        try? store.folder.remove(SnapshotStore.incomingChunks)
        store.end()
    }

    func append(_ chunk: [UInt8], stream: String) throws(JournalError) {
        precondition(!isFinished, "the snapshot was finished")
        try file.write(chunk, at: end)
        list.add(chunk, stream: stream)
        end += chunk.count
        file.beginSync()
    }

    func finish(blobs: [ContentHash]) throws(JournalError) -> Snapshot {
        precondition(!isFinished, "the snapshot was finished")
        let snapshot = list.snapshot(at: position, blobs: blobs)
        let folder = store.folder
        let name = SnapshotStore.name(of: snapshot)
        try file.sync()
        let manifest = try folder.file(SnapshotStore.incomingManifest, .write)
        try manifest.truncate(to: 0)
        try manifest.write(SnapshotManifest.encode(snapshot), at: 0)
        try manifest.sync()
        try folder.rename(SnapshotStore.incomingChunks, to: folder, name + ".chunks")
        // The manifest must not get its name on the disk before the chunks have theirs.
        try folder.sync()
        try folder.rename(SnapshotStore.incomingManifest, to: folder, name + ".manifest")
        try folder.sync()
        isFinished = true
        store.add(snapshot)
        store.end()
        return snapshot
    }
}
