import CICal

extension RecurrenceRule {
    /// A rule as libical read it; nil for one without frequency, with an impossible UNTIL, or of
    /// another calendar scale.
    init?(_ rule: icalrecurrencetype) {
        guard rule.rscale == nil, rule.interval >= 1, rule.count >= 0 else { return nil }
        let frequency: Frequency
        switch rule.freq {
        case ICAL_SECONDLY_RECURRENCE: frequency = .secondly
        case ICAL_MINUTELY_RECURRENCE: frequency = .minutely
        case ICAL_HOURLY_RECURRENCE: frequency = .hourly
        case ICAL_DAILY_RECURRENCE: frequency = .daily
        case ICAL_WEEKLY_RECURRENCE: frequency = .weekly
        case ICAL_MONTHLY_RECURRENCE: frequency = .monthly
        case ICAL_YEARLY_RECURRENCE: frequency = .yearly
        default: return nil
        }
        self.init(frequency)
        interval = Int(rule.interval)
        count = rule.count == 0 ? nil : Int(rule.count)
        until = CalendarTime(rule.until, zoneName: nil)
        // An end that is no date must not become no end.
        guard until != nil || icaltime_is_null_time(rule.until) != 0 else { return nil }
        bySecond = Set(Self.list(rule.by_second).map { min($0, 59) }).sorted()
        byMinute = Self.list(rule.by_minute)
        byHour = Self.list(rule.by_hour)
        byMonthDay = Self.list(rule.by_month_day)
        byYearDay = Self.list(rule.by_year_day)
        byWeekNumber = Self.list(rule.by_week_no)
        byMonth = Self.list(rule.by_month)
        bySetPosition = Self.list(rule.by_set_pos)
        // libical counts weekdays from 1, Sunday; a position that is negative is in the sign.
        byDay = Self.list(rule.by_day).map { value in
            DayOfWeek(
                ordinal: Int(icalrecurrencetype_day_position(Int16(value))),
                weekday: Int(icalrecurrencetype_day_day_of_week(Int16(value)).rawValue) - 1)
        }
        weekStart = max(0, Int(rule.week_start.rawValue) - 1)
    }

    /// The values of one of libical's arrays, ascending and each once.
    private static func list<Tuple>(_ tuple: Tuple) -> [Int] {
        let values = withUnsafeBytes(of: tuple) { bytes in
            bytes.bindMemory(to: Int16.self).prefix {
                $0 != Int16(ICAL_RECURRENCE_ARRAY_MAX.rawValue)
            }.map(Int.init)
        }
        return Set(values).sorted()
    }
}
