internal import Messages

/// The account keys of a journal in one file, for its owner only: the only place where they are.
///
/// A line for each key: the key in hexadecimal, a space, the CRC-32C of it in hexadecimal. A line
/// of the same form with the key's id and a status says what the owner of the key's store allows;
/// the last one counts. Behind lines that are on the disk stands a line `synced`: what is not whole in front of one is damage;
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
        try append(keys.flatMap { Self.line($0.encoded()) })
    }

    /// Adds what is allowed under keys; it is on the disk once this returns.
    mutating func append(accessUnder ids: [KeyID], of keyring: Keyring) throws(JournalError) {
        let lines = ids.flatMap { Self.accessLine($0, keyring.access(under: $0)) }
        // Every statement adds a line: those that count no more go before they are most of it.
        let fresh = Self.bytes(of: keyring)
        guard end + lines.count <= 4 * fresh.count + Self.slackBytes else {
            return try replace(by: keyring)
        }
        try append(lines)
    }

    private mutating func append(_ bytes: [UInt8]) throws(JournalError) {
        guard !bytes.isEmpty else { return }
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
    private static let slackBytes = 1 << 16

    private static func bytes(of keyring: Keyring) -> [UInt8] {
        let lines = keyring.all.flatMap { key in
            let status = keyring.access(under: key.id)
            let access = status == .notDetermined ? [] : accessLine(key.id, status)
            return line(key.encoded()) + access
        }
        return lines + syncedLine
    }

    private static func accessLine(_ id: KeyID, _ status: AccessStatus) -> [UInt8] {
        line(id.bytes + Array(status.rawValue.utf8))
    }

    private static func line(_ encoded: [UInt8]) -> [UInt8] {
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
                guard take(line.dropLast(), into: &keyring) else { break }
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

    /// Adds the key of a line, or what the line says of one; whether it is whole.
    private static func take(_ line: ArraySlice<UInt8>, into keyring: inout Keyring) -> Bool {
        let words = line.split(separator: UInt8(ascii: " ")).map {
            Hex.decode(String(decoding: $0, as: UTF8.self)) ?? []
        }
        guard words.count == 2, words[1] == bigEndianBytes(CRC32C(words[0]).value) else {
            return false
        }
        if let key = AccountKey(decoding: words[0]) {
            keyring.add(key)
            return true
        }
        guard let id = KeyID(bytes: Array(words[0].prefix(KeyID.byteCount))),
            let status = AccessStatus(
                rawValue: String(
                    decoding: words[0].dropFirst(KeyID.byteCount), as: UTF8.self))
        else { return false }
        keyring.state(status, under: id)
        return true
    }

    /// Whether a line behind the first of these, which is not whole, says that they were synced.
    private static func isSynced(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.split(separator: UInt8(ascii: "\n")).contains {
            // What stands in front of it in its line may be what became of an end of a line.
            $0.suffix(syncedLine.count - 1).elementsEqual(syncedLine.dropLast())
        }
    }
}
