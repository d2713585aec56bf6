import Glibc
import Raster
import TestSupport
import Testing

struct PNGGammaTests {
    /// All 256 levels of grey in one row, or their 16-bit counterparts.
    private static func ramp(
        depth: Int = 8, _ chunks: [(name: String, bytes: [UInt8])]
    ) throws -> [UInt8] {
        let file = PNGFile(width: 256, height: 1, colorType: .gray, depth: depth, chunks: chunks)
        return try Pictures.decode(file.encode { x, _ in [depth == 16 ? x * 257 : x] }).gray()
    }

    private static func gamma(_ value: Int) -> (name: String, bytes: [UInt8]) {
        ("gAMA", PNGFile.big(value))
    }

    /// By the words of the standard: light is the sample to the power of 1/gamma, and sRGB's curve
    /// is taken for its power, 1/2.2.
    @Test(arguments: [10_000, 25_000, 35_000, 55_000, 70_000, 100_000, 250_000], [8, 16])
    func brightnessIsBroughtToTheCurveOfSRGB(gamma: Int, depth: Int) throws {
        let exponent = 100_000 / (2.2 * Double(gamma))
        let expected = (0...255).map { 255 * pow(Double($0) / 255, exponent) }
        for (value, wanted) in zip(try Self.ramp(depth: depth, [Self.gamma(gamma)]), expected) {
            // libpng corrects 16 bits by a table of 2,048 entries.
            #expect(abs(Double(value) - wanted) <= (depth == 8 ? 0.51 : 1.6))
        }
    }

    @Test func gammasThatMeanSRGBChangeNothing() throws {
        for gamma in [45_455, 45_000, 44_000, 47_000] {
            #expect(try Self.ramp([Self.gamma(gamma)]) == Array(0...255))
        }
    }

    @Test func strongerStatementsOfTheColourSpaceWin() throws {
        for (name, bytes) in [("sRGB", [0]), ("iCCP", [65, 0, 0]), ("cICP", [1, 13, 0, 1])]
            as [(String, [UInt8])]
        {
            #expect(try Self.ramp([Self.gamma(100_000), (name, bytes)]) == Array(0...255))
            #expect(try Self.ramp([(name, bytes), Self.gamma(100_000)]) == Array(0...255))
        }
    }

    @Test func gammasThatAreMistakesAreIgnored() throws {
        for gamma in [0, 1, 9_999, 1_000_001, 0xFFFF_FFFF] {
            #expect(try Self.ramp([Self.gamma(gamma)]) == Array(0...255))
        }
        #expect(try Self.ramp([("gAMA", [0, 1, 0x86])]) == Array(0...255))
        let file = PNGFile(
            width: 1, height: 1, colorType: .gray, lateChunks: [Self.gamma(100_000)])
        #expect(try Pictures.decode(file.encode { _, _ in [100] }).gray() == [100])
    }

    @Test func aWrongChecksumOfTheGammaIsIgnored() throws {
        let file = PNGFile(width: 1, height: 1, colorType: .gray, chunks: [Self.gamma(100_000)])
        let bytes = file.encode { _, _ in [100] }
        #expect(try Pictures.decode(bytes).gray() != [100])
        let place = try #require(bytes.firstRange(of: Array("gAMA".utf8))).upperBound + 7
        #expect(
            try Pictures.decode(bytes.replacing(at: place, with: [bytes[place] ^ 1])).gray()
                == [100])
    }

    @Test func gammaTakesColourAndNotTransparency() throws {
        let file = PNGFile(
            width: 1, height: 1, colorType: .rgba, chunks: [Self.gamma(100_000)])
        let bytes = file.encode { _, _ in [55, 55, 55, 128] }
        // 55 becomes 127, and half of it lies on white.
        #expect(try Pictures.decode(bytes).gray() == [191])
        let head = try Picture.head(of: .encoded(bytes), limits: Pictures.limits)
        #expect(head.steps == [.gammaCorrected, .alphaFlattened])
    }

    /// The same picture was stored with six gammas.
    @Test(.needsShared, arguments: ["n0g16", "n2c08", "n3p04"])
    func picturesOfAllGammasLookTheSame(kind: String) throws {
        let folder = "odd/pngsuite/png/"
        let plain = try Pictures.decode(try SharedFolder.bytes(folder + "g04\(kind).png"))
        for gamma in ["g03", "g05", "g07", "g10", "g25"] {
            let other = try Pictures.decode(try SharedFolder.bytes(folder + gamma + "\(kind).png"))
            // The files themselves differ a little; uncorrected ones by up to 38.
            #expect(other.difference(from: plain) < 8, "\(gamma)")
        }
    }
}
