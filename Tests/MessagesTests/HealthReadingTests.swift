import Messages
import Testing

/// Readings are converted and flagged, and never altered.
@Suite(.timeLimit(.minutes(1)))
struct HealthReadingTests {
    private static let now = 1_796_000_000_000

    private static func pressure(
        _ systolic: Double, _ diastolic: Double, _ unit: HealthUnit = .millimetersOfMercury,
        start: Int = now, end: Int? = nil
    ) -> HealthReading {
        HealthReading(
            id: "1", kind: .bloodPressure, start: start, end: end,
            quantities: [.init(systolic, unit), .init(diastolic, unit)])
    }
    private static func glucose(_ value: Double, _ unit: HealthUnit) -> HealthReading {
        HealthReading(id: "1", kind: .bloodGlucose, start: now, quantities: [.init(value, unit)])
    }
    private static func rate(_ value: Double, _ unit: HealthUnit) -> HealthReading {
        HealthReading(id: "1", kind: .heartRate, start: now, quantities: [.init(value, unit)])
    }

    @Test(arguments: [
        (5.4, HealthUnit.millimolesPerLiter, HealthUnit.milligramsPerDeciliter, 97.3),
        (100, .milligramsPerDeciliter, .millimolesPerLiter, 5.55),
        (120, .millimetersOfMercury, .kilopascals, 16),
        (16, .kilopascals, .millimetersOfMercury, 120),
        (72, .perMinute, .hertz, 1.2), (1.2, .hertz, .perMinute, 72),
        (97.31, .milligramsPerDeciliter, .milligramsPerDeciliter, 97.31),
    ])
    func valuesAreConverted(
        _ value: Double, _ unit: HealthUnit, _ other: HealthUnit, _ expected: Double
    ) {
        #expect(unit.convert(value, to: other) == expected)
    }

    @Test func whatIsWrittenComesBackFromTheOtherUnit() throws {
        for tenths in 5...600 {
            let value = Double(tenths) / 10
            let other = try #require(
                HealthUnit.millimolesPerLiter.convert(value, to: .milligramsPerDeciliter))
            #expect(
                HealthUnit.milligramsPerDeciliter.convert(other, to: .millimolesPerLiter) == value)
        }
        for whole in 10...1_000 {
            let value = Double(whole)
            let other = try #require(
                HealthUnit.milligramsPerDeciliter.convert(value, to: .millimolesPerLiter))
            let back = try #require(
                HealthUnit.millimolesPerLiter.convert(other, to: .milligramsPerDeciliter))
            #expect(back.rounded() == value)
        }
    }

    @Test func unitsOfAnotherKindAreNoUnits() {
        #expect(HealthUnit.hertz.convert(1, to: .kilopascals) == nil)
        #expect(HealthUnit.milligramsPerDeciliter.convert(1e300, to: .millimolesPerLiter) != nil)
        #expect(HealthReading.Kind.allCases.flatMap(\.units) == HealthUnit.allCases)
    }

    @Test func usualReadingsHaveNoFlags() {
        for reading in [
            Self.pressure(128, 84), Self.pressure(17.1, 11.2, .kilopascals),
            Self.pressure(210, 130), Self.glucose(5.4, .millimolesPerLiter),
            Self.glucose(420, .milligramsPerDeciliter), Self.rate(64, .perMinute),
            Self.rate(1.1, .hertz), Self.pressure(120, 80, start: Self.now + 599_000),
        ] {
            #expect(reading.flags(asOf: Self.now).isEmpty, "\(reading)")
        }
    }

    @Test(arguments: [
        (pressure(84, 128), [HealthFlag.pairReversed]),
        (pressure(120, 120), [.pairReversed]),
        (pressure(500, 84), [.outOfRange]),
        (pressure(16, 11), [.outOfRange, .unitDoubtful]),
        (pressure(0, -1), [.outOfRange]),
        (glucose(5.9, .milligramsPerDeciliter), [.outOfRange, .unitDoubtful]),
        (glucose(98, .millimolesPerLiter), [.outOfRange, .unitDoubtful]),
        (glucose(0.1, .millimolesPerLiter), [.outOfRange]),
        (rate(72, .hertz), [.outOfRange, .unitDoubtful]), (rate(600, .perMinute), [.outOfRange]),
        (pressure(120, 80, end: now - 1), [.endsBeforeStart]),
        (pressure(120, 80, start: now + 600_001), [.inFuture]),
    ])
    func whatCanHardlyBeTrueIsFlagged(_ reading: HealthReading, _ flags: [HealthFlag]) throws {
        let before = reading.json
        #expect(reading.flags(asOf: Self.now) == flags)
        #expect(try HealthReading(parsing: before).json == before)
    }

    @Test(arguments: [
        #"{"id":"1","kind":"bloodPressure","start":1,"systolic":{"value":128,"unit":"mmHg"}}"#,
        #"{"id":"1","kind":"heartRate","start":1,"rate":{"value":"64","unit":"count/min"}}"#,
        #"{"id":"1","kind":"heartRate","start":1,"rate":{"value":64,"unit":"mmHg"}}"#,
        #"{"id":"1","kind":"heartRate","start":1,"rate":{"value":64}}"#,
        #"{"id":"1","kind":"heartRate","start":1,"rate":64}"#,
        #"{"id":"","kind":"heartRate","start":1,"rate":{"value":64,"unit":"Hz"}}"#,
        #"{"id":"1","kind":"heartRate","start":"now","rate":{"value":64,"unit":"Hz"}}"#,
        #"{"id":"1","kind":"heartRate","start":1,"rate":{"value":64,"unit":"Hz"},"meal":"after"}"#,
        #"{"id":"1","kind":"weight","start":1,"weight":{"value":64,"unit":"kg"}}"#, "[]",
    ])
    func anotherFormIsRefusedWithAReason(_ text: String) throws {
        let value = try JSONValue(parsing: Array(text.utf8))
        let error = #expect(throws: JSONError.self) { try HealthReading(parsing: value) }
        #expect((error?.description.count ?? 0) > 10)
    }
}
