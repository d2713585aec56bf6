public import Messages
public import Queue
internal import Sodium

/// Detached requests that outlive their router: a file each, whole or not there at all.
///
/// Calls are made by one thread at a time. One process has the folder; it is for its owner only.
public struct JobFolder: Sendable {
    private let folder: Folder
    private let lock: File
    /// Random bytes that stay the same for as long as the folder: what is hashed under them is
    /// known again by the next process.
    public let key: [UInt8]
    private static let ending = ".job"
    private static let unfinished = ".new"
    private static let keyByteCount = 32

    /// Opens the folder, and makes it if there is none.
    ///
    /// - Throws: `JournalError`, with `locked` if another process has it.
    public init(_ path: String) throws(JournalError) {
        folder = Folder(path, .none)
        try folder.make()
        lock = try folder.file("lock", .write)
        guard try lock.lock() else {
            throw JournalError(.locked, "another router keeps its detached requests in \(path)")
        }
        key = try Self.key(in: folder)
    }

    private static func key(in folder: Folder) throws(JournalError) -> [UInt8] {
        if let file = try folder.fileIfAny("key") {
            let bytes = try file.read(at: 0, count: keyByteCount)
            if bytes.count == keyByteCount { return bytes }
        }
        let bytes = SecureRandom.bytes(keyByteCount)
        let file = try folder.file("key" + unfinished, .write)
        try file.truncate(to: 0)
        try file.write(bytes, at: 0)
        try file.sync()
        try folder.rename("key" + unfinished, to: folder, "key")
        try folder.sync()
        return bytes
    }

    /// What an earlier process kept, at most `countMax`, and the names of files that cannot be
    /// read, which stay where they are.
    ///
    /// - Throws: `JournalError` if the folder cannot be read.
    public func load(
        countMax: Int = Limits.jobsMax
    ) throws(JournalError) -> (jobs: [DetachedRequest], unreadable: [String]) {
        var jobs: [DetachedRequest] = []
        var unreadable: [String] = []
        for name in try folder.names() {
            if name.hasSuffix(Self.unfinished) { try folder.remove(name) }
            guard name.hasSuffix(Self.ending) else { continue }
            guard jobs.count < countMax, let job = try read(name),
                name == Self.name(of: job.id)
            else {
                unreadable.append(name)
                continue
            }
            jobs.append(job)
        }
        return (jobs, unreadable)
    }

    private func read(_ name: String) throws(JournalError) -> DetachedRequest? {
        let file = try folder.file(name, .read)
        let size = try file.size()
        guard size <= 2 * Limits.messageBytesMax else { return nil }
        return JobFormat.decode(try file.read(at: 0, count: size))
    }

    /// Keeps a request in place of what was kept of it; returns once that is on the disk.
    ///
    /// - Throws: `JournalError` as the system says; what was kept before still is then.
    public func keep(_ job: DetachedRequest) throws(JournalError) {
        let name = Self.name(of: job.id)
        let file = try folder.file(name + Self.unfinished, .write)
        try file.truncate(to: 0)
        try file.write(JobFormat.encode(job), at: 0)
        try file.sync()
        try folder.rename(name + Self.unfinished, to: folder, name)
        try folder.sync()
    }

    /// Forgets a request, if it is kept.
    ///
    /// - Throws: `JournalError` as the system says.
    public func forget(_ id: RequestID) throws(JournalError) {
        let name = Self.name(of: id)
        guard folder.size(of: name) != nil else { return }
        try folder.remove(name)
    }

    private static func name(of id: RequestID) -> String { id.description + ending }
}
