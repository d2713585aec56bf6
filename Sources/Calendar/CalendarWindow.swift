/// Windows of local calendar days.
public enum CalendarWindow {
    /// From as-of to the same local time `days` days later.
    public static func upcoming(
        asOf: Int64, days: Int, zone: String
    ) throws(CalendarError) -> (from: Int64, to: Int64) {
        (asOf, asOf)
    }
}
