import Catalog
import Testing

struct ZonedDateTests {
    @Test(arguments: [
        ("1970-01-01", 0, true),
        ("2026-12-05", 1_796_428_800_000, true),
        ("2000-02-29", 951_782_400_000, true),
        ("0000-01-01", -62_167_219_200_000, true),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999, false),
        ("1970-01-01T00:00:00Z", 0, false),
        ("2026-12-05T20:00:00+01:00", 1_796_497_200_000, false),
        ("2026-12-05T20:00:00-05:30", 1_796_520_600_000, false),
        ("2026-12-05T20:00:00.5Z", 1_796_500_800_500, false),
        ("2026-12-05T20:00:00.123456789Z", 1_796_500_800_123, false),
        ("2026-12-05T20:00:00+01:00[Europe/Berlin]", 1_796_497_200_000, false),
    ])
    func formIsRead(text: String, start: Int64, isDay: Bool) throws {
        let date = try #require(ZonedDate(text))
        #expect(date.start == start)
        #expect(date.isDay == isDay)
        #expect(date.text == text)
    }

    @Test(arguments: [
        "", "2026", "2026-12", "2026-12-5", "26-12-05", "2026-13-01", "2026-00-01", "2026-02-29",
        "2100-02-29", "2026-04-31", "2026-12-00", "2026-12-05 ", " 2026-12-05", "2026-12-05T20:00",
        "2026-12-05T20:00Z", "2026-12-05T20:00:00", "2026-12-05 20:00:00Z", "2026-12-05T24:00:00Z",
        "2026-12-05T20:60:00Z", "2026-12-05T20:00:60Z", "2026-12-05T20:00:00.Z",
        "2026-12-05T20:00:00.1234567890Z", "2026-12-05T20:00:00+1:00", "2026-12-05T20:00:00+0100",
        "2026-12-05T20:00:00+24:00", "2026-12-05T20:00:00+01:00[]",
        "2026-12-05T20:00:00+01:00[Europe/Berlin", "2026-12-05T20:00:00+01:00[Eu rope]",
        "2026-12-05T20:00:00Z[UTC]x", "２026-12-05", "-026-12-05", "2026-12-05[Europe/Berlin]",
    ])
    func otherFormIsRefused(text: String) { #expect(ZonedDate(text) == nil) }

    @Test func zoneIsKeptAndTheDayIsLocal() throws {
        let date = try #require(ZonedDate("2026-12-05T00:30:00+09:00[Asia/Tokyo]"))
        #expect(date.zone == "Asia/Tokyo")
        #expect(date.localDay == 20_792)
        #expect(date.start < Int64(date.localDay) * 86_400_000)
        #expect(date.display == "2026-12-05 00:30")
    }

    @Test func instantIsWithinUpToBothEnds() throws {
        let date = try #require(ZonedDate("1970-01-01T00:00:01Z"))
        #expect(date.isWithin(1_000, through: 1_000))
        #expect(!date.isWithin(1_001, through: 2_000))
        #expect(!date.isWithin(0, through: 999))
    }

    @Test func dayIsWithinIfAnyPartOfItIs() throws {
        let date = try #require(ZonedDate("1970-01-02"))
        #expect(date.isWithin(172_799_999, through: 999_999_999))
        #expect(!date.isWithin(172_800_000, through: 999_999_999))
        #expect(date.isWithin(0, through: 86_400_000))
        #expect(!date.isWithin(0, through: 86_399_999))
    }
}
