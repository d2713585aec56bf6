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
    var isCancelled = false
    var sequence = 0
    /// DTSTAMP, seconds from 1970; the lowest number if there is none.
    var stamp = Int64.min
    /// What could not be read; a component with an unreadable RECURRENCE-ID is not used at all.
    var faults: [CalendarFault.Code] = []
    var hasUnreadableRecurrenceID = false

    /// One value of RDATE.
    struct RecurrenceDate: Sendable {
        let start: CalendarTime
        /// Of a period with an end.
        let end: CalendarTime?
        /// Of a period with a duration.
        let duration: CalendarDuration?
    }
}
