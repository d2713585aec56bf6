import Calendar
import Messages

/// Checks what a producer is about to push, so that a person hears of faults at once; replicas
/// check again.
public enum CalendarFile {
    /// Refuses a file that holds no readable calendar object.
    ///
    /// - Throws: `ConfigurationError` that names the file and the fault.
    public static func check(_ bytes: [UInt8], named path: String) throws {
        do {
            let resources = try ICalendar.resources(in: bytes, bytesMax: Limits.resourceBytesMax)
            guard !resources.isEmpty else { throw ConfigurationError("'\(path)' holds no event") }
        } catch let error as CalendarError {
            throw ConfigurationError("'\(path)': \(error)")
        }
    }

    /// What of a file's values cannot be used; the rest of it counts.
    ///
    /// - Throws: `ConfigurationError` that names the file, if it is no calendar at all.
    public static func faults(in bytes: [UInt8], named path: String) throws -> [String] {
        do {
            let series = try ICalendar.series(in: bytes, bytesMax: Limits.resourceBytesMax)
            return ICalendar.occurrences(
                of: series, in: OccurrenceWindow(from: 0, to: 0), zone: "UTC", occurrencesMax: 1
            ).faults.map { "\($0)" }
        } catch {
            throw ConfigurationError("'\(path)': \(error)")
        }
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
