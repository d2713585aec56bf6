import Foundation
import Raster
import TestSupport
import Testing

/// Peak memory of a decode, in a process of its own so that nothing else counts.
struct MemoryTests {
    static let limits = PictureLimits(
        encodedBytesMax: 24 << 20, sideMax: 65_500, pixelsMax: 300_000_000,
        bufferedPixelsMax: 50_000_000)

    /// Bytes that this process's memory rises by while a picture is read to the size of matching,
    /// with what a decoder's own process took.
    static func peak(_ bytes: [UInt8], region: PixelRegion? = nil) throws -> Int {
        let file = try FileHandle(forWritingTo: URL(filePath: "/proc/self/clear_refs"))
        try file.write(contentsOf: Data("5".utf8))
        let before = try field("VmRSS:")
        let reading = try Picture.read(
            .encoded(bytes), region: region, maxSide: 640, limits: limits)
        return try field("VmHWM:") - before + reading.decoderPeakBytes
    }

    private static func field(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
        let words = line.split(whereSeparator: \.isWhitespace)
        return 1_024 * (try #require(Int(words[1])))
    }

    /// Writes a file with Pillow or zlib, and hands its bytes on.
    static func made(_ kind: String, _ width: Int, _ height: Int) throws -> [UInt8] {
        try withTemporaryDirectory { folder in
            _ = try PythonOracle.run(
                "make_picture.py", [kind, "\(width)", "\(height)", folder + "/picture"])
            return [UInt8](try Data(contentsOf: URL(filePath: folder + "/picture")))
        }
    }

    @Test("R11: a 280-megapixel JPEG of 1 MB is read in bounded memory", .needsShared)
    func aGiantJPEG() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let bytes = try SharedFolder.bytes("odd/sharp/test/fixtures/giant-image.jpg")
            exit(try MemoryTests.peak(bytes) <= 64 << 20 ? 0 : 1)
        }
    }

    @Test(
        "R11: a screenshot of 16,384 x 16,384 pixels is read in bounded memory",
        .enabled(if: PythonOracle.path != nil, "needs Python"))
    func aGiantPNG() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let bytes = try MemoryTests.made("png", 16_384, 16_384)
            let region = PixelRegion(x: 12_000, y: 9_000, width: 300, height: 200)
            let isBounded =
                try MemoryTests.peak(bytes) <= 64 << 20
                && MemoryTests.peak(bytes, region: region) <= 64 << 20
            exit(isBounded ? 0 : 1)
        }
    }

    @Test(
        "R11: a lossy WebP of 28 megapixels is read in bounded memory",
        .enabled(if: PythonOracle.path != nil, "needs Pillow"))
    func aGiantWebP() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let bytes = try MemoryTests.made("webp", 7_000, 4_000)
            exit(try MemoryTests.peak(bytes) <= 64 << 20 ? 0 : 1)
        }
    }

    @Test("R11: headers of gigapixels are refused before anything is allocated", .needsShared)
    func bombs() async {
        await #expect(processExitsWith: .exitCode(0)) {
            for path in [
                "odd/sharp/test/fixtures/65536-uint32-limit.png",
                "odd/jpeg-decoder/tests/crashtest/images/max_size.jpg",
            ] {
                let bytes = try SharedFolder.bytes(path)
                do {
                    _ = try MemoryTests.peak(bytes)
                    exit(1)
                } catch let error as RasterError {
                    guard error.code == .tooLarge else { exit(2) }
                }
            }
            exit(0)
        }
    }
}
