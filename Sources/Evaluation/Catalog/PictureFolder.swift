import Foundation

/// The pictures of a folder.
public enum PictureFolder {
    private static let endings: Set = ["png", "jpg", "jpeg", "webp", "heic", "avif"]

    /// The pictures in a folder and the folders below it, relative to it, in the order of their
    /// names.
    ///
    /// - Throws: `EvaluationError` if there is no such folder.
    public static func files(of folder: String) throws(EvaluationError) -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
            isFolder.boolValue, let walk = FileManager.default.enumerator(atPath: folder)
        else { throw EvaluationError("there is no folder '\(folder)'") }
        return walk.compactMap { $0 as? String }.filter { name in
            endings.contains((name as NSString).pathExtension.lowercased())
        }.sorted()
    }

    /// The bytes of a file.
    ///
    /// - Throws: `EvaluationError` if it cannot be read.
    public static func bytes(of path: String) throws(EvaluationError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw EvaluationError("cannot read '\(path)'")
        }
        return [UInt8](data)
    }

    /// Writes a file, and makes the folders that it stands in.
    ///
    /// - Throws: `EvaluationError` if it cannot be written.
    public static func write(_ bytes: [UInt8], to path: String) throws(EvaluationError) {
        do {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        } catch {
            throw EvaluationError("cannot write '\(path)': \(error.localizedDescription)")
        }
    }
}
