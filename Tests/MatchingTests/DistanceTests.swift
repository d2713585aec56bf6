import Matching
import Testing

struct DistanceTests {
    private func distance(
        places: Int, pairs: Int? = nil, share: Double = 0.1, extent: Double = 1,
        reach: Double = 1, large: Double = 1, united: Double = 1, voters: Int = 0
    ) -> Int {
        Distance.withPlane(
            PlaneSupport(
                pairs: pairs ?? places, places: places, share: share, extent: extent,
                reach: reach, large: large, united: united), voters: voters)
    }

    @Test func moreAgreeingPlacesAreNearerOnBothSidesOfTheCut() {
        let distances = (0...500).map { distance(places: $0, extent: 0.5) }
        #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 > $1 })
        #expect(distances.allSatisfy { 1...2_000_000 ~= $0 })
        #expect(distances[12] > 1_000_000 && distances[12] < 1_080_000)
        #expect(distances[13] <= 1_000_000)
    }

    @Test func largerShareIsNearer() {
        #expect(distance(places: 40, share: 0.9) < distance(places: 40, share: 0.1))
    }

    @Test func widerSpreadIsNearer() {
        #expect(distance(places: 40, extent: 0.25) < distance(places: 40, extent: 0.2))
        #expect(distance(places: 20, extent: 0.1) < distance(places: 20, extent: 0.05))
    }

    @Test func pairsThatCrowdAtFewPlacesAreFartherUnlessTheyAreMost() {
        let distances = [40, 50, 60].map { pairs in
            [0.1, 0.8].map { distance(places: 40, pairs: pairs, share: $0) }
        }
        #expect(distances[0][0] * 4 / 3 < distances[1][0])
        #expect(distances[1][0] * 4 / 3 < distances[2][0])
        #expect(distances[2][1] * 4 / 5 < distances[0][1])
        #expect(distances[0][1] < distances[2][1])
    }

    @Test(arguments: [(10, 1.0, 0.1), (100, 0.02, 0.1), (35, 0.06, 0.1), (0, 0, 0)])
    func tooLittleSupportIsNotAccepted(places: Int, extent: Double, share: Double) {
        #expect(distance(places: places, share: share, extent: extent) > Distance.cut)
    }

    @Test("a cover whose only content is a small logo") func smallLogoThatIsAll() {
        #expect(distance(places: 40, share: 0.75, extent: 0.05) < 100_000)
    }

    @Test("two covers with other content that have a logo in common")
    func smallLogoThatIsNotAll() {
        #expect(distance(places: 40, share: 0.35, extent: 0.05, reach: 0.1) > Distance.cut)
        #expect(distance(places: 40, share: 0.35, extent: 0.05, reach: 0.4) < Distance.cut)
    }

    @Test("covers of one design agree in small features alone")
    func withoutLargeFeaturesItIsFarther() {
        let distances = [0.2, 0.1, 0.03, 0.015].map { distance(places: 30, large: $0) }
        #expect(distances[0] == distances[1])
        #expect(distances[1] * 2 < distances[2])
        #expect(distances[2] > Distance.cut && distances[3] > distances[2])
    }

    @Test("a plane that few of the pairs lie on")
    func whereMostPairsLieElsewhereItIsFarther() {
        let distances = [1, 0.3, 0.2, 0.1].map { distance(places: 22, united: $0) }
        #expect(distances[0] == distances[1])
        #expect(distances[1] * 3 / 2 < distances[2])
        #expect(distances[2] > Distance.cut && distances[3] > distances[2])
    }

    @Test func leastSupportLiesWithinTheCut() {
        #expect(distance(places: 16, share: 0) == 800_000)
        #expect(distance(places: 12, share: 0) > Distance.cut)
    }

    @Test func withoutPlaneMoreVotersAreNearerAndAllBeyondTheCut() {
        let distances = (1...100).map { Distance.withoutPlane(voters: $0) }
        #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 > $1 })
        #expect((1...500).allSatisfy { Distance.withoutPlane(voters: $0) > Distance.cut })
        #expect(distance(places: 0, share: 0, extent: 0) == 2_000_000)
    }

    @Test func aPoorPlaneIsNoFartherThanNone() {
        for voters in [5, 20, 60] {
            #expect(distance(places: 2, voters: voters) <= Distance.withoutPlane(voters: voters))
        }
        #expect(distance(places: 10, voters: 5) < Distance.withoutPlane(voters: 40))
    }
}
