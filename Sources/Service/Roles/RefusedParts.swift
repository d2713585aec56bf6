import Calendar
import Messages

/// What a change of an account would have put and removed, by name.
enum RefusedParts {
    /// UIDs of a calendar change, in its order; a text that is no calendar by its place. At most
    /// `countMax`.
    static func names(of record: Record, countMax: Int) -> [String] {
        guard record.kind == .calendarChange,
            let change = try? CalendarChange(parsing: record.body)
        else { return [] }
        var names: [String] = []
        for (place, text) in change.put.enumerated() {
            guard names.count < countMax else { break }
            let resources = try? ICalendar.resources(
                in: Array(text.utf8), bytesMax: Limits.resourceBytesMax)
            names += resources?.map(\.uid) ?? ["put[\(place)]"]
        }
        return Array((names + change.remove).prefix(countMax))
    }
}
