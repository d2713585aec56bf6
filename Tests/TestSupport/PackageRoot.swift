import Foundation

/// Where the package stands on this machine.
public enum PackageRoot {
    /// The absolute path of the folder that holds Package.swift, without a trailing slash.
    ///
    /// Taken from the place of this very file when the tests were compiled.
    public static let path: String = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.path != "/" {
            let manifest = folder.appending(path: "Package.swift").path
            if FileManager.default.fileExists(atPath: manifest) { break }
            folder.deleteLastPathComponent()
        }
        return folder.path
    }()

    /// The absolute path of a file or folder of the package.
    public static func path(_ relative: String) -> String { path + "/" + relative }

    /// The bytes of a file of the package.
    public static func bytes(_ relative: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(relative))))
    }
}
