/// Windows of local calendar days.
public enum CalendarWindow {
    /// From as-of to the same local time `days` calendar days later, as [from, to).
    ///
    /// A day with a clock change has 23 or 25 hours, so the window is not a multiple of 24 hours.
    /// If the clock skips the time at the end, it is shifted by the gap; if it shows it twice,
    /// it is the first.
    ///
    /// - Parameters:
    ///   - asOf: the instant that the request is answered for; milliseconds, UTC.
    ///   - days: 1 to 3,660.
    ///   - zone: an IANA name.
    /// - Returns: begin and exclusive end; milliseconds, UTC.
    /// - Throws: `zoneUnknown`, `windowInvalid`.
    public static func upcoming(
        asOf: Int64, days: Int, zone: String
    ) throws(CalendarError) -> (from: Int64, to: Int64) {
        guard let rules = Zone(identifier: zone) else {
            throw CalendarError(
                .zoneUnknown, "zone \(zone.prefix(64)); IANA names such as Europe/Berlin are known")
        }
        guard (1...Bounds.windowDaysMax).contains(days) else {
            throw CalendarError(
                .windowInvalid, "\(days) days; 1 to \(Bounds.windowDaysMax) are allowed")
        }
        let seconds = floorDivision(asOf, 1_000)
        guard (Bounds.secondsMin...Bounds.secondsMax).contains(seconds) else {
            throw CalendarError(.windowInvalid, "as-of is outside the years 1 to 9999")
        }
        let end = rules.instant(ofWall: rules.wall(at: seconds) + Int64(days) * 86_400)
        return (asOf, end * 1_000 + floorModulus(asOf, 1_000))
    }
}
