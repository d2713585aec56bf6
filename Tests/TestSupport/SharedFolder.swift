import Foundation
public import Testing

/// The folder of real pictures and calendars that stands beside the package on some machines.
///
/// It is the one that the environment variable SIGHTLINE_SHARED names, or else the package root's
/// sibling `shared`. A test that needs it carries the trait `.needsShared` and begins with
/// `let data = try SharedFolder.require()`: it is left out where the folder does not exist, and
/// fails there when CI=true.
public enum SharedFolder {
    /// The absolute path of the shared folder; nil if this machine has none.
    public static let path: String? = {
        let named = ProcessInfo.processInfo.environment["SIGHTLINE_SHARED"]
        let sibling = URL(filePath: PackageRoot.path).deletingLastPathComponent()
            .appending(path: "shared").path
        let candidate = named ?? sibling
        return isFolder(candidate + "/data") ? candidate : nil
    }()

    /// The absolute path of its folder of pictures, `data`; nil if this machine has none.
    public static var data: String? { path.map { $0 + "/data" } }

    /// Whether a missing folder is a failure: CI=true.
    public static let isRequired = ProcessInfo.processInfo.environment["CI"] == "true"

    /// The folder `data` or another one of the shared folder.
    ///
    /// - Throws: `Missing` where there is none; the trait `.needsShared` keeps a test from coming
    ///   here then, unless CI=true.
    public static func require(_ name: String = "data") throws -> String {
        guard let path, isFolder(path + "/" + name) else { throw Missing(name: name) }
        return path + "/" + name
    }

    /// The bytes of a file below `data`.
    public static func bytes(_ relative: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: try require() + "/" + relative)))
    }

    /// The rows of a tab-separated table below `data`, without its header row.
    public static func rows(_ table: String) throws -> [[String]] {
        let text = String(decoding: try bytes(table), as: UTF8.self)
        return text.split(separator: "\n").dropFirst().map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The shared folder or a part of it is not on this machine.
    public struct Missing: Error, CustomStringConvertible {
        let name: String
        /// What is missing and how to name it.
        public var description: String {
            "no folder `shared/\(name)` beside the package; SIGHTLINE_SHARED may name the folder"
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }
}

extension Trait where Self == ConditionTrait {
    /// Leaves the test out where the shared folder does not exist, unless CI=true.
    public static var needsShared: Self {
        .enabled(
            if: SharedFolder.data != nil || SharedFolder.isRequired,
            "needs the shared folder of real pictures")
    }
}
