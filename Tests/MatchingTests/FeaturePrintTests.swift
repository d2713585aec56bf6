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
            (11, 320, 240, "761c02f4b8521f5e82d374eb6fd0ccc005bdfa7437102c6b52b24e9d7d1bd208"),
            (12, 640, 480, "437b5df13816416d338fc2c8f94f490486cbd0714a5359c72b3553e7b2ad7616"),
            (13, 97, 211, "c5cfffa48a4ec2cc5d8e2ebe78344a693e1c71a22f27cc4cc8478ca0fb225781"),
            (14, 640, 31, "ae3bf6a77e99f229df8db5423e0826b36c44eafc14b50a4a19fb4eed7a3d1a62"),
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
