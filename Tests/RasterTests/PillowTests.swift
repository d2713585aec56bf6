import Foundation
import Raster
import TestSupport
import Testing

/// Whole pictures at full scale against another reader, which flattens alpha on white by the same
/// formula: exactly the same bytes, apart from what it cannot know.
struct PillowTests {
    private static let limits = PictureLimits(
        encodedBytesMax: 24 << 20, sideMax: 65_500, pixelsMax: 300_000_000,
        bufferedPixelsMax: 50_000_000)

    /// Files whose damaged parts the two readers make up differently, and by how much at most.
    private static let damaged = [
        "odd/jpeg-decoder/tests/crashtest/images/imagetestsuite/f6b4389c3cf0f5997b2e5a4b905aea8d.jpg"
    ]

    @Test(.needsShared, .enabled(if: PythonOracle.path != nil, "needs Pillow"))
    func everyPictureOfEightBitsHasTheSamePixels() throws {
        let paths = try SharedFolder.rows("odd.tsv").filter {
            ["PNG", "JPEG", "WEBP", "AVIF"].contains($0[2]) && $0[8] == "ok"
        }.map { $0[0] }
        var compared = 0
        try withTemporaryDirectory { folder in
            let sizes = try PythonOracle.run(
                "pillow_pixels.py", [try SharedFolder.require(), folder, "4000000"], input: paths)
            for (index, line) in sizes.enumerated() where line.hasPrefix("ok ") {
                let path = paths[index]
                guard let bitmap = try decode(path) else { continue }
                let raw = try Data(contentsOf: URL(filePath: folder + "/\(index).rgb"))
                compared += 1
                #expect(line == "ok \(bitmap.width) \(bitmap.height)", "\(path)")
                // All but a few are equal, which is found out faster than how far they differ.
                if bitmap.rgb == [UInt8](raw) { continue }
                if path.hasSuffix(".avif") {
                    // The two interpolate colour of half the size in different ways.
                    let other = Bitmap(
                        width: bitmap.width, height: bitmap.height, rgb: [UInt8](raw))
                    #expect(bitmap.difference(from: other) < 1, "\(path)")
                    continue
                }
                let difference = zip(bitmap.rgb, raw).map { abs(Int($0) - Int($1)) }.max() ?? 255
                // JPEG with four components is brought from inks to light with other rounding.
                let allowed = Self.damaged.contains(path) ? 2 : path.hasSuffix(".jpg") ? 1 : 0
                #expect(difference <= allowed, "\(path): \(difference)")
            }
        }
        #expect(compared > 340)
    }

    /// Nil for a picture that is left out: lossless JPEG, gamma, which Pillow ignores, and depths
    /// of 16 bits, which it cuts.
    private func decode(_ path: String) throws -> Bitmap? {
        let bytes = try SharedFolder.bytes(path)
        do throws(RasterError) {
            let head = try Picture.head(of: .encoded(bytes), limits: Self.limits)
            if head.steps.contains(.gammaCorrected) { return nil }
            // The depth in a PNG file's header.
            if head.format == .png, bytes[24] == 16 { return nil }
            return try Picture.decode(.encoded(bytes), maxSide: 65_500, limits: Self.limits)
        } catch {
            #expect(error.code == .unsupportedFormat, "\(path)")
            return nil
        }
    }
}

/// Scripts of the folder `Oracle`, for the Python that SIGHTLINE_PYTHON names.
enum PythonOracle {
    static let path = ProcessInfo.processInfo.environment["SIGHTLINE_PYTHON"]

    /// The lines that a script prints.
    static func run(_ script: String, _ arguments: [String], input: [String] = []) throws
        -> [String]
    {
        let process = Process()
        process.executableURL = URL(filePath: try #require(path))
        process.arguments = [PackageRoot.path + "/Tests/RasterTests/Oracle/" + script] + arguments
        return try withTemporaryDirectory { folder in
            let names = (input: folder + "/input", output: folder + "/output")
            try Data((input.joined(separator: "\n") + "\n").utf8)
                .write(to: URL(filePath: names.input))
            try Data().write(to: URL(filePath: names.output))
            process.standardInput = try FileHandle(forReadingFrom: URL(filePath: names.input))
            let output = try FileHandle(forWritingTo: URL(filePath: names.output))
            process.standardOutput = output
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            return try String(contentsOfFile: names.output, encoding: .utf8)
                .split(separator: "\n").map(String.init)
        }
    }
}
