/// What occurrences must overlap: [from, to).
public struct OccurrenceWindow: Sendable, Equatable {
    /// The begin; milliseconds from 1970.
    public let from: Int64
    /// The end, exclusive; milliseconds from 1970. Where it equals `from`, that instant is meant.
    public let to: Int64
    /// Whether the bounds are wall times, compared in the zone of each event, instead of UTC.
    public let isWall: Bool

    /// From bounds in milliseconds from 1970, UTC.
    public init(from: Int64, to: Int64) {
        self.init(from: from, to: to, isWall: false)
    }

    init(from: Int64, to: Int64, isWall: Bool) {
        self.from = from
        self.to = to
        self.isWall = isWall
    }

    /// From two bounds as people write them.
    ///
    /// - Parameters:
    ///   - from: a date, or a time in the form of RFC 3339 (`2026-06-01T18:00:00+02:00`) or of
    ///     iCalendar (`20260601T160000Z`), to the second or finer.
    ///   - to: as `from`. Both have an offset, or both have none: then they are compared in the
    ///     zone of each event.
    /// - Throws: `windowInvalid`, which says what is allowed.
    public init(from: String, to: String) throws(CalendarError) {
        let (begin, end) = (try Self.bound(from), try Self.bound(to))
        guard begin.isWall == end.isWall else {
            throw CalendarError(
                .windowInvalid,
                "'\(from.prefix(40))' and '\(to.prefix(40))': "
                    + "give both an offset or Z, or neither")
        }
        guard begin.milliseconds <= end.milliseconds else {
            throw CalendarError(
                .windowInvalid, "'\(to.prefix(40))' is before '\(from.prefix(40))'")
        }
        self.init(from: begin.milliseconds, to: end.milliseconds, isWall: begin.isWall)
    }

    private static func bound(
        _ text: String
    ) throws(CalendarError) -> (milliseconds: Int64, isWall: Bool) {
        guard let bound = read(text) else {
            throw CalendarError(
                .windowInvalid,
                "'\(text.prefix(40))' is no instant such as 2026-06-01, "
                    + "2026-06-01T18:00:00 or 2026-06-01T18:00:00+02:00")
        }
        return bound
    }

    private static func read(_ text: String) -> (milliseconds: Int64, isWall: Bool)? {
        let bytes = [UInt8](text.utf8)
        var digits = DigitReader(bytes, 0..<bytes.count)
        guard let days = digits.date() else { return nil }
        let midnight = Int64(days) * 86_400_000
        guard !digits.isAtEnd else { return (midnight, true) }
        guard digits.skip("T") || digits.skip(" "), let clock = digits.clock() else { return nil }
        let wall = midnight + Int64(clock) * 1_000 + digits.milliseconds()
        if digits.isAtEnd { return (wall, true) }
        if digits.skip("Z") { return digits.isAtEnd ? (wall, false) : nil }
        let isNegative = digits.skip("-")
        guard isNegative || digits.skip("+"), let hours = digits.number(2), hours < 24 else {
            return nil
        }
        digits.skip(":")
        guard let minutes = digits.number(2), minutes < 60, digits.isAtEnd else { return nil }
        let offset = Int64(hours * 60 + minutes) * 60_000
        return (isNegative ? wall + offset : wall - offset, false)
    }
}
