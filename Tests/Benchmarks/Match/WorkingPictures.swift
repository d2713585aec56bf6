import Foundation
import Matching
import Raster

/// Pictures of a folder as the matcher sees them: upright, grey, at the working size.
enum WorkingPictures {
    private static let limits = PictureLimits(
        encodedBytesMax: 24 << 20, sideMax: 65_500, pixelsMax: 300_000_000,
        bufferedPixelsMax: 40_000_000)

    /// Paths of the JPEG and PNG files below a folder, in the order of their bytes.
    static func paths(below folder: String) throws -> [String] {
        guard let names = FileManager.default.enumerator(atPath: folder) else {
            throw BenchError(.usage, "no folder '\(folder)'")
        }
        let found = names.compactMap { $0 as? String }.filter {
            let name = $0.lowercased()
            return name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") || name.hasSuffix(".png")
        }
        return found.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
            .map { "\(folder)/\($0)" }
    }

    /// One picture.
    ///
    /// - Throws: What the file system or the decoder refuses.
    static func picture(_ path: String) throws -> GrayImage {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let bitmap = try Picture.decode(
            .encoded(bytes), region: nil, maxSide: FeaturePrint.workingSide, limits: limits,
            shouldStop: { false })
        return GrayImage(width: bitmap.width, height: bitmap.height, pixels: bitmap.gray())
    }
}
