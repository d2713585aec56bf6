internal import Messages

/// What the file `backup` in a backup says: whose it is, and how far it goes. Written last.
struct BackupMarker: Equatable {
    static let name = "backup"
    let position: Position

    /// The marker in a folder; nil if there is none.
    ///
    /// - Throws: `JournalError` with `damaged` if it cannot be read.
    static func read(in folder: Folder) throws(JournalError) -> BackupMarker? {
        guard let file = try folder.fileIfAny(name) else { return nil }
        let text = String(decoding: try file.read(at: 0, count: 128), as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 4, words[0] == "sightline-backup", words[1] == "1",
            let epoch = UInt64(words[2], radix: 16), let sequence = UInt64(words[3])
        else {
            throw SegmentDamage(
                file: file.path, offset: 0, reason: "the marker of a backup is not whole"
            ).error
        }
        return BackupMarker(position: Position(epoch: epoch, sequence: sequence))
    }

    /// Replaces the marker; on the disk once this returns.
    func write(in folder: Folder) throws(JournalError) {
        let epoch = String(position.epoch, radix: 16)
        try folder.replace(
            Self.name, by: Array("sightline-backup 1 \(epoch) \(position.sequence)\n".utf8))
    }
}

extension Folder {
    /// Writes a file under its name at once; on the disk once this returns.
    func replace(_ name: String, by bytes: [UInt8]) throws(JournalError) {
        let file = try file(name + ".new", .write)
        try file.truncate(to: 0)
        try file.write(bytes, at: 0)
        try file.sync()
        try rename(name + ".new", to: self, name)
        try sync()
    }
}
