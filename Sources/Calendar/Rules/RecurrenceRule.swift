/// An RRULE or EXRULE (RFC 5545, section 3.3.10), read and in order.
///
/// Lists are ascending and without duplicates; an empty list is a part that is not given.
struct RecurrenceRule: Sendable, Equatable {
    enum Frequency: Int, Sendable {
        case secondly, minutely, hourly, daily, weekly, monthly, yearly
    }

    /// What becomes of a day that a month or year does not have (RFC 7529).
    enum Skip: String, Sendable {
        case omit = "OMIT"
        /// The day before it.
        case backward = "BACKWARD"
        /// The day behind it.
        case forward = "FORWARD"
    }

    /// A BYDAY value.
    struct DayOfWeek: Sendable, Equatable {
        /// 1 is the first, -1 the last of the month or year; 0 is every one.
        let ordinal: Int
        /// 0 is Sunday.
        let weekday: Int
    }

    var frequency: Frequency
    var interval = 1
    var count: Int?
    var until: CalendarTime?
    var bySecond: [Int] = []
    var byMinute: [Int] = []
    var byHour: [Int] = []
    var byDay: [DayOfWeek] = []
    var byMonthDay: [Int] = []
    var byYearDay: [Int] = []
    var byWeekNumber: [Int] = []
    var byMonth: [Int] = []
    var bySetPosition: [Int] = []
    /// WKST; 0 is Sunday.
    var weekStart = 1
    var skip = Skip.omit

    init(_ frequency: Frequency) {
        self.frequency = frequency
    }

    /// The same rule with the parts that DTSTART gives where the rule gives none.
    ///
    /// A yearly rule with BYWEEKNO alone takes the weekday, one with BYMONTHDAY and no BYMONTH the month:
    /// section 3.3.10 has what is missing derived from DTSTART. (dateutil takes every weekday and
    /// every month; libical and ical.net do as it is done here.)
    func completed(byStartDay startDay: Int) -> RecurrenceRule {
        var rule = self
        let start = CivilDate(days: startDay)
        let weekday = DayOfWeek(ordinal: 0, weekday: CivilDate.weekday(ofDays: startDay))
        let namesNoDay = byDay.isEmpty && byMonthDay.isEmpty && byYearDay.isEmpty
        switch frequency {
        case .secondly, .minutely, .hourly, .daily:
            break
        case .weekly:
            if byDay.isEmpty { rule.byDay = [weekday] }
        case .monthly:
            if namesNoDay { rule.byMonthDay = [start.day] }
        case .yearly:
            if !byWeekNumber.isEmpty {
                if namesNoDay { rule.byDay = [weekday] }
            } else if byYearDay.isEmpty && (byDay.isEmpty || !byMonthDay.isEmpty) {
                if byMonth.isEmpty { rule.byMonth = [start.month] }
                if byMonthDay.isEmpty { rule.byMonthDay = [start.day] }
            }
        }
        return rule
    }
}
