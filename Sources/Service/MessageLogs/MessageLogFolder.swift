import Foundation

/// Where a message log may be written.
enum MessageLogFolder {
    /// A folder is new, empty, or holds a message log.
    ///
    /// - Throws: `ConfigurationError` that says what else is there.
    static func checkMayHoldLog(_ path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
        guard isFolder.boolValue else { throw ConfigurationError("'\(path)' is no folder") }
        var other: String?
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        for name in names {
            guard !isOfLog(name) else { return }
            other = min(other ?? name, name)
        }
        guard let other else { return }
        throw ConfigurationError(
            "'\(path)' holds other things, such as '\(other)'; a recording takes a new folder, "
                + "an empty one or one that holds a recording")
    }

    private static func isOfLog(_ name: String) -> Bool {
        name == "messages.lock" || (name.hasPrefix("messages-") && name.hasSuffix(".segment"))
    }
}
