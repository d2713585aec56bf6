internal import Messages

/// The account keys of a journal in one file, for its owner only: the only place where they are.
///
/// A line for each key: the key in hexadecimal, a space, the CRC-32C of it in hexadecimal. Behind
/// lines that are on the disk stands a line `synced`: what is not whole in front of one is damage;
/// what is not whole behind the last one was torn, was never used, and is cut off. A destroyed key
/// is gone from the file, which is written anew; its old bytes are overwritten then.
struct KeyFile {
    static let name = "keys"
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
        try folder.replace(name, by: bytes(of: keyring))
    }

    /// Copies keys that `write` wrote into a journal's folder; returns how many there are.
    static func copy(from path: String, to folder: Folder) throws(JournalError) -> Int {
        let file = try File(path, .read, .none)
        let bytes = try file.read(at: 0, count: try file.size())
        var keyring = Keyring()
        guard try read(bytes, path, into: &keyring) == bytes.count else {
            throw SegmentDamage(
                file: path, offset: bytes.count, reason: "the last line is cut off"
            ).error
        }
        try folder.replace(name, by: bytes)
        return keyring.count
    }

    /// Adds keys; they are on the disk once this returns.
    mutating func append(_ keys: [AccountKey]) throws(JournalError) {
        guard !keys.isEmpty else { return }
        let bytes = keys.flatMap { Self.line($0) }
        try file.write(bytes, at: end)
        try file.sync()
        end += bytes.count
        // Not waited for: if it is lost, the lines in front of it are whole all the same.
        try file.write(Self.syncedLine, at: end)
        end += Self.syncedLine.count
    }

    /// Leaves nothing in the file but the keys of a ring; on the disk once this returns.
    mutating func replace(by keyring: Keyring) throws(JournalError) {
        let bytes = Self.bytes(of: keyring)
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

    private static let syncedLine = Array("synced\n".utf8)

    private static func bytes(of keyring: Keyring) -> [UInt8] {
        keyring.all.flatMap { line($0) } + syncedLine
    }

    private static func line(_ key: AccountKey) -> [UInt8] {
        let encoded = key.encoded()
        let check = Hex.encode(bigEndianBytes(CRC32C(encoded).value))
        return Array("\(Hex.encode(encoded)) \(check)\n".utf8)
    }

    /// Adds the keys of a file's bytes; returns where the last whole line ends.
    private static func read(
        _ bytes: [UInt8], _ path: String, into keyring: inout Keyring
    ) throws(JournalError) -> Int {
        var start = 0
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[start...end]
            if !line.elementsEqual(syncedLine) {
                guard let key = key(line.dropLast()) else { break }
                keyring.add(key)
            }
            start = end + 1
        }
        guard !isSynced(bytes[start...]) else {
            throw SegmentDamage(
                file: path, offset: start, reason: "this line is no account key"
            ).error
        }
        return start
    }

    private static func key(_ line: ArraySlice<UInt8>) -> AccountKey? {
        let words = line.split(separator: UInt8(ascii: " ")).map {
            Hex.decode(String(decoding: $0, as: UTF8.self)) ?? []
        }
        guard words.count == 2, words[1] == bigEndianBytes(CRC32C(words[0]).value) else {
            return nil
        }
        return AccountKey(decoding: words[0])
    }

    /// Whether a line behind the first of these, which is not whole, says that they were synced.
    private static func isSynced(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.split(separator: UInt8(ascii: "\n")).contains {
            // What stands in front of it in its line may be what became of an end of a line.
            $0.suffix(syncedLine.count - 1).elementsEqual(syncedLine.dropLast())
        }
    }
}
