import CICal

extension ZoneComponent {
    /// Reads a VTIMEZONE; the component stays the caller's. What is unreadable is left out.
    init(_ component: OpaquePointer) {
        name = ""
        observances = []
        if let property = icalcomponent_get_first_property(component, ICAL_TZID_PROPERTY),
            let characters = icalproperty_get_tzid(property)
        {
            name = String(cString: characters)
        }
        var part = icalcomponent_get_first_component(component, ICAL_ANY_COMPONENT)
        while let current = part {
            if let observance = Observance(current) { observances.append(observance) }
            part = icalcomponent_get_next_component(component, ICAL_ANY_COMPONENT)
        }
    }
}

extension ZoneComponent.Observance {
    /// Reads a STANDARD or DAYLIGHT part; nil without a start or an offset.
    init?(_ component: OpaquePointer) {
        var start: CalendarTime?
        var offsets: (from: Int64?, to: Int64?)
        var rules: [RecurrenceRule] = []
        var dates: [Int64] = []
        var next = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY)
        while let property = next {
            switch icalproperty_isa(property) {
            case ICAL_DTSTART_PROPERTY:
                start = CalendarTime(icalproperty_get_dtstart(property), property)
            case ICAL_TZOFFSETFROM_PROPERTY:
                offsets.from = Int64(icalproperty_get_tzoffsetfrom(property))
            case ICAL_TZOFFSETTO_PROPERTY:
                offsets.to = Int64(icalproperty_get_tzoffsetto(property))
            case ICAL_RRULE_PROPERTY:
                if let rule = RecurrenceRule(icalproperty_get_rrule(property)) {
                    rules.append(rule)
                }
            case ICAL_RDATE_PROPERTY:
                let value = icalproperty_get_rdate(property)
                if let date = CalendarTime(value.time, property) { dates.append(date.wall) }
            default:
                break
            }
            next = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)
        }
        guard let start, let to = offsets.to else { return nil }
        // More than a day ahead or behind is no offset; the arithmetic relies on it.
        guard abs(to) < 86_400, abs(offsets.from ?? to) < 86_400 else { return nil }
        self.init(
            start: start.wall, offsetFrom: offsets.from ?? to, offsetTo: to,
            rules: Array(rules.prefix(Bounds.rulesMax)), dates: dates)
    }
}
