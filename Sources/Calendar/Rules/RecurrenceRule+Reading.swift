extension RecurrenceRule {
    /// Why a rule cannot be read: what its text may hold.
    struct Fault: Error {
        let context: String
        init(_ context: String) { self.context = context }
    }

    /// A RECUR value; its parts may stand in any order.
    ///
    /// Of parts that are not known only those of X- are passed over: a misspelt UNTIL must not become
    /// a series without end.
    ///
    /// - Throws: for an unknown part, a value that is none of its kind, a missing FREQ, and a
    ///   calendar scale other than GREGORIAN.
    init(reading text: [UInt8], _ range: Range<Int>) throws(Fault) {
        self.init(.daily)
        var hasFrequency = false
        for part in text[range].split(separator: UInt8(ascii: ";")) {
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
                throw Fault("a part has no value")
            }
            let name = Self.word(text, part.startIndex..<equals)
            let value = text.trimmed((equals + 1)..<part.endIndex)
            if name == "FREQ" { hasFrequency = true }
            try read(name, text, value)
        }
        guard hasFrequency else { throw Fault("FREQ is missing") }
    }

    private mutating func read(
        _ name: String, _ text: [UInt8], _ value: Range<Int>
    ) throws(Fault) {
        switch name {
        case "FREQ": frequency = try Self.frequency(Self.word(text, value))
        case "INTERVAL": interval = try Self.number(name, text, value, 1...Bounds.intervalMax)
        case "COUNT": count = try Self.number(name, text, value, 1...Bounds.countMax)
        case "UNTIL":
            until = CalendarTime(text, value)
            // An end that is no date must not become no end.
            guard until != nil else { throw Fault("UNTIL is a date or a time") }
        case "WKST": weekStart = try Self.weekday(text, value)
        case "RSCALE":
            guard Self.word(text, value) == "GREGORIAN" else {
                throw Fault("RSCALE is GREGORIAN; other calendars are not computed")
            }
        case "SKIP":
            guard let skip = Skip(rawValue: Self.word(text, value)) else {
                throw Fault("SKIP is OMIT, BACKWARD or FORWARD")
            }
            self.skip = skip
        default: try readList(name, text, value)
        }
    }

    private mutating func readList(
        _ name: String, _ text: [UInt8], _ value: Range<Int>
    ) throws(Fault) {
        switch name {
        case "BYSECOND":
            // A leap second is the one before it.
            let seconds = try Self.numbers(name, text, value, 0...60)
            bySecond = Set(seconds.map { min($0, 59) }).sorted()
        case "BYMINUTE": byMinute = try Self.numbers(name, text, value, 0...59)
        case "BYHOUR": byHour = try Self.numbers(name, text, value, 0...23)
        case "BYMONTHDAY": byMonthDay = try Self.numbers(name, text, value, -31...31)
        case "BYYEARDAY": byYearDay = try Self.numbers(name, text, value, -366...366)
        case "BYWEEKNO": byWeekNumber = try Self.numbers(name, text, value, -53...53)
        case "BYMONTH": byMonth = try Self.numbers(name, text, value, 1...12)
        case "BYSETPOS": bySetPosition = try Self.numbers(name, text, value, -366...366)
        case "BYDAY": byDay = try Self.days(text, value)
        default:
            guard name.hasPrefix("X-") else { throw Fault("there is no part \(name)") }
        }
    }

    private static func frequency(_ word: String) throws(Fault) -> Frequency {
        switch word {
        case "SECONDLY": .secondly
        case "MINUTELY": .minutely
        case "HOURLY": .hourly
        case "DAILY": .daily
        case "WEEKLY": .weekly
        case "MONTHLY": .monthly
        case "YEARLY": .yearly
        default: throw Fault("FREQ is SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY")
        }
    }

    private static func number(
        _ name: String, _ text: [UInt8], _ range: Range<Int>, _ allowed: ClosedRange<Int>
    ) throws(Fault) -> Int {
        var digits = DigitReader(text, text.trimmed(range))
        let isNegative = digits.skip("-")
        if !isNegative { digits.skip("+") }
        guard let size = digits.number(upTo: 10), digits.isAtEnd,
            case let number = isNegative ? -size : size,
            allowed.contains(number), number != 0 || allowed.lowerBound == 0
        else {
            throw Fault("\(name) takes \(allowed.lowerBound) to \(allowed.upperBound)")
        }
        return number
    }

    /// The values of a list, ascending and each once.
    private static func numbers(
        _ name: String, _ text: [UInt8], _ range: Range<Int>, _ allowed: ClosedRange<Int>
    ) throws(Fault) -> [Int] {
        var numbers: Set<Int> = []
        for value in text[range].split(separator: UInt8(ascii: ",")) {
            numbers.insert(try number(name, text, value.indices, allowed))
        }
        guard !numbers.isEmpty else { throw Fault("\(name) is empty") }
        return numbers.sorted()
    }

    private static func days(
        _ text: [UInt8], _ range: Range<Int>
    ) throws(Fault) -> [DayOfWeek] {
        var days: [DayOfWeek] = []
        for value in text[range].split(separator: UInt8(ascii: ",")) {
            let place = text.trimmed(value.indices)
            guard place.count >= 2 else { throw Fault("BYDAY takes days such as MO or -1SU") }
            let weekday = try weekday(text, (place.upperBound - 2)..<place.upperBound)
            let head = place.lowerBound..<(place.upperBound - 2)
            let ordinal = head.isEmpty ? 0 : try number("BYDAY", text, head, -53...53)
            let day = DayOfWeek(ordinal: ordinal, weekday: weekday)
            if !days.contains(day) { days.append(day) }
        }
        guard !days.isEmpty else { throw Fault("BYDAY is empty") }
        return days.sorted { ($0.weekday, $0.ordinal) < ($1.weekday, $1.ordinal) }
    }

    private static func weekday(_ text: [UInt8], _ range: Range<Int>) throws(Fault) -> Int {
        let word = word(text, range)
        guard let weekday = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"].firstIndex(of: word) else {
            throw Fault("days are SU, MO, TU, WE, TH, FR, SA")
        }
        return weekday
    }

    private static func word(_ text: [UInt8], _ range: Range<Int>) -> String {
        String(decoding: text[text.trimmed(range)].prefix(16).map(\.uppercased), as: UTF8.self)
    }
}
