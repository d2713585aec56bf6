internal import Locking
internal import Messages

/// Snapshots in a folder: for each one file with its chunks one behind another, and a manifest.
///
/// ```
/// FOLDER/SEQUENCE-ID.chunks      named once its bytes are on the disk
/// FOLDER/SEQUENCE-ID.manifest    see `SnapshotManifest`; named last, so that it makes the snapshot
/// FOLDER/incoming.*              being made; removed at the next start
/// ```
final class SnapshotStore: Sendable {
    static let incomingChunks = "incoming.chunks"
    static let incomingManifest = "incoming.manifest"

    struct State: Sendable {
        /// By position.
        var snapshots: [Snapshot] = []
        var damage: [SegmentDamage] = []
        /// Where a snapshot that is being made stands.
        var pending: Position?
    }

    let folder: Folder
    private let epoch: UInt64
    private let mode: SegmentLog.Mode
    private let state = Locked(State())

    /// Finds the snapshots of a journal in a folder.
    init(_ path: String, epoch: UInt64, mode: SegmentLog.Mode, probe: DiskProbe)
        throws(JournalError)
    {
        folder = Folder(path, probe)
        self.epoch = epoch
        self.mode = mode
        if mode == .readWrite { try removeUnfinished() }
        try refresh()
    }

    /// Those that are kept and whole as far as their manifests say, oldest first.
    var snapshots: [Snapshot] { state.withLock { $0.snapshots } }
    /// Manifests and files that are not as they were written.
    var damage: [SegmentDamage] { state.withLock { $0.damage } }
    /// Where a snapshot that is being made stands.
    var pending: Position? { state.withLock { $0.pending } }

    /// Looks again at what is in the folder.
    func refresh() throws(JournalError) {
        guard folder.exists() else { return }
        var found: [Snapshot] = []
        var damage: [SegmentDamage] = []
        for name in try folder.names() where name.hasSuffix(".manifest") {
            guard name != Self.incomingManifest else { continue }
            switch try look(at: name) {
            case .success(let snapshot): found.append(snapshot)
            case .failure(let place): damage.append(place)
            case nil: continue
            }
        }
        let sorted = found.sorted { $0.position.sequence < $1.position.sequence }
        state.withLock {
            $0.snapshots = sorted
            $0.damage = damage
        }
    }

    /// A chunk's bytes as they stand in the file; nil if there is no such snapshot or chunk.
    func chunk(_ index: Int, of id: ContentHash) throws(JournalError) -> [UInt8]? {
        guard let snapshot = snapshots.first(where: { $0.id == id }),
            snapshot.chunks.indices.contains(index)
        else { return nil }
        let offset = snapshot.chunks[..<index].reduce(0) { $0 + $1.byteCount }
        let count = snapshot.chunks[index].byteCount
        guard let file = try folder.fileIfAny(Self.name(of: snapshot) + ".chunks") else {
            return nil
        }
        let bytes = try file.read(at: offset, count: count)
        guard bytes.count == count else {
            throw SegmentDamage(
                file: file.path, offset: offset + bytes.count, reason: "chunk \(index) is cut off"
            ).error
        }
        return bytes
    }

    func begin(at position: Position) throws(JournalError) -> SnapshotFileWriter {
        let isFree = state.withLock { state in
            guard state.pending == nil else { return false }
            state.pending = position
            return true
        }
        guard isFree else { throw JournalError(.busy, "a snapshot is being made already") }
        do throws(JournalError) {
            try folder.make()
            return try SnapshotFileWriter(store: self, position: position)
        } catch {
            end()
            throw error
        }
    }

    /// Nothing is being made any more.
    func end() { state.withLock { $0.pending = nil } }

    /// Lists a snapshot that is on the disk.
    func add(_ snapshot: Snapshot) {
        state.withLock { state in
            state.snapshots.removeAll { $0.id == snapshot.id }
            let index =
                state.snapshots.firstIndex {
                    $0.position.sequence > snapshot.position.sequence
                } ?? state.snapshots.endIndex
            state.snapshots.insert(snapshot, at: index)
        }
    }

    /// Removes a snapshot and its bytes.
    func remove(_ snapshot: Snapshot) throws(JournalError) {
        state.withLock { $0.snapshots.removeAll { $0.id == snapshot.id } }
        let name = Self.name(of: snapshot)
        // Without its manifest a file of chunks counts as unfinished.
        try folder.remove(name + ".manifest")
        try folder.sync()
        try folder.remove(name + ".chunks")
    }

    static func name(of snapshot: Snapshot) -> String {
        let digits = String(snapshot.position.sequence)
        return "\(String(repeating: "0", count: 20 - digits.count))\(digits)-\(snapshot.id)"
    }

    private enum Look {
        case success(Snapshot)
        case failure(SegmentDamage)
    }

    /// Nil if the snapshot was removed meanwhile.
    private func look(at name: String) throws(JournalError) -> Look? {
        guard let file = try folder.fileIfAny(name) else { return nil }
        let bytes = try file.read(at: 0, count: try file.size())
        func damage(_ offset: Int, _ reason: String, of path: String? = nil) -> Look {
            .failure(SegmentDamage(file: path ?? file.path, offset: offset, reason: reason))
        }
        guard let snapshot = SnapshotManifest.decode(bytes) else {
            return damage(0, "no whole manifest of a snapshot")
        }
        guard snapshot.position.epoch == epoch else {
            return damage(8, "the snapshot belongs to another journal")
        }
        let base = Self.name(of: snapshot)
        guard name == base + ".manifest" else {
            return damage(16, "the manifest belongs to another snapshot")
        }
        let chunks = "\(base).chunks"
        guard let size = folder.size(of: chunks) else {
            guard folder.size(of: name) != nil else { return nil }
            return damage(0, "the file is missing", of: "\(folder.path)/\(chunks)")
        }
        guard size == snapshot.byteCount else {
            return damage(
                min(size, snapshot.byteCount),
                "\(size) bytes; the manifest says \(snapshot.byteCount)",
                of: "\(folder.path)/\(chunks)")
        }
        return .success(snapshot)
    }

    private func removeUnfinished() throws(JournalError) {
        guard folder.exists() else { return }
        let names = try folder.names()
        for name in names {
            let isLone =
                name.hasSuffix(".chunks")
                && !names.contains("\(name.dropLast(".chunks".count)).manifest")
            if isLone || name.hasPrefix("incoming.") { try folder.remove(name) }
        }
        // A snapshot that is listed from now on has to have its name on the disk.
        try folder.sync()
    }
}
