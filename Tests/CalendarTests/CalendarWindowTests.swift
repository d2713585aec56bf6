import Calendar
import Testing

struct CalendarWindowTests {
    @Test(arguments: [
        ("20260301T110000", 90, "UTC", "20260530T110000"),
        ("20260301T110000", 90, "Europe/Berlin", "20260530T100000"),
        ("20261024T220000", 1, "Europe/Berlin", "20261025T230000"),
        ("20260307T073000", 1, "America/New_York", "20260308T073000"),
        ("20261031T053000", 1, "America/New_York", "20261101T053000"),
    ])
    func windowEndsAtTheSameLocalTime(asOf: String, days: Int, zone: String, end: String) throws {
        let start = try Samples.instant(asOf) + 123
        let window = try CalendarWindow.upcoming(asOf: start, days: days, zone: zone)
        #expect(window.from == start)
        #expect(window.to == (try Samples.instant(end)) + 123)
    }

    @Test(arguments: [
        (0, "UTC", CalendarError.Code.windowInvalid), (3_661, "UTC", .windowInvalid),
        (90, "Mars/Olympus", .zoneUnknown), (90, "", .zoneUnknown),
    ])
    func badWindowIsRefused(days: Int, zone: String, code: CalendarError.Code) {
        #expect {
            try CalendarWindow.upcoming(asOf: 0, days: days, zone: zone)
        } throws: {
            ($0 as? CalendarError)?.code == code
        }
    }

    @Test func asOfOutsideTheYearsIsRefused() {
        #expect(throws: CalendarError.self) {
            try CalendarWindow.upcoming(asOf: .max, days: 90, zone: "UTC")
        }
    }
}
