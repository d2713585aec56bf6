/// A day, or an instant with its offset from UTC and, if given, its zone.
///
/// ```
/// 2026-12-05                                   a day
/// 2026-12-05T20:00:00Z                         RFC 3339
/// 2026-12-05T20:00:00+01:00                    RFC 3339
/// 2026-12-05T20:00:00+01:00[Europe/Berlin]     RFC 9557: the zone's name beside the offset
/// ```
/// The offset decides the instant; a zone's name is kept and not looked up, because that needs a
/// database which changes. Leap seconds are refused.
public struct ZonedDate: Sendable, Equatable {
    /// As it was given.
    public let text: String
    /// Milliseconds since 1970-01-01T00:00:00Z; of a day its start in UTC.
    public let start: Int64
    /// Whether no time of day was given.
    public let isDay: Bool
    /// The day on which it is where it takes place, as days since 1970-01-01.
    public let localDay: Int
    /// The zone's name; nil if none was given.
    public let zone: String?

    /// Reads one of the forms above; nil for anything else.
    public init?(_ text: String) {
        var scanner = DateScanner(text)
        guard let day = scanner.day() else { return nil }
        self.text = text
        localDay = day
        guard !scanner.isAtEnd else {
            (start, isDay, zone) = (Int64(day) * 86_400_000, true, nil)
            return
        }
        guard let time = scanner.time(), let offset = scanner.offset() else { return nil }
        (start, isDay) = (Int64(day) * 86_400_000 + time - offset, false)
        zone = scanner.zone()
        guard scanner.isAtEnd else { return nil }
    }

    /// For people: `2026-12-05 20:00`, local where it takes place, or the day alone.
    public var display: String {
        isDay ? text : "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }

    /// Whether it falls into the time from one instant through another, in milliseconds; a day
    /// does if any part of it does.
    public func isWithin(_ from: Int64, through to: Int64) -> Bool {
        isDay ? start + 86_400_000 > from && start <= to : start >= from && start <= to
    }
}

/// Reads the parts of a date one after another.
private struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// Days since 1970-01-01.
    mutating func day() -> Int? {
        guard let year = number(4), take("-"), let month = number(2), take("-"),
            let day = number(2), (1...12).contains(month),
            (1...Self.days(inMonth: month, year: year)).contains(day)
        else { return nil }
        return Self.daysSinceEpoch(year: year, month: month, day: day)
    }

    /// Milliseconds since midnight.
    mutating func time() -> Int64? {
        guard take("T"), let hour = number(2), take(":"), let minute = number(2), take(":"),
            let second = number(2), hour < 24, minute < 60, second < 60
        else { return nil }
        var milliseconds = 0
        if take(".") {
            let digits = rest.prefix { Self.isDigit($0) }
            guard (1...9).contains(digits.count) else { return nil }
            for (index, digit) in digits.prefix(3).enumerated() {
                milliseconds += Int(digit - 0x30) * [100, 10, 1][index]
            }
            rest = rest.dropFirst(digits.count)
        }
        return Int64(((hour * 60 + minute) * 60 + second) * 1_000 + milliseconds)
    }

    /// Milliseconds east of UTC.
    mutating func offset() -> Int64? {
        if take("Z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(2), take(":"), let minutes = number(2),
            hours < 24, minutes < 60
        else { return nil }
        return Int64((hours * 60 + minutes) * 60_000 * (isWest ? -1 : 1))
    }

    /// A zone's name in brackets; nil, and nothing is read, if there is none.
    mutating func zone() -> String? {
        guard rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]"))
        else { return nil }
        let name = rest[rest.startIndex..<end].dropFirst()
        guard !name.isEmpty, name.count <= 64, name.allSatisfy(Self.isZoneCharacter) else {
            return nil
        }
        rest = rest[end...].dropFirst()
        return String(Substring(name))
    }

    private mutating func number(_ digits: Int) -> Int? {
        let taken = rest.prefix(digits)
        guard taken.count == digits, taken.allSatisfy(Self.isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return taken.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isZoneCharacter(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || "/_+-.".utf8.contains(byte)
    }

    private static func days(inMonth month: Int, year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil;
    /// for the years 0 to 9999 of the Gregorian calendar.
    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
