extension EventComponent {
    /// Takes one line of the component; those that nobody reads here are passed over.
    mutating func read(_ line: ContentLine) {
        switch line.name {
        case .start:
            if start == nil { start = CalendarTime(line) }
        case .finish:
            guard end == nil, !line.trimmedValue.isEmpty else { return }
            end = CalendarTime(line)
            if end == nil { note(.endInvalid, "DTEND is no time") }
        case .duration:
            duration = CalendarDuration(line.text, line.trimmedValue)
            if duration == nil { note(.endInvalid, "DURATION is no duration") }
        case .recurrenceID:
            recurrenceID = CalendarTime(line)
            hasUnreadableRecurrenceID = recurrenceID == nil
            isThisAndFuture = line.parameter("RANGE")?.uppercased() == "THISANDFUTURE"
        case .rule: readRule(line, into: \.rules)
        case .exceptionRule: readRule(line, into: \.exceptionRules)
        case .date: readDates(line)
        case .exceptionDate: readExceptions(line)
        default: readDetail(line)
        }
    }

    private mutating func readDetail(_ line: ContentLine) {
        switch line.name {
        case .summary:
            if title.isEmpty { title = text(of: line) ?? "" }
        case .location:
            if location == nil { location = text(of: line) }
        case .status:
            isCancelled = line.word == "CANCELLED"
        case .sequence:
            var digits = DigitReader(line.text, line.trimmedValue)
            sequence = digits.number(upTo: 9) ?? sequence
        case .stamp:
            stamp = CalendarTime(line)?.wall ?? stamp
        default:
            break
        }
    }

    private mutating func text(of line: ContentLine) -> String? {
        guard line.value.count <= Bounds.textBytesMax else {
            note(.textTooLong, "\(line.name.text) has at most \(Bounds.textBytesMax) bytes")
            return nil
        }
        return TextValue.decoded(line.text, line.value)
    }

    private mutating func readRule(
        _ line: ContentLine, into list: WritableKeyPath<EventComponent, [RecurrenceRule]>
    ) {
        // An empty value is no rule, and no fault either.
        guard !line.trimmedValue.isEmpty else { return }
        guard line.value.count <= Bounds.ruleBytesMax else {
            note(.ruleInvalid, "a rule has at most \(Bounds.ruleBytesMax) bytes")
            return
        }
        guard self[keyPath: list].count < Bounds.rulesMax else {
            note(.ruleInvalid, "an event has at most \(Bounds.rulesMax) rules")
            return
        }
        do {
            let rule = try RecurrenceRule(reading: line.text, line.trimmedValue)
            self[keyPath: list].append(rule)
        } catch {
            note(.ruleInvalid, "\(line.name.text): \(error.context)")
        }
    }

    private mutating func readDates(_ line: ContentLine) {
        let zone = line.parameter("TZID")
        for value in line.values {
            if let date = RecurrenceDate(line, value, zone: zone) {
                dates.append(date)
            } else {
                note(.dateInvalid, "a value of RDATE is no time and no period")
            }
        }
    }

    private mutating func readExceptions(_ line: ContentLine) {
        let zone = line.parameter("TZID")
        for value in line.values {
            if let time = CalendarTime(line.text, value, zone: zone) {
                exceptionDates.append(time)
            } else {
                note(.dateInvalid, "a value of EXDATE is no time")
            }
        }
    }
}

extension EventComponent.RecurrenceDate {
    /// A time, or a period of two times or of a time and a duration; nil for neither.
    init?(_ line: ContentLine, _ range: Range<Int>, zone: String?) {
        let text = line.text
        guard let slash = text[range].firstIndex(of: UInt8(ascii: "/")) else {
            guard let time = CalendarTime(text, range, zone: zone) else { return nil }
            self.init(start: time, end: nil, duration: nil)
            return
        }
        let rest = text.trimmed((slash + 1)..<range.upperBound)
        guard let start = CalendarTime(text, text.trimmed(range.lowerBound..<slash), zone: zone)
        else { return nil }
        let end = CalendarTime(text, rest, zone: zone)
        let duration = CalendarDuration(text, rest)
        guard end != nil || duration != nil else { return nil }
        self.init(start: start, end: end, duration: duration)
    }
}

extension ContentLine {
    /// The values of a list of dates, without spaces around them; empty ones are left out.
    var values: [Range<Int>] {
        text[value].split(separator: UInt8(ascii: ",")).map { text.trimmed($0.indices) }
            .filter { !$0.isEmpty }
    }
}
