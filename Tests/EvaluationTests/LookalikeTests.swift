import Evaluation
import Matching
import Raster
import Testing

/// Strangers that share lettering, a series' logo or a format's band with an entry.
@Suite(.timeLimit(.minutes(5)))
struct LookalikeTests {
    private static let pairs = 210

    @Test func noneOfManyLookalikesIsAccepted() throws {
        let covers = Lookalikes(seed: 1)
        var shared = 0
        for number in 0..<Self.pairs {
            let (one, other) = covers.pair(number)
            let view = Distortion(seed: 2, number: number, strength: 0.25, kind: .photo)
                .applied(to: other).bitmap
            var collection = PrintCollection()
            collection.put([try Fixtures.print(of: one)], for: 0)
            let found = collection.search(try Fixtures.print(of: view), maxDistance: 2_000_000)
            // What they share is seen, and does not suffice.
            if (found.matches.first?.inliers ?? 0) >= 6 { shared += 1 }
            #expect(
                found.matches.allSatisfy { $0.distance > 1_000_000 },
                "pair \(number), \(Lookalikes.kind(of: number)): \(found.matches)")
        }
        #expect(shared >= 60)
    }

    @Test func theSameCoverIsAcceptedWhateverItShares() throws {
        let covers = Lookalikes(seed: 1)
        var accepted = 0
        for number in 0..<30 {
            let (one, other) = covers.pair(number)
            let view = Distortion(seed: 3, number: number, strength: 0.25, kind: .photo)
                .applied(to: one).bitmap
            var collection = PrintCollection()
            collection.put([try Fixtures.print(of: other)], for: 0)
            collection.put([try Fixtures.print(of: one)], for: 1)
            let found = collection.search(try Fixtures.print(of: view), maxDistance: 1_000_000)
            if found.matches.map(\.entry) == [1] { accepted += 1 }
        }
        #expect(accepted >= 28)
    }
}
