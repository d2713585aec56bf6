/// The components that are open at a line, checked as they begin and end.
struct ComponentStack {
    /// What of iCalendar's components is told apart.
    enum Kind { case calendar, event, zone, observance, other }

    private var names: [String] = []
    private var kinds: [Kind] = []
    /// Whether any component began.
    private(set) var hasBegun = false

    /// Levels that are open.
    var depth: Int { kinds.count }
    /// What the innermost one is called; nil if none is open.
    var name: String? { names.last }
    /// What the innermost one is.
    var kind: Kind? { kinds.last }
    /// Whether only calendars are open, or nothing: events without a calendar around them exist.
    var isInCalendarAlone: Bool { kinds.allSatisfy { $0 == .calendar } }

    /// - Throws: `tooLarge` for too deep a nesting.
    mutating func begin(_ name: String) throws(CalendarError) {
        guard names.count < Bounds.depthMax else {
            throw CalendarError(
                .tooLarge, "components are nested deeper than \(Bounds.depthMax) levels")
        }
        hasBegun = true
        names.append(name)
        switch name {
        case "VCALENDAR": kinds.append(.calendar)
        case "VEVENT": kinds.append(.event)
        case "VTIMEZONE": kinds.append(.zone)
        case "STANDARD", "DAYLIGHT": kinds.append(.observance)
        default: kinds.append(.other)
        }
    }

    /// Closes the innermost component and says what it was; nil if none was open.
    ///
    /// - Throws: `unbalanced` for the name of another open one.
    mutating func end(_ name: String) throws(CalendarError) -> Kind? {
        // A name that is open nowhere is a slip of the pen and closes the innermost component.
        guard names.last == name || !names.contains(name) else {
            throw CalendarError(
                .unbalanced, "END:\(name.prefix(32)) stands in \(names.last?.prefix(32) ?? "")")
        }
        _ = names.popLast()
        return kinds.popLast()
    }

    /// - Throws: `notACalendar` if there was no component, `unbalanced` if one is open.
    func finish() throws(CalendarError) {
        guard hasBegun else {
            throw CalendarError(.notACalendar, "the text has no BEGIN of a component")
        }
        if let open = names.last {
            throw CalendarError(.unbalanced, "\(open.prefix(32)) is not closed")
        }
    }
}
