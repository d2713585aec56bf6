import CICal

extension CalendarTime {
    /// A value and the TZID of its property; nil if it is none, or no date of the calendar.
    init?(_ time: icaltimetype, _ property: OpaquePointer) {
        var name: String?
        if let parameter = icalproperty_get_first_parameter(property, ICAL_TZID_PARAMETER),
            let characters = icalparameter_get_tzid(parameter)
        {
            name = String(cString: characters)
        }
        self.init(time, zoneName: name)
    }

    init?(_ time: icaltimetype, zoneName: String?) {
        guard icaltime_is_null_time(time) == 0 else { return nil }
        let (year, month, day) = (Int(time.year), Int(time.month), Int(time.day))
        guard (1...9_999).contains(year), (1...12).contains(month),
            (1...CivilDate.daysInMonth(month, of: year)).contains(day)
        else { return nil }
        let days = Int64(CivilDate(year: year, month: month, day: day).days)
        isDate = icaltime_is_date(time) != 0
        guard !isDate else {
            wall = days * 86_400
            place = .floating
            return
        }
        guard (0...24).contains(time.hour), (0...59).contains(time.minute),
            (0...60).contains(time.second)
        else { return nil }
        // A leap second is the one before it.
        let second = Int64(min(time.second, 59))
        wall = days * 86_400 + Int64(time.hour) * 3_600 + Int64(time.minute) * 60 + second
        if icaltime_is_utc(time) != 0 {
            place = .utc
        } else if let zoneName, !zoneName.isEmpty {
            place = .named(zoneName)
        } else {
            place = .floating
        }
    }
}

extension CalendarDuration {
    /// Negative ones are kept; who uses them says what they mean.
    init(_ duration: icaldurationtype) {
        let sign = duration.is_neg != 0 ? -1 : 1
        days = sign * (Int(duration.weeks) * 7 + Int(duration.days))
        let minutes = Int64(duration.hours) * 60 + Int64(duration.minutes)
        seconds = Int64(sign) * (minutes * 60 + Int64(duration.seconds))
    }
}
