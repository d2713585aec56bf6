import Foundation

/// Rules that turn wall times into instants, both in seconds.
enum Zone: Sendable {
    case utc
    /// An IANA zone, with the data that Foundation brings.
    case named(Foundation.TimeZone)
    /// A VTIMEZONE.
    case table(ZoneTable)

    /// A zone by its IANA name; nil for a name that is not known.
    init?(identifier: String) {
        if identifier == "UTC" || identifier == "Etc/UTC" {
            self = .utc
            return
        }
        guard let zone = Foundation.TimeZone(identifier: identifier) else { return nil }
        self = .named(zone)
    }

    /// Seconds that the wall is ahead of UTC at an instant.
    func offset(at instant: Int64) -> Int64 {
        switch self {
        case .utc: 0
        case .named(let zone):
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))))
        case .table(let table): table.offset(at: instant)
        }
    }

    /// The wall time at an instant.
    func wall(at instant: Int64) -> Int64 { instant + offset(at: instant) }

    /// The instant of a wall time.
    ///
    /// A time that the clock shows twice is its first occurrence. One that the clock skips is read
    /// with the offset before the gap, as RFC 5545, section 3.3.5, says: it is shifted and kept.
    func instant(ofWall wall: Int64) -> Int64 {
        if case .utc = self { return wall }
        // No offset reaches a day, so these stand on both sides of a change near the wall time.
        let before = offset(at: wall - 86_400)
        let early = wall - before
        if offset(at: early) == before { return early }
        let after = offset(at: wall + 86_400)
        let late = wall - after
        return offset(at: late) == after ? late : early
    }
}
