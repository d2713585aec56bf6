internal import Messages

/// The account keys of a journal in one file, for its owner only: the only place where they are.
///
/// Each key is a record as `SegmentFormat` has them, so that a torn write, which was never used and
/// is cut off, is told from damage. A destroyed key is gone from the file, which is written anew;
/// its old bytes are overwritten.
struct KeyFile {
    static let name = "keys"
    /// Keeps records of logs from passing for keys.
    private static let epoch: UInt64 = 0x534C_4B45_5953_0001
    private let folder: Folder
    private var file: File
    private var end: Int

    /// Reads the keys in a folder; the file is made if there is none.
    init(in folder: Folder, keyring: inout Keyring) throws(JournalError) {
        self.folder = folder
        file = try folder.file(Self.name, .write)
        let bytes = try file.read(at: 0, count: try file.size())
        end = try Self.read(bytes, file.path, into: &keyring)
        if end < bytes.count { try file.truncate(to: end) }
        // What a killed process has written may not be on the disk yet.
        try file.sync()
        try folder.sync()
    }

    /// The keys in a folder, for reading only; none if there is no file.
    static func keyring(in folder: Folder) throws(JournalError) -> Keyring {
        guard folder.size(of: name) != nil else { return Keyring() }
        return try keyring(in: folder, name: name)
    }

    /// The keys in a file that must exist, for reading only.
    static func keyring(in folder: Folder, name: String) throws(JournalError) -> Keyring {
        var keyring = Keyring()
        let file = try folder.file(name, .read)
        let bytes = try file.read(at: 0, count: try file.size())
        _ = try read(bytes, file.path, into: &keyring)
        return keyring
    }

    /// Writes a ring to a file of any name, for its owner only; on the disk once this returns.
    static func write(_ keyring: Keyring, to path: String) throws(JournalError) {
        let end = path.lastIndex(of: "/")
        let folder = Folder(end.map { String(path[..<$0]) } ?? ".", .none)
        let name = end.map { String(path[path.index(after: $0)...]) } ?? path
        try folder.replace(name, by: Self.encoded(keyring.all))
    }

    /// Copies keys that `write` wrote into a journal's folder; returns how many there are.
    static func copy(from path: String, to folder: Folder) throws(JournalError) -> Int {
        let file = try File(path, .read, .none)
        let bytes = try file.read(at: 0, count: try file.size())
        var keyring = Keyring()
        guard try read(bytes, path, into: &keyring) == bytes.count else {
            throw SegmentDamage(
                file: path, offset: bytes.count, reason: "the last key is cut off"
            ).error
        }
        try folder.replace(name, by: bytes)
        return keyring.count
    }

    /// Adds keys; they are on the disk once this returns.
    mutating func append(_ keys: [AccountKey]) throws(JournalError) {
        guard !keys.isEmpty else { return }
        let bytes = Self.encoded(keys)
        try file.write(bytes, at: end)
        try file.sync()
        end += bytes.count
    }

    /// Leaves nothing in the file but the keys of a ring; on the disk once this returns.
    mutating func replace(by keyring: Keyring) throws(JournalError) {
        let bytes = Self.encoded(keyring.all)
        let fresh = try folder.file(Self.name + ".new", .write)
        try fresh.truncate(to: 0)
        try fresh.write(bytes, at: 0)
        try fresh.sync()
        try folder.rename(Self.name + ".new", to: folder, Self.name)
        try folder.sync()
        // The old file has no name any more; its blocks may outlive it.
        try file.write([UInt8](repeating: 0, count: end), at: 0)
        try file.sync()
        file = fresh
        end = bytes.count
    }

    /// Keys that are written at once; everything before them is on the disk.
    private static func encoded(_ keys: [AccountKey]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, key) in keys.enumerated() {
            SegmentFormat.append(
                key.encoded(), epoch: epoch, afterSync: index == 0, to: &bytes)
        }
        return bytes
    }

    /// Adds the keys of a file's bytes; returns where a torn write begins.
    private static func read(
        _ bytes: [UInt8], _ path: String, into keyring: inout Keyring
    ) throws(JournalError) -> Int {
        let found = SegmentFormat.scan(bytes, from: 0, epoch: epoch)
        for offset in found.offsets {
            guard let record = SegmentFormat.record(in: bytes, at: offset, epoch: epoch),
                let key = AccountKey(decoding: Array(bytes[record.range]))
            else { throw damage(path, offset) }
            keyring.add(key)
        }
        let isTorn = !SegmentFormat.hasRecordAfterSync(
            in: bytes, behind: found.end, epoch: epoch)
        guard found.end == bytes.count || isTorn else { throw damage(path, found.end) }
        return found.end
    }

    private static func damage(_ path: String, _ offset: Int) -> JournalError {
        SegmentDamage(file: path, offset: offset, reason: "no whole account key").error
    }
}
