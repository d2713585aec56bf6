internal import Locking
internal import Messages
internal import Sodium

/// Blobs in files named by their hash: `blobs/ab/cdef…`.
///
/// A blob has its final name only once its bytes are on the disk, so a file under such a name is
/// always whole. What a crash left under a temporary name is removed at the next start.
final class BlobStore: Sendable {
    private let root: Folder
    private let incoming: Folder
    /// Folders whose names are known to be on the disk, so that a blob found there is durable.
    private let syncedFolders = Locked<Set<String>>([])
    /// Files that are open at once.
    private static let batchCount = 64

    /// Blobs under a folder, which is made for writing.
    init(_ path: String, mode: SegmentLog.Mode, probe: DiskProbe) throws(JournalError) {
        root = Folder(path, probe)
        incoming = root.folder("incoming")
        guard mode == .readWrite else { return }
        try incoming.make()
        for name in try incoming.names() { try incoming.remove(name) }
        // A killed process may not have waited for the names of the folders that it made.
        try root.sync()
    }

    /// Bytes of a blob; nil if it is not stored.
    func size(of hash: ContentHash) -> Int? {
        let (folder, name) = place(of: hash)
        return folder.size(of: name)
    }

    func read(_ hash: ContentHash) throws(JournalError) -> [UInt8]? {
        let (folder, name) = place(of: hash)
        guard let file = try folder.fileIfAny(name) else { return nil }
        let bytes = try file.read(at: 0, count: try file.size())
        guard Digest.sha256(bytes) == hash.bytes else {
            throw SegmentDamage(
                file: file.path, offset: 0, reason: "the blob no longer has its hash"
            ).error
        }
        return bytes
    }

    /// Stores new blobs and makes sure that stored ones are durable.
    func store(
        _ blobs: [(hash: ContentHash, bytes: [UInt8])], existing: [ContentHash]
    ) throws(JournalError) {
        var touched: [Folder] = []
        for start in stride(from: 0, to: blobs.count, by: Self.batchCount) {
            let batch = blobs[start..<min(start + Self.batchCount, blobs.count)]
            touched += try write(batch)
        }
        // A blob may have got its name in a process that died before the name was synced.
        touched += existing.map { place(of: $0).folder }.filter { !isSynced($0) }
        var seen: Set<String> = []
        for folder in touched where seen.insert(folder.path).inserted {
            try folder.sync()
            syncedFolders.withLock { _ = $0.insert(folder.path) }
        }
    }

    /// The blobs that are stored, by the folders that they are in, one at a time.
    func forEachFolder(
        _ body: ([ContentHash]) throws(JournalError) -> Void
    ) throws(JournalError) {
        guard root.exists() else { return }
        for digits in try root.names() where digits.utf8.count == 2 {
            let names = try root.folder(digits).names()
            try body(names.compactMap { ContentHash(hex: digits + $0) })
        }
    }

    /// Where a blob's file is, whether it is there or not.
    func path(of hash: ContentHash) -> String {
        let (folder, name) = place(of: hash)
        return "\(folder.path)/\(name)"
    }

    /// Removes a blob; returns its bytes' count, or nil if there is none.
    func remove(_ hash: ContentHash) throws(JournalError) -> Int? {
        let (folder, name) = place(of: hash)
        guard let count = folder.size(of: name) else { return nil }
        try folder.remove(name)
        return count
    }

    /// Writes all before it waits for the first, so that the disk gathers them.
    private func write(
        _ blobs: ArraySlice<(hash: ContentHash, bytes: [UInt8])>
    ) throws(JournalError) -> [Folder] {
        var files: [File] = []
        for (hash, bytes) in blobs {
            let file = try incoming.file(hash.description, .write)
            try file.truncate(to: 0)
            try file.write(bytes, at: 0)
            file.beginSync()
            files.append(file)
        }
        for file in files { try file.sync() }
        try root.make(blobs.map { String($0.hash.description.prefix(2)) })
        var folders: [Folder] = []
        for (hash, _) in blobs {
            let (folder, name) = place(of: hash)
            try incoming.rename(hash.description, to: folder, name)
            folders.append(folder)
        }
        return folders
    }

    private func isSynced(_ folder: Folder) -> Bool {
        syncedFolders.withLock { $0.contains(folder.path) }
    }

    private func place(of hash: ContentHash) -> (folder: Folder, name: String) {
        let digits = hash.description
        return (root.folder(String(digits.prefix(2))), String(digits.dropFirst(2)))
    }
}
