import Matching
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FeaturePrintTests {
    @Test func samePixelsGiveTheSamePrint() throws {
        let picture = GeneratedPictures.shapes(seed: 1)
        #expect(try FeaturePrint(of: picture) == FeaturePrint(of: picture))
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
