import Foundation
import Raster
import TestSupport

/// Reads damaged pictures; a finding is a decoder that ends in its own process.
enum FuzzPictures {
    private static let limits = PictureLimits(
        encodedBytesMax: 24 << 20, sideMax: 65_500, pixelsMax: 4_000_000,
        bufferedPixelsMax: 1_000_000)
    private static let seedBytesMax = 64 << 10

    /// Every file that begins like one of the formats; large ones would take the time of many.
    private static func seeds(in folder: String) throws -> [[UInt8]] {
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return try (paths ?? []).sorted().compactMap { path in
            var isFolder: ObjCBool = false
            let full = folder + "/" + path
            guard FileManager.default.fileExists(atPath: full, isDirectory: &isFolder),
                !isFolder.boolValue
            else { return nil }
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: full)))
            guard bytes.count <= seedBytesMax else { return nil }
            do throws(RasterError) {
                _ = try Picture.head(of: .encoded(bytes), limits: limits)
            } catch {
                if error.code == .unknownFormat || error.code == .unsupportedFormat { return nil }
            }
            return bytes
        }
    }

    /// Reads damaged pictures of a folder and of the tests' own.
    static func run(
        _ folder: String, until end: Date, seed: UInt64, keep: String
    ) throws -> [String: Int] {
        // Decoders have a time limit of their own.
        let own = PackageRoot.path("Tests/RasterTests/Fixtures")
        let loop = FuzzLoop(
            seeds: try seeds(in: folder) + seeds(in: own), ending: "", secondsMax: .infinity)
        return try loop.run(until: end, seed: seed, keep: keep) { first, second, random in
            Mutation.of(first, with: second, using: &random)
        } outcome: { bytes, random in
            read(bytes, isRegion: Bool.random(using: &random))
        }
    }

    private static func read(_ bytes: [UInt8], isRegion: Bool) -> String {
        do throws(RasterError) {
            let head = try Picture.head(of: .encoded(bytes), limits: limits)
            let region = PixelRegion(
                x: head.width / 3, y: head.height / 3, width: head.width / 2 + 1,
                height: head.height / 2 + 1)
            _ = try Picture.decode(
                .encoded(bytes),
                region: isRegion && head.width > 8 && head.height > 8 ? region : nil,
                maxSide: 100, limits: limits)
            return "read"
        } catch {
            return error.context.hasSuffix("fell over it") ? "fallen" : error.code.rawValue
        }
    }
}
