import Raster
import TestSupport
import Testing

struct LosslessJPEGTests {
    private static let folder = "odd/jpeg-decoder/tests/reftest/images/lossless/"

    /// The samples are in a PNG file of 16 bits beside each picture, and have fewer here and there.
    @Test(.needsShared, arguments: 1...7)
    func everyPredictorGivesTheReferencesSamples(predictor: Int) throws {
        let path = Self.folder + "1/jpeg_lossless_sel\(predictor)"
        let bytes = try SharedFolder.bytes(path + ".jpg")
        let decoded = try Pictures.decode(bytes)
        #expect(try decoded == Pictures.decode(try SharedFolder.bytes(path + ".png")))
        let region = PixelRegion(x: 31, y: 57, width: 100, height: 83)
        #expect(try Pictures.decode(bytes, region: region) == decoded.cut(region))
        #expect(Pictures.refusal(Array(bytes[..<(bytes.count / 2)])) == .truncated)
        #expect(Pictures.refusal(bytes[..<(bytes.count / 2)] + [0xFF, 0xD9]) == .corrupt)
    }

    @Test(.needsShared)
    func damagedFilesAreReadOrRefused() throws {
        let bytes = try SharedFolder.bytes("odd/sharp/test/fixtures/testimgl.jpg")
        #expect(try Pictures.read(bytes).head.steps.isEmpty)
        var random = SeededRandom(seed: 14)
        for _ in 0..<60 {
            let code = Pictures.refusal(Mutation.of(bytes, with: bytes, using: &random))
            #expect(code != .stopped && code != .badBuffer)
        }
    }

    @Test func headersOfOtherKindsAreRefused() throws {
        func file(_ marker: UInt8, precision: UInt8 = 8, sampling: UInt8 = 0x11) -> [UInt8] {
            [0xFF, 0xD8, 0xFF, marker, 0, 17, precision, 0, 8, 0, 8, 3]
                + [1, 0x11, 0, 2, sampling, 0, 3, 0x11, 0]
                + [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 1, 0, 0, 0, 0xFF, 0xD9]
        }
        #expect(Pictures.refusal(file(0xC3)) == .corrupt)
        #expect(Pictures.refusal(file(0xC3, precision: 1)) == .unsupportedFormat)
        #expect(Pictures.refusal(file(0xC3, sampling: 0x22)) == .unsupportedFormat)
        for marker in [0xC5, 0xC7, 0xCB] as [UInt8] {
            #expect(Pictures.refusal(file(marker)) == .unsupportedFormat)
        }
        #expect(Pictures.refusal(file(0xC1, precision: 12)) == .unsupportedFormat)
    }
}
