import Foundation
import Raster
import TestSupport
import Testing

/// PNG files of 16 bits at full scale against libvips' own samples, brought to 8 bits by rounding
/// and laid on white here.
struct SixteenBitTests {
    private static let vips = ["/usr/bin/vips", "/usr/local/bin/vips"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    private static let limits = PictureLimits(
        encodedBytesMax: 24 << 20, sideMax: 65_500, pixelsMax: 300_000_000,
        bufferedPixelsMax: 50_000_000)

    @Test(.needsShared, .enabled(if: vips != nil || SharedFolder.isRequired, "needs libvips-tools"))
    func everyPictureOfSixteenBitsHasTheSamePixels() throws {
        _ = try #require(Self.vips, "deploy/prepare installs libvips-tools")
        var compared = 0
        for row in try SharedFolder.rows("odd.tsv") where row[2] == "PNG" && row[8] == "ok" {
            let bytes = try SharedFolder.bytes(row[0])
            guard bytes.count > 24, bytes[24] == 16 else { continue }
            // Neither reader corrects brightness then; PNGGammaTests has vectors of that.
            let plain = Self.without(["gAMA", "cHRM"], bytes)
            let bitmap = try Picture.decode(.encoded(plain), maxSide: 65_500, limits: Self.limits)
            let expected = try Self.pixels(of: plain, width: bitmap.width, height: bitmap.height)
            let difference = zip(bitmap.rgb, expected).map { abs(Int($0) - Int($1)) }.max() ?? 255
            #expect(expected.count == bitmap.rgb.count, "\(row[0])")
            // Laying on white is done with 8 bits here, and with 16 there.
            #expect(difference <= 1, "\(row[0]): \(difference)")
            compared += 1
        }
        #expect(compared >= 50)
    }

    /// A PNG file without the chunks of some names.
    private static func without(_ names: [String], _ bytes: [UInt8]) -> [UInt8] {
        var kept = Array(bytes[..<8])
        var place = 8
        while place + 12 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = min(place + 12 + length, bytes.count)
            let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            if !names.contains(name) { kept += bytes[place..<end] }
            place = end
        }
        return kept
    }

    /// Three bytes a pixel, made of the samples of 16 bits that libvips reads.
    private static func pixels(of png: [UInt8], width: Int, height: Int) throws -> [UInt8] {
        try withTemporaryDirectory { folder in
            try Data(png).write(to: URL(filePath: folder + "/in.png"))
            let process = Process()
            process.executableURL = URL(filePath: try #require(vips))
            process.arguments = ["rawsave", folder + "/in.png", folder + "/out.raw"]
            try process.run()
            process.waitUntilExit()
            let raw = [UInt8](try Data(contentsOf: URL(filePath: folder + "/out.raw")))
            let bands = raw.count / (2 * width * height)
            try #require((1...4).contains(bands) && raw.count == 2 * bands * width * height)
            return (0..<width * height).flatMap { pixel in
                let samples = (0..<bands).map { band in
                    let index = 2 * (pixel * bands + band)
                    return Int(raw[index]) | Int(raw[index + 1]) << 8
                }
                let alpha = bands.isMultiple(of: 2) ? samples[bands - 1] : 65_535
                let colours = bands < 3 ? [samples[0], samples[0], samples[0]] : samples
                return (0..<3).map { channel in
                    let light = (colours[channel] * alpha + 65_535 * (65_535 - alpha)) / 65_535
                    return UInt8((light + 128) / 257)
                }
            }
        }
    }
}
