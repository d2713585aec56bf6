/// A DATE or DATE-TIME value as it is written.
struct CalendarTime: Sendable, Equatable {
    /// How the value says where on the earth it is meant.
    enum Place: Sendable, Equatable {
        case floating, utc
        /// The value of TZID.
        case named(String)
    }

    /// Seconds from 1970-01-01T00:00 on the wall; midnight for a date.
    let wall: Int64
    let isDate: Bool
    let place: Place

    /// Days from 1970-01-01 of the date as written.
    var day: Int { Int(floorDivision(wall, 86_400)) }
    var isMidnight: Bool { floorModulus(wall, 86_400) == 0 }

    /// The value of a property and its TZID; nil if it is no time.
    ///
    /// VALUE is not asked: whether it is a date or a time is seen in the value itself, and where the
    /// two differ, engines follow the value.
    init?(_ line: ContentLine) {
        self.init(line.text, line.trimmedValue, zone: line.parameter("TZID"))
    }

    /// `20260601`, `20260601T180000`, and the latter with Z; the form of RFC 3339 is read too.
    init?(_ text: [UInt8], _ range: Range<Int>, zone: String? = nil) {
        var digits = DigitReader(text, range)
        guard let days = digits.date() else { return nil }
        guard !digits.isAtEnd else {
            self.init(wall: Int64(days) * 86_400, isDate: true, place: .floating)
            return
        }
        guard digits.skip("T"), let clock = digits.clock() else { return nil }
        let isUTC = digits.skip("Z")
        guard digits.isAtEnd else { return nil }
        let named = zone.flatMap { $0.isEmpty ? nil : $0 }.map(Place.named)
        self.init(
            wall: Int64(days * 86_400 + clock), isDate: false,
            place: isUTC ? .utc : named ?? .floating)
    }

    private init(wall: Int64, isDate: Bool, place: Place) {
        self.wall = wall
        self.isDate = isDate
        self.place = place
    }
}

/// A DURATION: days on the wall and an exact time; both may be negative.
struct CalendarDuration: Sendable, Equatable {
    let days: Int
    let seconds: Int64

    /// `P1DT2H30M`, `-PT15M`, `P2W`; nil if it is none, or beyond all that a calendar holds.
    init?(_ text: [UInt8], _ range: Range<Int>) {
        var digits = DigitReader(text, range)
        let isNegative = digits.skip("-")
        digits.skip("+")
        guard digits.skip("P"), !digits.isAtEnd else { return nil }
        var (days, seconds) = (0, 0)
        var isTime = false
        while !digits.isAtEnd {
            if digits.skip("T") {
                guard !isTime else { return nil }
                isTime = true
                continue
            }
            guard let number = digits.number(upTo: 9), let unit = digits.take() else { return nil }
            switch (unit.uppercased, isTime) {
            case (UInt8(ascii: "W"), false): days += number * 7
            case (UInt8(ascii: "D"), false): days += number
            case (UInt8(ascii: "H"), true): seconds += number * 3_600
            case (UInt8(ascii: "M"), true): seconds += number * 60
            case (UInt8(ascii: "S"), true): seconds += number
            default: return nil
            }
        }
        let sign = isNegative ? -1 : 1
        self.days = sign * days
        self.seconds = Int64(sign * seconds)
    }
}

/// Reads numbers and marks from bytes, one after the other.
struct DigitReader {
    private let text: [UInt8]
    private var index: Int
    private let end: Int

    init(_ text: [UInt8], _ range: Range<Int>) {
        self.text = text
        index = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { index == end }

    /// The next byte.
    mutating func take() -> UInt8? {
        guard index < end else { return nil }
        defer { index += 1 }
        return text[index]
    }

    /// A number of exactly this many digits.
    mutating func number(_ count: Int) -> Int? {
        guard end - index >= count else { return nil }
        var number = 0
        for place in index..<index + count {
            guard let digit = text[place].digit else { return nil }
            number = number * 10 + digit
        }
        index += count
        return number
    }

    /// A number of one digit or more, up to a count; nil if more follow.
    mutating func number(upTo count: Int) -> Int? {
        var length = 0
        while index + length < end, text[index + length].digit != nil {
            length += 1
            guard length <= count else { return nil }
        }
        return length == 0 ? nil : number(length)
    }

    /// Passes a mark over, in either case; whether it stood there.
    @discardableResult
    mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard index < end, text[index].uppercased == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }

    /// Days from 1970-01-01 of `20260601` or `2026-06-01`; nil for no date of the calendar.
    mutating func date() -> Int? {
        guard let year = number(4), year >= 1 else { return nil }
        skip("-")
        guard let month = number(2), (1...12).contains(month) else { return nil }
        skip("-")
        guard let day = number(2), day >= 1, day <= CivilDate.daysInMonth(month, of: year) else {
            return nil
        }
        return CivilDate(year: year, month: month, day: day).days
    }

    /// Seconds of the day of `180000` or `18:00:00`; a leap second is the one before it.
    mutating func clock() -> Int? {
        guard let hour = number(2), hour <= 24 else { return nil }
        skip(":")
        guard let minute = number(2), minute < 60 else { return nil }
        skip(":")
        guard let second = number(2), second <= 60 else { return nil }
        return hour * 3_600 + minute * 60 + min(second, 59)
    }

    /// Milliseconds of a fraction such as `.25`, cut off below; 0 if there is none.
    mutating func milliseconds() -> Int64 {
        guard skip(".") || skip(",") else { return 0 }
        var (milliseconds, scale) = (0, 100)
        while index < end, let digit = text[index].digit {
            milliseconds += digit * scale
            scale /= 10
            index += 1
        }
        return Int64(milliseconds)
    }
}
