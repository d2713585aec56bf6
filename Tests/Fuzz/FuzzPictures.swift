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
    static func seeds(in folder: String) throws -> [[UInt8]] {
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

    static func run(
        seeds: [[UInt8]], until end: Date, seed: UInt64, keep: String
    ) throws -> [String: Int] {
        var random = SeededRandom(seed: seed)
        var counts = ["seeds": seeds.count]
        try FileManager.default.createDirectory(
            atPath: keep, withIntermediateDirectories: true)
        while Date() < end, !seeds.isEmpty {
            let first = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            let second = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            let bytes = Mutation.of(first, with: second, using: &random)
            let current = keep + "/current"
            try Data(bytes).write(to: URL(filePath: current))
            let outcome = read(bytes, isRegion: Bool.random(using: &random))
            counts[outcome, default: 0] += 1
            guard outcome == "fallen" else { continue }
            let kept = keep + "/fallen-\(counts["fallen"] ?? 0)"
            try FileManager.default.moveItem(atPath: current, toPath: kept)
            print("a decoder fell over \(kept)")
        }
        try? FileManager.default.removeItem(atPath: keep + "/current")  // moved if it was the last
        return counts
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
