import Foundation
import Raster
import TestSupport
import Testing

/// A short run of what `deploy/fuzz` does for longer and under AddressSanitizer.
struct FuzzTests {
    private static let limits = PictureLimits(
        encodedBytesMax: 24 << 20, sideMax: 65_500, pixelsMax: 1_000_000,
        bufferedPixelsMax: 300_000)

    /// Seeds of a few kilobytes, a share of each format.
    private func seeds() throws -> [[UInt8]] {
        let rows = try SharedFolder.rows("odd.tsv").filter {
            ["PNG", "JPEG", "WEBP"].contains($0[2]) && (Int($0[1]) ?? 0) < 12_000
        }
        var seeds = try stride(from: 0, to: rows.count, by: 9).map {
            try SharedFolder.bytes(rows[$0][0])
        }
        for name in ["plain.heic", "alpha.heic", "plain.avif", "deep.avif", "inks.jpg"] {
            seeds.append(try HEIFTests.fixture(name))
        }
        return seeds
    }

    @Test(.needsShared)
    func damagedFilesAreReadOrRefusedForAReason() throws {
        let seeds = try seeds()
        var random = SeededRandom(seed: 2_026)
        var counts: [RasterError.Code: Int] = [:]
        for round in 0..<(Soak.isOn ? 50_000 : 1_000) {
            let other = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            let bytes = Mutation.of(seeds[round % seeds.count], with: other, using: &random)
            do throws(RasterError) {
                let bitmap = try Pictures.decode(bytes, maxSide: 64, limits: Self.limits)
                #expect(max(bitmap.width, bitmap.height) <= 64)
            } catch {
                counts[error.code, default: 0] += 1
                #expect(!error.context.hasSuffix("fell over it"), "round \(round)")
            }
        }
        #expect(counts[.truncated, default: 0] > 20 && counts[.corrupt, default: 0] > 20)
        #expect(counts[.stopped] == nil && counts[.badBuffer] == nil && counts[.badRegion] == nil)
    }
}
