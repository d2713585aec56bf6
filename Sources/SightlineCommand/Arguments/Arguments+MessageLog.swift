import Foundation
import Journal
import Service

extension Arguments {
    /// The keys of accounts that `--keys` or `--data` names; none if neither is given.
    ///
    /// - Throws: `ConfigurationError` if there is no such file or folder, or the file has no keys.
    func accountKeys() throws -> Keyring { try accountKeys(data: self["data"]) }

    /// The keys of accounts that `--keys` names, or else those of a data folder.
    ///
    /// - Throws: `ConfigurationError` if there is no such file or folder, or the file has no keys.
    func accountKeys(data: String?) throws -> Keyring {
        if let data, !Self.isFolder(data) {
            throw ConfigurationError("there is no data folder '\(data)'")
        }
        if let file = self["keys"] { return try Self.keys(in: file) }
        guard let data else { return Keyring() }
        do {
            return try Keyring(file: "\(data)/journal/keys")
        } catch {
            guard error.code == .notFound else { throw error }
            return Keyring()
        }
    }

    /// A recording, readable with the keys that were given.
    ///
    /// - Throws: `ConfigurationError` if there is none, or the keys cannot be read.
    func messageLog(_ folder: String) throws -> MessageLogReader {
        let keys = try accountKeys()
        do {
            return try MessageLogReader(folder: folder, keys: keys)
        } catch {
            guard error.code == .notFound else { throw error }
            throw ConfigurationError("'\(folder)' holds no recording")
        }
    }

    /// A path is that of a folder, or leads to one.
    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    private static func keys(in file: String) throws -> Keyring {
        guard FileManager.default.fileExists(atPath: file), !isFolder(file) else {
            throw ConfigurationError("there is no key file '\(file)'")
        }
        do {
            let keys = try Keyring(file: file)
            guard try keys.count > 0 || holdsNoKeyYet(file) else {
                throw ConfigurationError("'\(file)' is no key file")
            }
            return keys
        } catch let error as JournalError {
            guard error.code == .damaged else { throw error }
            throw ConfigurationError("'\(file)' is no key file, or is damaged: \(error)")
        }
    }

    /// A key file of a journal whose accounts have all been erased, or that had none.
    private static func holdsNoKeyYet(_ file: String) throws -> Bool {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
        let begin = try handle.read(upToCount: 7) ?? Data()
        try handle.close()
        return begin.isEmpty || begin == Data("synced\n".utf8)
    }
}
