import Matching
import Testing

struct DistanceTests {
    @Test func moreAgreeingPlacesAreNearer() {
        let distances = (13...500).compactMap {
            Distance.withPlane(places: $0, pairs: $0, share: 0.1, extent: 0.5)
        }
        #expect(distances.count == 488)
        #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 > $1 })
        #expect(distances.allSatisfy { 1...1_000_000 ~= $0 })
    }

    @Test func largerShareIsNearer() throws {
        let few = try #require(Distance.withPlane(places: 40, pairs: 40, share: 0.1, extent: 1))
        let most = try #require(Distance.withPlane(places: 40, pairs: 40, share: 0.9, extent: 1))
        #expect(most < few)
    }

    @Test func widerSpreadIsNearer() throws {
        let narrow = try #require(
            Distance.withPlane(places: 40, pairs: 40, share: 0.1, extent: 0.2))
        let wide = try #require(Distance.withPlane(places: 40, pairs: 40, share: 0.1, extent: 0.25))
        #expect(wide < narrow)
    }

    @Test func pairsThatCrowdAtFewPlacesAreFartherUnlessTheyAreMost() throws {
        let distances = [40, 50, 60].map { pairs in
            [0.1, 0.8].map { share in
                Distance.withPlane(places: 40, pairs: pairs, share: share, extent: 1) ?? .max
            }
        }
        #expect(distances[0][0] * 4 / 3 < distances[1][0])
        #expect(distances[1][0] * 4 / 3 < distances[2][0])
        #expect(distances[2][1] * 4 / 5 < distances[0][1])
        #expect(distances[0][1] < distances[2][1])
    }

    @Test(arguments: [(10, 1.0, 0.1), (100, 0.02, 0.1), (35, 0.06, 0.1), (0, 0, 0)])
    func tooLittleSupportIsNotAccepted(places: Int, extent: Double, share: Double) {
        #expect(
            Distance.withPlane(places: places, pairs: places, share: share, extent: extent) == nil)
    }

    @Test("a cover whose only content is a small logo") func smallLogoThatIsAll() throws {
        let distance = try #require(
            Distance.withPlane(places: 40, pairs: 40, share: 0.75, extent: 0.05))
        #expect(distance < 100_000)
    }

    @Test func leastSupportLiesWithinTheCut() throws {
        #expect(Distance.withPlane(places: 16, pairs: 16, share: 0, extent: 1) == 800_000)
        #expect(Distance.withPlane(places: 12, pairs: 12, share: 0, extent: 1) == nil)
    }

    @Test func withoutPlaneMoreVotersAreNearerAndAllBeyondTheCut() {
        let distances = (1...500).map { Distance.withoutPlane(voters: $0) }
        #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 > $1 })
        #expect(distances.allSatisfy { 1_000_001...2_000_000 ~= $0 })
    }
}
