/// Walks the instances of a rule in order of wall time.
///
/// Wall times are seconds since 1970-01-01T00:00 as a clock on the wall shows them: no zone and no
/// offset enters here. libical's iterator is not used: it cannot be stopped between two instances
/// (`FREQ=MINUTELY` on 31 February holds it for minutes) and differs from RFC 5545 in BYSETPOS,
/// BYWEEKNO and intervals of hours and minutes.
struct RuleExpansion {
    private let rule: RecurrenceRule
    private let start: Int64
    private let startDay: Int
    /// Seconds of the day, for daily rules and longer ones.
    private let times: [Int]

    /// Of a rule whose DTSTART has the wall time `start`.
    init(_ rule: RecurrenceRule, start: Int64) {
        startDay = Int(floorDivision(start, 86_400))
        self.rule = rule.completed(byStartDay: startDay)
        self.start = start
        let second = Int(floorModulus(start, 86_400))
        let hours = rule.byHour.isEmpty ? [second / 3_600] : rule.byHour
        let minutes = rule.byMinute.isEmpty ? [second / 60 % 60] : rule.byMinute
        let seconds = rule.bySecond.isEmpty ? [second % 60] : rule.bySecond
        minuteSeconds = seconds
        hourSeconds = minutes.flatMap { minute in seconds.map { minute * 60 + $0 } }
        let inHour = hourSeconds
        times =
            rule.frequency.rawValue < RecurrenceRule.Frequency.daily.rawValue
            ? [] : hours.flatMap { hour in inHour.map { hour * 3_600 + $0 } }
    }

    private let minuteSeconds: [Int]
    private let hourSeconds: [Int]

    /// Why a walk ended.
    enum End { case ruleEnded, stopped, outOfSteps }

    /// Gives every instance from `from` through `through` to `body`, until that says false.
    ///
    /// COUNT is counted from DTSTART, which itself counts only where the rule has it. UNTIL is the
    /// caller's. Each period, each skipped day and each instance takes one of `steps`.
    func walk(
        from: Int64, through: Int64, steps: inout Int, body: (Int64) -> Bool
    ) -> End {
        var state = Walk(from: max(from, start), through: through, left: rule.count, steps: steps)
        let end =
            times.isEmpty
            ? walkTicks(&state, body: body) : walkPeriods(&state, body: body)
        steps = state.steps
        return end
    }

    private struct Walk {
        let from: Int64
        let through: Int64
        var left: Int?
        var steps: Int
        /// The instance given last: SKIP may put two days of a rule on one.
        var last = Int64.min
    }

    /// Whether nothing but INTERVAL says which ticks are instances.
    private var isPlain: Bool {
        rule.bySecond.isEmpty && rule.byMinute.isEmpty && rule.byHour.isEmpty
            && rule.byDay.isEmpty && rule.byMonthDay.isEmpty && rule.byYearDay.isEmpty
            && rule.byWeekNumber.isEmpty && rule.byMonth.isEmpty && rule.bySetPosition.isEmpty
    }

    // MARK: Days and longer

    private func walkPeriods(_ state: inout Walk, body: (Int64) -> Bool) -> End {
        var index = state.left == nil ? periodBefore(state.from) : 0
        while true {
            let first = rule.firstDay(ofPeriod: index, startDay: startDay)
            if Int64(first) * 86_400 > state.through { return .ruleEnded }
            state.steps -= 1
            if state.steps < 0 { return .outOfSteps }
            let days = rule.days(ofPeriod: index, startDay: startDay).map { Int64($0) * 86_400 }
            if let end = emit(bases: days, offsets: times, &state, body: body) { return end }
            index += 1
        }
    }

    /// A period that surely begins before `wall`, so that a rule without COUNT need not be walked
    /// from its beginning.
    private func periodBefore(_ wall: Int64) -> Int {
        let days = Int(floorDivision(wall, 86_400)) - startDay
        let longest =
            switch rule.frequency {
            case .secondly, .minutely, .hourly, .daily: 1
            case .weekly: 7
            case .monthly: 31
            case .yearly: 366
            }
        return max(0, days / (longest * rule.interval) - 2)
    }

    // MARK: Hours and shorter

    private func walkTicks(_ state: inout Walk, body: (Int64) -> Bool) -> End {
        let unit: Int64
        let offsets: [Int]
        switch rule.frequency {
        case .secondly: (unit, offsets) = (1, [0])
        case .minutely: (unit, offsets) = (60, minuteSeconds)
        case .hourly, .daily, .weekly, .monthly, .yearly: (unit, offsets) = (3_600, hourSeconds)
        }
        let interval = Int64(rule.interval)
        let firstTick = floorDivision(start, unit)
        /// The first tick of the rule at or after a wall time that begins one.
        func tick(atOrAfter wall: Int64) -> Int64 {
            let distance = floorDivision(wall + unit - 1, unit) - firstTick
            return firstTick + (distance + interval - 1) / interval * interval
        }
        var current = firstTick
        let begin = tick(atOrAfter: floorDivision(state.from, unit) * unit)
        if let left = state.left {
            // Where each tick is one instance, those before the window need no steps.
            if isPlain {
                let passed = (begin - firstTick) / interval
                guard passed < left else { return .ruleEnded }
                state.left = left - Int(passed)
                current = begin
            }
        } else {
            current = begin
        }
        while true {
            let wall = current * unit
            if wall > state.through { return .ruleEnded }
            state.steps -= 1
            if state.steps < 0 { return .outOfSteps }
            if let next = nextCandidate(after: wall) {
                current = tick(atOrAfter: next)
                continue
            }
            if let end = emit(bases: [wall], offsets: offsets, &state, body: body) { return end }
            current += interval
        }
    }

    /// Where to go on if the parts that limit days, hours, minutes or seconds do not take `wall`.
    private func nextCandidate(after wall: Int64) -> Int64? {
        let day = floorDivision(wall, 86_400)
        let second = Int(wall - day * 86_400)
        if !rule.accepts(day: Int(day)) { return (day + 1) * 86_400 }
        if !rule.byHour.isEmpty && !rule.byHour.contains(second / 3_600) {
            return (floorDivision(wall, 3_600) + 1) * 3_600
        }
        if rule.frequency == .hourly { return nil }
        if !rule.byMinute.isEmpty && !rule.byMinute.contains(second / 60 % 60) {
            return (floorDivision(wall, 60) + 1) * 60
        }
        if rule.frequency == .minutely { return nil }
        return rule.bySecond.isEmpty || rule.bySecond.contains(second % 60) ? nil : wall + 1
    }

    // MARK: Sets

    /// The set of one period is every base with every offset, both ascending; BYSETPOS picks
    /// from it.
    private func emit(
        bases: [Int64], offsets: [Int], _ state: inout Walk, body: (Int64) -> Bool
    ) -> End? {
        guard !rule.bySetPosition.isEmpty else {
            for base in bases {
                for offset in offsets {
                    if let end = give(base + Int64(offset), &state, body: body) { return end }
                }
            }
            return nil
        }
        let count = bases.count * offsets.count
        let picked = Set(rule.bySetPosition.map { $0 < 0 ? count + $0 : $0 - 1 })
        for position in picked.sorted() where position >= 0 && position < count {
            let wall = bases[position / offsets.count] + Int64(offsets[position % offsets.count])
            if let end = give(wall, &state, body: body) { return end }
        }
        return nil
    }

    private func give(_ wall: Int64, _ state: inout Walk, body: (Int64) -> Bool) -> End? {
        guard wall >= start, wall > state.last else { return nil }
        state.last = wall
        if wall > state.through { return .ruleEnded }
        if let left = state.left {
            if left == 0 { return .ruleEnded }
            state.left = left - 1
        }
        state.steps -= 1
        if state.steps < 0 { return .outOfSteps }
        guard wall >= state.from else { return nil }
        return body(wall) ? nil : .stopped
    }
}
