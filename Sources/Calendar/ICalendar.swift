/// iCalendar (RFC 5545) texts: splitting them by UID, and expanding them to occurrences.
public enum ICalendar {
    /// Splits a VCALENDAR text into one resource a UID (with the VTIMEZONEs it needs).
    public static func resources(
        in text: [UInt8], bytesMax: Int
    ) throws(CalendarError) -> [CalendarResource] {
        []
    }

    /// The occurrences that overlap [from, to).
    public static func occurrences(
        of resources: [CalendarResource], from: Int64, to: Int64, zone: String, occurrencesMax: Int
    ) -> (occurrences: [Occurrence], faults: [CalendarFault]) {
        ([], [])
    }
}
