internal import Messages

/// The window of changes in a file, for those whose records compaction removes.
///
/// ```
///      0    4  magic 53 4C 43 57 ("SLCW")
///      4    4  format version, 1
///      8    8  epoch of the journal
///     16    4  number of changes
///             each: 8 bytes sequence, 4 length of the source, the source, 4 length of the
///             change id, the change id
///           4  CRC-32C of everything before
/// ```
/// Integers are unsigned and big-endian.
enum ChangeFile {
    static let name = "changes"
    private static let incoming = "changes.new"
    private static let magic: [UInt8] = [0x53, 0x4C, 0x43, 0x57]
    private static let version: UInt32 = 1

    /// Replaces the file; on the disk once this returns.
    static func write(
        _ window: ChangeWindow, epoch: UInt64, in folder: Folder
    ) throws(JournalError) {
        let file = try folder.file(incoming, .write)
        try file.truncate(to: 0)
        try file.write(encode(window, epoch: epoch), at: 0)
        try file.sync()
        try folder.rename(incoming, to: folder, name)
        try folder.sync()
    }

    /// The changes in a folder's file, oldest first; none if there is no file.
    ///
    /// - Throws: `JournalError` with `damaged` if the file is not as it was written.
    static func read(
        epoch: UInt64, in folder: Folder
    ) throws(JournalError) -> [(key: ChangeKey, sequence: UInt64)] {
        guard let file = try folder.fileIfAny(name) else { return [] }
        let bytes = try file.read(at: 0, count: try file.size())
        guard let changes = decode(bytes, epoch: epoch) else {
            throw SegmentDamage(
                file: file.path, offset: 0, reason: "no whole window of changes"
            ).error
        }
        return changes
    }

    private static func encode(_ window: ChangeWindow, epoch: UInt64) -> [UInt8] {
        let changes = window.changes
        var bytes = magic + bigEndianBytes(version) + bigEndianBytes(epoch)
        bytes += bigEndianBytes(UInt32(changes.count))
        for (key, sequence) in changes {
            bytes += bigEndianBytes(sequence)
            for part in [key.source, key.changeID] {
                bytes += bigEndianBytes(UInt32(part.count)) + part
            }
        }
        return bytes + bigEndianBytes(CRC32C(bytes).value)
    }

    private static func decode(
        _ bytes: [UInt8], epoch: UInt64
    ) -> [(key: ChangeKey, sequence: UInt64)]? {
        guard bytes.count > 4,
            bigEndianInteger(bytes.suffix(4)) == CRC32C(bytes.dropLast(4)).value
        else { return nil }
        var reader = ByteReader(bytes.dropLast(4))
        guard reader.take(4).map(Array.init) == magic, reader.integer() == version,
            reader.integer() == epoch, let count: UInt32 = reader.integer()
        else { return nil }
        var changes: [(key: ChangeKey, sequence: UInt64)] = []
        for _ in 0..<count {
            guard let sequence: UInt64 = reader.integer(), let source = part(&reader),
                let changeID = part(&reader)
            else { return nil }
            changes.append((ChangeKey(source: source, changeID: changeID), sequence))
        }
        return reader.remaining == 0 ? changes : nil
    }

    private static func part(_ reader: inout ByteReader) -> [UInt8]? {
        guard let count: UInt32 = reader.integer() else { return nil }
        return reader.take(Int(count)).map(Array.init)
    }
}
