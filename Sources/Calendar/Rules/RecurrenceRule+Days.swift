extension RecurrenceRule {
    /// Whether BYMONTH, BYYEARDAY, BYMONTHDAY and BYDAY all take the day.
    func accepts(day: Int) -> Bool {
        let weekday = CivilDate.weekday(ofDays: day)
        if !byDay.isEmpty && !byDay.contains(where: { $0.weekday == weekday }) { return false }
        if byMonth.isEmpty && byMonthDay.isEmpty && byYearDay.isEmpty && !hasOrdinals {
            return true
        }
        let date = CivilDate(days: day)
        if !byMonth.isEmpty && !byMonth.contains(date.month) { return false }
        let monthLength = CivilDate.daysInMonth(date.month, of: date.year)
        if !byMonthDay.isEmpty && !byMonthDay.contains(date.day)
            && !byMonthDay.contains(date.day - monthLength - 1)
        {
            return false
        }
        if byYearDay.isEmpty && !hasOrdinals { return true }
        let yearLength = CivilDate.daysInYear(date.year)
        let yearDay = day - CivilDate(year: date.year, month: 1, day: 1).days + 1
        if !byYearDay.isEmpty && !byYearDay.contains(yearDay)
            && !byYearDay.contains(yearDay - yearLength - 1)
        {
            return false
        }
        if !hasOrdinals { return true }
        return ordinalsCountInMonth
            ? acceptsOrdinal(weekday, position: date.day, length: monthLength)
            : acceptsOrdinal(weekday, position: yearDay, length: yearLength)
    }

    /// The days of the period that starts `index` intervals after the one of `startDay`, ascending.
    ///
    /// For daily rules and longer ones; the rule is `completed`.
    func days(ofPeriod index: Int, startDay: Int) -> [Int] {
        let start = CivilDate(days: startDay)
        switch frequency {
        case .secondly, .minutely, .hourly:
            return []
        case .daily:
            let day = startDay + index * interval
            return accepts(day: day) ? [day] : []
        case .weekly:
            let first = weekBegin(startDay) + 7 * index * interval
            return (first..<first + 7).filter(accepts)
        case .monthly:
            let month = start.year * 12 + start.month - 1 + index * interval
            return days(ofMonth: floorModulus(month, 12) + 1, year: floorDivision(month, 12))
        case .yearly:
            return days(ofYear: firstYear(startDay) + index * interval)
        }
    }

    /// The first day of the first period, from which periods are counted.
    func firstDay(ofPeriod index: Int, startDay: Int) -> Int {
        let start = CivilDate(days: startDay)
        switch frequency {
        case .secondly, .minutely, .hourly, .daily:
            return startDay + index * interval
        case .weekly:
            return weekBegin(startDay) + 7 * index * interval
        case .monthly:
            let month = start.year * 12 + start.month - 1 + index * interval
            // A day that is skipped backward may stand before its month.
            return CivilDate(
                year: floorDivision(month, 12), month: floorModulus(month, 12) + 1, day: 1
            ).days - 1
        case .yearly:
            // The first week of a year may begin up to three days before it.
            let year = firstYear(startDay) + index * interval
            return CivilDate(year: year, month: 1, day: 1).days - 3
        }
    }

    private var hasOrdinals: Bool { byDay.contains { $0.ordinal != 0 } }

    private var ordinalsCountInMonth: Bool {
        frequency == .monthly || (frequency == .yearly && !byMonth.isEmpty)
    }

    private func acceptsOrdinal(_ weekday: Int, position: Int, length: Int) -> Bool {
        let fromStart = (position - 1) / 7 + 1
        let fromEnd = -((length - position) / 7 + 1)
        // Only months and years count weekdays; a week or a day has one of each.
        let counts = frequency == .monthly || (frequency == .yearly && byWeekNumber.isEmpty)
        return byDay.contains {
            $0.weekday == weekday
                && (!counts || $0.ordinal == 0 || $0.ordinal == fromStart || $0.ordinal == fromEnd)
        }
    }

    private func weekBegin(_ day: Int) -> Int {
        day - floorModulus(CivilDate.weekday(ofDays: day) - weekStart, 7)
    }

    private func days(ofMonth month: Int, year: Int) -> [Int] {
        if !byMonth.isEmpty && !byMonth.contains(month) { return [] }
        let first = CivilDate(year: year, month: month, day: 1).days
        if skip != .omit && !byMonthDay.isEmpty {
            return kept(byMonthDay, first: first, length: CivilDate.daysInMonth(month, of: year))
        }
        return (first..<first + CivilDate.daysInMonth(month, of: year)).filter(accepts)
    }

    private func days(ofYear year: Int) -> [Int] {
        guard byWeekNumber.isEmpty else { return days(ofWeeksIn: year) }
        guard byMonth.isEmpty else { return byMonth.flatMap { days(ofMonth: $0, year: year) } }
        let first = CivilDate(year: year, month: 1, day: 1).days
        if skip != .omit && !byYearDay.isEmpty {
            return kept(byYearDay, first: first, length: CivilDate.daysInYear(year))
        }
        return (first..<first + CivilDate.daysInYear(year)).filter(accepts)
    }

    /// The days of a month or year that numbers name, those that it does not have beside it
    /// (RFC 7529, section 4.1); ascending.
    private func kept(_ numbers: [Int], first: Int, length: Int) -> [Int] {
        var days: Set<Int> = []
        for number in numbers {
            let offset = number > 0 ? number - 1 : length + number
            let edge = offset < 0 ? -1 : length - 1
            let isThere = (0..<length).contains(offset)
            days.insert(first + (isThere ? offset : skip == .backward ? edge : edge + 1))
        }
        var rest = self
        rest.byMonthDay = []
        rest.byYearDay = []
        rest.byMonth = []
        return days.sorted().filter(rest.accepts)
    }

    /// The days of the numbered weeks: week 1 is the first with four days in the year.
    private func days(ofWeeksIn year: Int) -> [Int] {
        let first = firstWeek(of: year)
        let count = (firstWeek(of: year + 1) - first) / 7
        let numbers = Set(byWeekNumber.map { $0 < 0 ? count + 1 + $0 : $0 })
        return numbers.filter { (1...count).contains($0) }.sorted().flatMap { number in
            (first + 7 * (number - 1)..<first + 7 * number).filter(accepts)
        }
    }

    /// The year of DTSTART, or the one that its week belongs to if the rule has it in that week.
    private func firstYear(_ startDay: Int) -> Int {
        let year = CivilDate(days: startDay).year
        guard !byWeekNumber.isEmpty else { return year }
        let weekYear =
            startDay < firstWeek(of: year)
            ? year - 1 : startDay < firstWeek(of: year + 1) ? year : year + 1
        return days(ofWeeksIn: weekYear).contains(startDay) ? weekYear : year
    }

    private func firstWeek(of year: Int) -> Int {
        weekBegin(CivilDate(year: year, month: 1, day: 4).days)
    }
}
