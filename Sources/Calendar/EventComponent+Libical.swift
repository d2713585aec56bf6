import CICal

extension EventComponent {
    /// Reads a VEVENT; the component stays the caller's.
    init(_ component: OpaquePointer) {
        var property = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY)
        while let current = property {
            read(current)
            property = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)
        }
    }

    private mutating func read(_ property: OpaquePointer) {
        switch icalproperty_isa(property) {
        case ICAL_DTSTART_PROPERTY:
            if start == nil { start = CalendarTime(icalproperty_get_dtstart(property), property) }
        case ICAL_DTEND_PROPERTY:
            if end == nil { end = CalendarTime(icalproperty_get_dtend(property), property) }
            if end == nil { faults.append(.endInvalid) }
        case ICAL_DURATION_PROPERTY:
            duration = CalendarDuration(icalproperty_get_duration(property))
        case ICAL_RECURRENCEID_PROPERTY:
            readRecurrenceID(property)
        case ICAL_RRULE_PROPERTY:
            append(RecurrenceRule(icalproperty_get_rrule(property)), to: \.rules)
        case ICAL_EXRULE_PROPERTY:
            append(RecurrenceRule(icalproperty_get_exrule(property)), to: \.exceptionRules)
        case ICAL_RDATE_PROPERTY:
            readDate(property)
        case ICAL_EXDATE_PROPERTY:
            if let time = CalendarTime(icalproperty_get_exdate(property), property) {
                exceptionDates.append(time)
            } else {
                faults.append(.dateInvalid)
            }
        case ICAL_XLICERROR_PROPERTY:
            readError(property)
        default:
            readDetail(property)
        }
    }

    private mutating func readDetail(_ property: OpaquePointer) {
        switch icalproperty_isa(property) {
        case ICAL_SUMMARY_PROPERTY:
            if title.isEmpty { title = text(icalproperty_get_summary(property)) }
        case ICAL_LOCATION_PROPERTY:
            if location == nil { location = text(icalproperty_get_location(property)) }
        case ICAL_STATUS_PROPERTY:
            isCancelled = icalproperty_get_status(property) == ICAL_STATUS_CANCELLED
        case ICAL_SEQUENCE_PROPERTY:
            sequence = Int(icalproperty_get_sequence(property))
        case ICAL_DTSTAMP_PROPERTY:
            stamp = CalendarTime(icalproperty_get_dtstamp(property), property)?.wall ?? stamp
        default:
            break
        }
    }

    private mutating func readRecurrenceID(_ property: OpaquePointer) {
        recurrenceID = CalendarTime(icalproperty_get_recurrenceid(property), property)
        hasUnreadableRecurrenceID = recurrenceID == nil
        if let range = icalproperty_get_first_parameter(property, ICAL_RANGE_PARAMETER) {
            isThisAndFuture = icalparameter_get_range(range) == ICAL_RANGE_THISANDFUTURE
        }
    }

    private mutating func append(
        _ rule: RecurrenceRule?, to list: WritableKeyPath<EventComponent, [RecurrenceRule]>
    ) {
        guard let rule, self[keyPath: list].count < Bounds.rulesMax else {
            faults.append(.ruleInvalid)
            return
        }
        self[keyPath: list].append(rule)
    }

    private mutating func readDate(_ property: OpaquePointer) {
        let value = icalproperty_get_rdate(property)
        if let start = CalendarTime(value.time, property) {
            dates.append(RecurrenceDate(start: start, end: nil, duration: nil))
        } else if let start = CalendarTime(value.period.start, property) {
            let end = CalendarTime(value.period.end, property)
            let duration = end == nil ? CalendarDuration(value.period.duration) : nil
            dates.append(RecurrenceDate(start: start, end: end, duration: duration))
        } else {
            faults.append(.dateInvalid)
        }
    }

    /// libical replaces a property that it cannot read by one that says so.
    private mutating func readError(_ property: OpaquePointer) {
        let message = text(icalproperty_get_xlicerror(property))
        // An empty value is no value, and no fault either.
        guard message.hasPrefix("Can't parse as") else { return }
        for name in ["RRULE", "EXRULE", "RDATE", "EXDATE", "DTEND", "DURATION"]
        where message.contains(" in \(name) property") {
            faults.append(ComponentCollector.fault(ofLine: name))
        }
        if message.contains(" in RECURRENCE-ID property") { hasUnreadableRecurrenceID = true }
    }

    /// UTF-8, or else Latin-1: feeds in that exist.
    private func text(_ characters: UnsafePointer<CChar>?) -> String {
        guard let characters else { return "" }
        if let valid = String(validatingCString: characters) { return valid }
        var scalars = String.UnicodeScalarView()
        var index = 0
        while characters[index] != 0 {
            scalars.append(Unicode.Scalar(UInt8(bitPattern: characters[index])))
            index += 1
        }
        return String(scalars)
    }
}
