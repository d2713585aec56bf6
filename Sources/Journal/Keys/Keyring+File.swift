internal import Foundation

extension Keyring {
    /// The keys in a key file, such as `journal/keys` of a data folder or one that was written
    /// apart from a backup.
    ///
    /// - Throws: `JournalError` with `notFound` if there is no such file, `damaged` if a part of
    ///   it is no key, or as the system says.
    public init(file path: String) throws(JournalError) {
        let url = URL(fileURLWithPath: path)
        self = try KeyFile.keyring(
            in: Folder(url.deletingLastPathComponent().path, .none), name: url.lastPathComponent)
    }
}
