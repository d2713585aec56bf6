/// A VTIMEZONE as it is written.
struct ZoneComponent: Sendable, Equatable {
    var name = ""
    var observances: [Observance] = []

    /// A STANDARD or DAYLIGHT part.
    struct Observance: Sendable, Equatable {
        /// The wall time of the first onset, in `offsetFrom`.
        var start: Int64
        var offsetFrom: Int64
        var offsetTo: Int64
        var rules: [RecurrenceRule]
        var dates: [Int64]

        /// UNTIL is UTC by the RFC; a local one is compared with the wall.
        func contains(_ wall: Int64, until: CalendarTime?) -> Bool {
            guard let until else { return true }
            if until.isDate { return Int(floorDivision(wall, 86_400)) <= until.day }
            return until.place == .utc ? wall - offsetFrom <= until.wall : wall <= until.wall
        }
    }
}

/// An observance as its lines come.
struct ObservanceReader {
    private var start: Int64?
    private var offsetFrom: Int64?
    private var offsetTo: Int64?
    private var rules: [RecurrenceRule] = []
    private var dates: [Int64] = []

    mutating func read(_ line: ContentLine) {
        switch line.name {
        case .start: start = CalendarTime(line)?.wall ?? start
        case .offsetFrom: offsetFrom = Self.offset(line)
        case .offsetTo: offsetTo = Self.offset(line)
        case .rule:
            guard line.value.count <= Bounds.ruleBytesMax, rules.count < Bounds.rulesMax else {
                return
            }
            // What is unreadable is left out: the other onsets stand.
            if let rule = try? RecurrenceRule(reading: line.text, line.trimmedValue) {
                rules.append(rule)
            }
        case .date:
            let read = line.values.compactMap { CalendarTime(line.text, $0)?.wall }
            dates += read.prefix(Bounds.zoneStepsMax - dates.count)
        default: break
        }
    }

    /// Nil without a start or an offset.
    var observance: ZoneComponent.Observance? {
        guard let start, let offsetTo else { return nil }
        return ZoneComponent.Observance(
            start: start, offsetFrom: offsetFrom ?? offsetTo, offsetTo: offsetTo, rules: rules,
            dates: dates)
    }

    /// Seconds of `+0100`, `-023000` or `+01:00`; nil for none or a day and more, on which the
    /// arithmetic relies.
    private static func offset(_ line: ContentLine) -> Int64? {
        var digits = DigitReader(line.text, line.trimmedValue)
        let isNegative = digits.skip("-")
        if !isNegative { digits.skip("+") }
        guard let hours = digits.number(2), hours < 24 else { return nil }
        digits.skip(":")
        guard let minutes = digits.number(2), minutes < 60 else { return nil }
        digits.skip(":")
        let seconds = Int64(hours * 3_600 + minutes * 60 + (digits.number(2) ?? 0))
        return isNegative ? -seconds : seconds
    }
}
