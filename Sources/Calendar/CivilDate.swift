/// A date of the proleptic Gregorian calendar.
///
/// Days are counted from 1970-01-01; the arithmetic is Howard Hinnant's ("chrono-compatible
/// low-level date algorithms").
struct CivilDate: Equatable, Sendable {
    let year: Int
    /// 1 to 12.
    let month: Int
    /// 1 to 31.
    let day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date that stands `days` after 1970-01-01.
    init(days: Int) {
        let shifted = days + 719_468
        let era = floorDivision(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01.
    var days: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = floorDivision(marchYear, 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    static func daysInYear(_ year: Int) -> Int { isLeap(year) ? 366 : 365 }

    /// `month` is 1 to 12.
    static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// 0 is Sunday, 6 is Saturday.
    static func weekday(ofDays days: Int) -> Int { floorModulus(days + 4, 7) }
}

/// Quotient rounded towards minus infinity.
func floorDivision<Number: BinaryInteger>(_ value: Number, _ divisor: Number) -> Number {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
}

/// What `floorDivision` leaves; never negative for a positive divisor.
func floorModulus<Number: BinaryInteger>(_ value: Number, _ divisor: Number) -> Number {
    value - floorDivision(value, divisor) * divisor
}
