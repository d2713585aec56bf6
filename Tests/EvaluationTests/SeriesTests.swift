import Evaluation
import Matching
import Raster
import Testing

/// Strangers that share lettering, a series' logo or a format's band with an entry.
@Suite(.timeLimit(.minutes(5)))
struct SeriesTests {
    private static let count = 210

    @Test func noOtherVolumeIsAccepted() throws {
        let series = SeriesGenerator(seed: 1)
        var (shared, accepted) = (0, [Int]())
        for number in 0..<Self.count {
            let view = Distortion(seed: 2, number: number, strength: 0.25, kind: .photo)
                .applied(to: series.cover(of: number, volume: 1)).bitmap
            var collection = PrintCollection()
            let entry = series.cover(of: number, volume: 0)
            collection.put([try Fixtures.print(of: entry)], for: 0)
            let found = collection.search(try Fixtures.print(of: view), maxDistance: 2_000_000)
            // What they share is seen, and does not suffice.
            if (found.matches.first?.inliers ?? 0) >= 6 { shared += 1 }
            if (found.matches.first?.distance ?? .max) <= 1_000_000 { accepted.append(number) }
        }
        #expect(accepted.isEmpty, "\(accepted)")
        #expect(shared >= 60)
    }

    @Test func theSameVolumeIsAccepted() throws {
        let series = SeriesGenerator(seed: 1)
        var accepted = 0
        for number in 0..<30 {
            let view = Distortion(seed: 3, number: number, strength: 0.25, kind: .photo)
                .applied(to: series.cover(of: number, volume: 0)).bitmap
            var collection = PrintCollection()
            for volume in [1, 0] {
                let cover = series.cover(of: number, volume: volume)
                collection.put([try Fixtures.print(of: cover)], for: volume)
            }
            let found = collection.search(try Fixtures.print(of: view), maxDistance: 1_000_000)
            if found.matches.map(\.entry) == [0] { accepted += 1 }
        }
        #expect(accepted >= 28)
    }
}
