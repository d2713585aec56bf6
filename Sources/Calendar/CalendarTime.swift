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
}

/// A DURATION: days on the wall and an exact time.
struct CalendarDuration: Sendable, Equatable {
    let days: Int
    let seconds: Int64
}
