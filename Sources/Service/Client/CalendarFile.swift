public import Calendar
import Messages

/// Reads what a producer is about to push; replicas read it again.
public enum CalendarFile {
    /// The resources of a file: one a UID.
    ///
    /// - Throws: `CalendarError` if the file is no calendar.
    public static func resources(in bytes: [UInt8]) throws(CalendarError) -> [CalendarResource] {
        try ICalendar.resources(in: bytes, bytesMax: Limits.calendarFileBytesMax)
    }

    /// Refuses a zone that is not known.
    ///
    /// - Throws: `ConfigurationError` that names the zone.
    public static func check(zone: String) throws {
        do {
            _ = try CalendarWindow.upcoming(asOf: 0, days: 1, zone: zone)
        } catch {
            throw ConfigurationError("--zone: \(error)")
        }
    }
}
