import Foundation
import Matching
import Messages

/// Prints and thumbnails that an export has put beside the pictures, so that an import need not
/// make them again:
///
/// ```
/// stored/3f/3f0a…/print-sl2     the print of the picture with this hash, by print version
/// stored/3f/3f0a…/thumbnail     its thumbnail
/// ```
/// The picture is then taken as it is, since it is the source copy that the catalog had.
struct StoredPrints {
    static let folder = "stored"
    private static let printPrefix = "print-"
    private static let thumbnailName = "thumbnail"

    /// What is stored of one picture.
    struct Entry: Equatable {
        var prints: [String: [UInt8]] = [:]
        var thumbnail: [UInt8]?
    }

    private let path: String

    /// Of an export's folder.
    init(in folder: String) { path = folder.orHere + "/" + Self.folder }

    private func folder(of picture: ContentHash) -> String {
        let name = picture.description
        return "\(path)/\(name.prefix(2))/\(name)"
    }

    /// What is stored of a picture; nil without a print of this version of the program that can be
    /// read.
    func entry(of picture: ContentHash) -> Entry? {
        let folder = folder(of: picture)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            return nil
        }
        var entry = Entry()
        for name in names {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)"),
                data.count <= Limits.blobBytesMax
            else { continue }
            if name == Self.thumbnailName {
                entry.thumbnail = Array(data)
            } else if name.hasPrefix(Self.printPrefix) {
                entry.prints[String(name.dropFirst(Self.printPrefix.count))] = Array(data)
            }
        }
        guard let current = entry.prints[FeaturePrint.version],
            (try? FeaturePrint(decoding: current)) != nil,
            entry.prints.count <= Limits.printVersionsMax
        else { return nil }
        return entry
    }

    /// Stores what there is of a picture.
    ///
    /// - Throws: What the file system refuses.
    func write(_ entry: Entry, of picture: ContentHash) throws {
        let folder = folder(of: picture)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for (version, print) in entry.prints {
            // A version is a producer's text, and a file's name only if it can be nothing else.
            guard version.utf8.allSatisfy(Self.isPlain), !version.isEmpty else { continue }
            try Data(print).write(
                to: URL(fileURLWithPath: "\(folder)/\(Self.printPrefix)\(version)"))
        }
        if let thumbnail = entry.thumbnail {
            try Data(thumbnail).write(
                to: URL(fileURLWithPath: "\(folder)/\(Self.thumbnailName)"))
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            || "._-".utf8.contains(byte)
    }
}
