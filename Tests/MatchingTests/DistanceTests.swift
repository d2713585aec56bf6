import Matching
import Testing

struct DistanceTests {
    @Test func moreAgreeingPlacesAreNearer() {
        let distances = (11...500).compactMap {
            Distance.withPlane(places: $0, share: 0.1, coverage: 0.5)
        }
        #expect(distances.count == 490)
        #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 > $1 })
        #expect(distances.allSatisfy { 1...1_000_000 ~= $0 })
    }

    @Test func largerShareIsNearer() throws {
        let few = try #require(Distance.withPlane(places: 40, share: 0.1, coverage: 1))
        let most = try #require(Distance.withPlane(places: 40, share: 0.9, coverage: 1))
        #expect(most < few)
    }

    @Test(arguments: [(10, 1.0), (100, 0.02), (38, 0.04), (0, 0)])
    func tooLittleSupportIsNotAccepted(places: Int, coverage: Double) {
        #expect(Distance.withPlane(places: places, share: 0.5, coverage: coverage) == nil)
    }

    @Test func leastSupportLiesWithinTheCut() throws {
        #expect(Distance.withPlane(places: 11, share: 0, coverage: 1) == 1_000_000)
    }

    @Test func withoutPlaneMoreVotersAreNearerAndAllBeyondTheCut() {
        let distances = (1...500).map { Distance.withoutPlane(voters: $0) }
        #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 > $1 })
        #expect(distances.allSatisfy { 1_000_001...2_000_000 ~= $0 })
    }
}
