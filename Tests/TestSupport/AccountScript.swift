import Messages

/// What happens in one account.
struct AccountScript {
    /// One thing that a change says of a UID.
    private struct Say {
        let calendar: String
        let uid: String
        let revision: Int
        /// Nil if it is removed.
        let text: String?
        let end: Int64
    }

    let account: String
    private let number: Int
    private let start: Int64
    private let storedAt: Int64?
    private var random: SeededRandom
    private(set) var deliveries: [CalendarMonth.Delivery] = []
    private(set) var expected = CalendarMonth.Expected(access: .notDetermined, calendars: [:])

    private var bodies: [CalendarChange] = []
    private var says: [Say] = []
    private var resets: [String: Int] = [:]
    private var revisions: [String: Int] = [:]
    private var live: [String: [String: Say]] = ["home": [:], "work": [:]]
    private var lastUID = 0
    private var nextID = 0
    private var clock: Int64

    init(account: String, number: Int, start: Int64, storedAt: Int64?, random: SeededRandom) {
        self.account = account
        self.storedAt = storedAt
        self.number = number
        self.start = start
        self.random = random
        clock = start
    }

    /// Some accounts are asked late, some lose access on the way, some at the end, one in ten is
    /// never allowed.
    mutating func write(events: Int) {
        if number % 10 == 9 {
            if number % 20 == 9 { state(.denied) }
            session(events: max(1, events / 10), isAllowed: false, through: 1)
            return
        }
        state(.fullAccess)
        if number % 5 == 1 {
            session(events: events / 2, isAllowed: true, through: 0.5)
            state(number % 2 == 0 ? .denied : .writeOnly)
            forget()
            session(events: 2, isAllowed: false, through: 0.6)
            forget()
            state(.fullAccess)
            session(events: events - events / 2, isAllowed: true, through: 1)
        } else {
            session(events: events, isAllowed: true, through: 1)
        }
        settle()
        if number % 10 == 7 {
            state(.restricted)
            expected.calendars = [:]
        }
    }

    private mutating func state(_ status: AccessStatus) {
        clock += Int64.random(in: 1_000...60_000, using: &random)
        send(.calendarAccess, CalendarAccess(status: status).json, at: clock, isAllowed: true)
        expected.access = status
    }

    /// What was said under an access that ended counts no more.
    private mutating func forget() {
        (says, resets) = ([], [:])
        live = ["home": [:], "work": [:]]
    }

    private mutating func send(
        _ kind: RecordKind, _ body: JSONValue, at time: Int64, id: String? = nil, isAllowed: Bool
    ) {
        nextID += 1
        deliveries.append(
            CalendarMonth.Delivery(
                time: time, account: account, id: id ?? "\(account)/\(nextID)", kind: kind,
                body: body, isAllowed: isAllowed))
    }

    // MARK: Changes

    private mutating func session(events: Int, isAllowed: Bool, through share: Double) {
        bodies = []
        for calendar in ["home", "work"] { beginAnew(calendar) }
        var left = events
        while left > 0 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9:
                let count = min(left, Int.random(in: 1...4, using: &random))
                put(count)
                left -= count
            case 9..<14: edit()
            case 14..<16: move()
            case 16..<19: remove()
            default: if Int.random(in: 0..<8, using: &random) == 0 { beginAnew("home") }
            }
        }
        deliver(
            isAllowed: isAllowed, through: start + Int64(Double(CalendarMonth.milliseconds) * share)
        )
    }

    private mutating func revision(of calendar: String) -> Int {
        revisions[calendar, default: 0] += 1
        return revisions[calendar] ?? 0
    }

    private mutating func newEvent(
        _ uid: String, in calendar: String, _ revision: Int
    ) -> Say {
        // Some are so old that they are not kept, or no longer at the month's end.
        let isOld = Int.random(in: 0..<20, using: &random) == 0
        let days =
            isOld
            ? Int64.random(in: -410 ... -360, using: &random)
            : Int64.random(in: -30...120, using: &random)
        let begin =
            start + days * CalendarMonth.day
            + Int64.random(in: 0..<86_400, using: &random) * 1_000
        let end = begin + 3_600_000
        let titles = ["Low", "Radiohead", "Dentist", "Team lunch", "The Paper Lanterns"]
        let title = titles[Int.random(in: 0..<titles.count, using: &random)]
        let text = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:\(uid)",
            "DTSTART:\(Self.stamp(begin))", "DTEND:\(Self.stamp(end))",
            "SUMMARY:\(title) \(revision)", "END:VEVENT", "END:VCALENDAR", "",
        ].joined(separator: "\r\n")
        return Say(calendar: calendar, uid: uid, revision: revision, text: text, end: end)
    }

    private mutating func say(_ said: [Say], _ change: CalendarChange) {
        says += said
        for one in said { live[one.calendar]?[one.uid] = one.text == nil ? nil : one }
        bodies.append(change)
    }

    private mutating func put(_ count: Int) {
        let calendar = Bool.random(using: &random) ? "home" : "work"
        let revision = revision(of: calendar)
        var said: [Say] = []
        for _ in 0..<count {
            lastUID += 1
            said.append(newEvent("\(account)-\(lastUID)", in: calendar, revision))
        }
        say(
            said,
            CalendarChange(calendar: calendar, revision: revision, put: said.compactMap(\.text)))
    }

    private mutating func anyLive() -> Say? {
        let calendar = Bool.random(using: &random) ? "home" : "work"
        let uids = (live[calendar] ?? [:]).keys.sorted()
        guard !uids.isEmpty else { return nil }
        return live[calendar]?[uids[Int.random(in: 0..<uids.count, using: &random)]]
    }

    private mutating func edit() {
        guard let old = anyLive() else { return }
        let revision = revision(of: old.calendar)
        let said = newEvent(old.uid, in: old.calendar, revision)
        say(
            [said],
            CalendarChange(
                calendar: old.calendar, revision: revision, put: [said.text].compactMap { $0 }))
    }

    private mutating func remove() {
        guard let old = anyLive() else { return }
        let revision = revision(of: old.calendar)
        let said = Say(
            calendar: old.calendar, uid: old.uid, revision: revision, text: nil, end: 0)
        say([said], CalendarChange(calendar: old.calendar, revision: revision, remove: [old.uid]))
    }

    private mutating func move() {
        guard let old = anyLive(), let text = old.text else { return }
        let other = old.calendar == "home" ? "work" : "home"
        let gone = revision(of: old.calendar)
        say(
            [Say(calendar: old.calendar, uid: old.uid, revision: gone, text: nil, end: 0)],
            CalendarChange(calendar: old.calendar, revision: gone, remove: [old.uid]))
        let here = revision(of: other)
        say(
            [Say(calendar: other, uid: old.uid, revision: here, text: text, end: old.end)],
            CalendarChange(calendar: other, revision: here, put: [text]))
    }

    /// All that there is now, in one page or two.
    private mutating func beginAnew(_ calendar: String) {
        let kept = (live[calendar] ?? [:]).values.sorted { $0.uid < $1.uid }.prefix(40)
        let isInTwo = Bool.random(using: &random)
        let first = revision(of: calendar)
        resets[calendar] = first
        live[calendar] = [:]
        let split = isInTwo ? kept.count / 2 : kept.count
        func said(_ old: Say, _ revision: Int) -> Say {
            Say(calendar: calendar, uid: old.uid, revision: revision, text: old.text, end: old.end)
        }
        let page = kept.prefix(split).map { said($0, first) }
        say(
            page,
            CalendarChange(
                calendar: calendar, revision: first, reset: true, complete: !isInTwo,
                put: page.compactMap(\.text)))
        guard isInTwo else { return }
        let second = revision(of: calendar)
        let rest = kept.dropFirst(split).map { said($0, second) }
        say(
            rest,
            CalendarChange(
                calendar: calendar, revision: second, put: rest.compactMap(\.text)))
    }

    // MARK: Delivery

    /// Sends the session's changes: some later than their successors, some twice or three times.
    private mutating func deliver(isAllowed: Bool, through end: Int64) {
        var queue: [(order: Double, id: String, body: JSONValue)] = []
        for (index, body) in bodies.enumerated() {
            nextID += 1
            let id = "\(account)/change-\(nextID)"
            let json = body.json
            let late = Int.random(in: 0..<6, using: &random) == 0
            let delay = late ? Double.random(in: 0...25, using: &random) : 0
            queue.append((Double(index) + delay, id, json))
            let copies = Int.random(in: 0..<8, using: &random)
            for _ in 0..<(copies == 0 ? 2 : copies == 1 ? 1 : 0) {
                queue.append(
                    (Double(index) + Double.random(in: 0...40, using: &random), id, json))
            }
        }
        queue.sort { ($0.order, $0.id) < ($1.order, $1.id) }
        let step = max(1, (end - clock) / Int64(queue.count + 1))
        for (_, id, body) in queue {
            clock += Int64.random(in: step / 2...step, using: &random)
            send(.calendarChange, body, at: clock, id: id, isAllowed: isAllowed)
        }
    }

    /// The last change of each calendar, behind which nothing comes; and what is held then: of each
    /// UID what the highest revision said, none of before the last reset, nothing that is past.
    private mutating func settle() {
        for calendar in ["home", "work"] {
            let last = revision(of: calendar)
            clock += 60_000
            send(
                .calendarChange, CalendarChange(calendar: calendar, revision: last).json,
                at: clock, isAllowed: true)
            let from =
                ((storedAt ?? clock) / CalendarMonth.day - Int64(Limits.eventRetentionDays))
                * CalendarMonth.day
            var newest: [String: Say] = [:]
            for one in says where one.calendar == calendar {
                guard one.revision >= resets[calendar] ?? 0,
                    one.revision > newest[one.uid]?.revision ?? -1
                else { continue }
                newest[one.uid] = one
            }
            let held = newest.compactMapValues { $0.end > from ? $0.text : nil }
            if !held.isEmpty { expected.calendars[calendar] = held }
        }
    }

    /// An instant in the form of iCalendar.
    private static func stamp(_ milliseconds: Int64) -> String {
        var days = milliseconds / CalendarMonth.day
        let seconds = (milliseconds - days * CalendarMonth.day) / 1_000
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
        days += 719_468
        let era = days / 146_097
        let ofEra = days - era * 146_097
        let years = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * years + years / 4 - years / 100)
        let shifted = (5 * ofYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = years + era * 400 + (month <= 2 ? 1 : 0)
        let dayOfMonth = ofYear - (153 * shifted + 2) / 5 + 1
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)\(two(month))\(two(dayOfMonth))T\(two(seconds / 3_600))"
            + "\(two(seconds / 60 % 60))\(two(seconds % 60))Z"
    }
}
