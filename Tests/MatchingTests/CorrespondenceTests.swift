import Matching
import Testing

struct CorrespondenceTests {
    @Test func undecidedFeatureCorrespondsToNothing() {
        let nearest = [NearestCode(index: 0, distance: 80, second: 100)]
        #expect(Correspondence.oneToOne(nearest, catalogCount: 1).isEmpty)
    }

    @Test func nearerOfTwoFeaturesKeepsTheCorrespondence() {
        let nearest = [
            NearestCode(index: 2, distance: 50, second: 100),
            NearestCode(index: 2, distance: 40, second: 100),
            NearestCode(index: 1, distance: 10, second: 100),
        ]
        let found = Correspondence.oneToOne(nearest, catalogCount: 3)
        #expect(found.map(\.query) == [1, 2])
        #expect(found.map(\.catalog) == [2, 1])
    }

    @Test func firstOfTwoEquallyNearFeaturesKeepsTheCorrespondence() {
        let same = NearestCode(index: 0, distance: 5, second: 100)
        #expect(Correspondence.oneToOne([same, same], catalogCount: 1).map(\.query) == [0])
    }
}
