/// Folders that only their owner may look into.
public enum OwnerFolder {
    /// Makes a folder, and those above it that do not exist.
    ///
    /// - Throws: `JournalError` as the system says.
    public static func make(_ path: String) throws(JournalError) {
        try Folder(path, .none).make()
    }
}
