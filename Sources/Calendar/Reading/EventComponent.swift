/// A VEVENT as it is written: values read, zones not yet looked up.
struct EventComponent: Sendable {
    var start: CalendarTime?
    var end: CalendarTime?
    var duration: CalendarDuration?
    var recurrenceID: CalendarTime?
    /// RANGE=THISANDFUTURE of the RECURRENCE-ID.
    var isThisAndFuture = false
    var rules: [RecurrenceRule] = []
    var exceptionRules: [RecurrenceRule] = []
    var dates: [RecurrenceDate] = []
    var exceptionDates: [CalendarTime] = []
    var title = ""
    var location: String?
    /// STATUS:CANCELLED, or METHOD:CANCEL of the calendar around it.
    var isCancelled = false
    /// METHOD:CANCEL: of a master it takes away all of its overrides too.
    var isCancellation = false
    var sequence = 0
    /// DTSTAMP, seconds from 1970; the lowest number if there is none.
    var stamp = Int64.min
    /// What could not be read; a component with an unreadable RECURRENCE-ID is not used at all.
    var faults: [ComponentFault] = []
    var hasUnreadableRecurrenceID = false

    /// One value of RDATE.
    struct RecurrenceDate: Sendable {
        let start: CalendarTime
        /// Of a period with an end.
        let end: CalendarTime?
        /// Of a period with a duration.
        let duration: CalendarDuration?
    }

    mutating func note(_ code: CalendarFault.Code, _ context: String) {
        let fault = ComponentFault(code: code, context: context)
        if faults.count < Bounds.faultsMax && !faults.contains(fault) { faults.append(fault) }
    }
}

/// What of a component could not be used.
struct ComponentFault: Sendable, Equatable {
    let code: CalendarFault.Code
    let context: String
}
