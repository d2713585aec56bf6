import Catalog
import Foundation
import TestSupport
import Testing

struct GeoPointTests {
    /// The haversine formula, as an independent second opinion.
    private static func kilometers(_ from: GeoPoint, _ to: GeoPoint) -> Double {
        let radians = Double.pi / 180
        let north = (to.latitude - from.latitude) * radians
        let east = (to.longitude - from.longitude) * radians
        let squared =
            pow(sin(north / 2), 2) + cos(from.latitude * radians) * cos(to.latitude * radians)
            * pow(sin(east / 2), 2)
        return 2 * 6371.0088 * asin(min(1, squared.squareRoot()))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func distanceAgreesWithTheHaversineFormula(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let from = try Self.point(using: &random)
            let to = try Self.point(using: &random)
            let kilometers = Self.kilometers(from, to)
            #expect(to.isWithin(kilometers: kilometers + 0.01, of: from))
            #expect(!to.isWithin(kilometers: kilometers - 0.01, of: from))
        }
    }

    @Test func placeIsWithinNoDistanceOfItself() throws {
        let place = try #require(Fixtures.berlin)
        #expect(place.isWithin(kilometers: 0, of: place))
        #expect(!place.isWithin(kilometers: -1, of: place))
    }

    @Test func antipodesAreHalfTheCircumferenceApart() throws {
        let pole = try #require(GeoPoint(latitude: 90, longitude: 0))
        let other = try #require(GeoPoint(latitude: -90, longitude: 77))
        #expect(other.isWithin(kilometers: 20_016, of: pole))
        #expect(!other.isWithin(kilometers: 20_010, of: pole))
    }

    @Test func datelineIsNoBorder() throws {
        let west = try #require(GeoPoint(latitude: 0, longitude: 179.99))
        let east = try #require(GeoPoint(latitude: 0, longitude: -179.99))
        #expect(east.isWithin(kilometers: 2.3, of: west))
        #expect(!east.isWithin(kilometers: 2.2, of: west))
    }

    @Test(arguments: [(90.1, 0), (-91, 0), (0, 180.5), (0, -181), (.nan, 0), (0, .infinity)])
    func placeOutOfRangeIsRefused(latitude: Double, longitude: Double) {
        #expect(GeoPoint(latitude: latitude, longitude: longitude) == nil)
    }

    private static func point(using random: inout SeededRandom) throws -> GeoPoint {
        try #require(
            GeoPoint(
                latitude: Double.random(in: -90...90, using: &random),
                longitude: Double.random(in: -180...180, using: &random)))
    }
}
