import Matching
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FeaturePrintTests {
    @Test func samePixelsGiveTheSamePrint() throws {
        let picture = GeneratedPictures.shapes(seed: 1)
        #expect(try FeaturePrint(of: picture) == FeaturePrint(of: picture))
    }

    /// The bits themselves: a change here is a new print version, or a bug of this machine.
    @Test(
        arguments: [
            (11, 320, 240, "72c760e0dc3622c5605978506cbbdbe8239b50ece7a47daa7b2843465654c013"),
            (12, 640, 480, "cd61ab4288ffb0d9ff93a34e3ef39d46973f06a4101f2324ea7bd44efe202245"),
            (13, 97, 211, "4bfce8313b394dbca9485b4847ac49d1698e06d8ebb2f04a0fe20ecd1ed48ed2"),
            (14, 640, 31, "4f2dfd55fab019bb7e13c4c57c71a451fb4a6e9d6348244c186a1b1f7b2a4d92"),
        ] as [(UInt64, Int, Int, String)])
    func printHasTheStoredBits(seed: UInt64, width: Int, height: Int, digest: String) throws {
        let picture = GeneratedPictures.shapes(seed: seed, width: width, height: height)
        let bytes = try FeaturePrint(of: picture).encoded()
        #expect(hexadecimal(SHA256.digest(of: bytes)) == digest)
    }

    @Test func richPictureHasEnoughContent() throws {
        let print = try FeaturePrint(of: GeneratedPictures.shapes(seed: 2))
        #expect(print.hasEnoughContent)
        #expect(print.featureCount > 100)
        #expect(print.featureCount <= FeaturePrint.featuresMax)
    }

    @Test(arguments: [
        (1, 1), (1, 640), (640, 1), (2, 2), (5, 300), (15, 15), (16, 16), (17, 640), (640, 640),
    ])
    func flatPictureOfAnySizeHasTooLittleContent(width: Int, height: Int) throws {
        let picture = GeneratedPictures.flat(width: width, height: height)
        let print = try FeaturePrint(of: picture)
        #expect(print.featureCount == 0)
        #expect(!print.hasEnoughContent)
    }

    @Test(arguments: [(1, 1), (3, 200), (200, 3), (8, 8), (9, 33), (16, 40), (31, 12)])
    func tinyPictureWithContentIsTaken(width: Int, height: Int) throws {
        let picture = GeneratedPictures.shapes(seed: 3, width: width, height: height, count: 9)
        let print = try FeaturePrint(of: picture)
        #expect(try FeaturePrint(decoding: print.encoded()) == print)
    }

    @Test func pictureBeyondTheWorkingSideIsRefused() {
        let picture = GeneratedPictures.flat(width: FeaturePrint.workingSide + 1, height: 4)
        let error = #expect(throws: MatchingError.self) { try FeaturePrint(of: picture) }
        #expect(error?.code == .pictureSize)
    }

    @Test(arguments: [0, 1, 7, 20])
    func stopsWhenAsked(after questions: Int) {
        var asked = 0
        let error = #expect(throws: MatchingError.self) {
            try FeaturePrint(of: GeneratedPictures.shapes(seed: 4)) {
                asked += 1
                return asked > questions
            }
        }
        #expect(error?.code == .stopped)
        #expect(asked == questions + 1)
    }

    @Test func pixelMoreOrLessGivesAnotherDigest() throws {
        let wide = try FeaturePrint(of: GeneratedPictures.flat(width: 20, height: 10))
        let tall = try FeaturePrint(of: GeneratedPictures.flat(width: 10, height: 20))
        #expect(wide.digest != tall.digest)
    }
}
