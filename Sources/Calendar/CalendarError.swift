/// Why a text is no calendar, card or other entry, or a window none.
public struct CalendarError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A closed set of refusals.
    public enum Code: String, Sendable, CaseIterable {
        /// The text has no component at all.
        case notACalendar
        /// The text has no card at all.
        case notACard
        /// What was put is no entry of its kind of store.
        case entryInvalid
        /// What was put can be read, and holds no entry.
        case entryMissing
        /// A component or card is not closed.
        case unbalanced
        /// The card is of a version that is not read.
        case versionUnsupported
        /// A card's UID is too long or has control characters.
        case uidInvalid
        /// A limit of size, number or depth is exceeded.
        case tooLarge
        /// The zone's name is not known.
        case zoneUnknown
        /// The window is empty or too long.
        case windowInvalid
    }
    /// What is wrong.
    public let code: Code
    /// Where, and what is allowed; never a title.
    public let context: String

    /// From a code and its context.
    public init(_ code: Code, _ context: String) {
        self.code = code
        self.context = context
    }
    /// Code and context.
    public var description: String { "\(code.rawValue): \(context)" }
}

/// What was left out of the occurrences, or read otherwise than it was written.
///
/// A fault concerns one component; everything else of the batch is expanded as usual.
public struct CalendarFault: Sendable, Equatable, CustomStringConvertible {
    /// A closed set of faults.
    public enum Code: String, Sendable, CaseIterable {
        /// The resource is no calendar, or too large: it has no occurrences.
        case resourceUnreadable
        /// The component has no readable start: left out.
        case startMissing
        /// The end is unreadable or before the start: the event takes no time, or one day.
        case endInvalid
        /// An RRULE or EXRULE is unreadable: the rest of the event is expanded.
        case ruleInvalid
        /// A value of EXDATE, RDATE or RECURRENCE-ID is unreadable: left out.
        case dateInvalid
        /// A title or place is too long: left out.
        case textTooLong
        /// A TZID or the caller's zone is not known: the caller's zone, or UTC, is used.
        case zoneUnknown
        /// A rule takes too many steps: its occurrences end where the steps did.
        case ruleTooLong
        /// More occurrences than the caller takes: the first ones are given.
        case tooManyOccurrences
    }
    /// The UID of the resource; empty if the whole answer is meant.
    public let uid: String
    /// What is wrong.
    public let code: Code
    /// Where, and what is allowed; never a title.
    public let context: String

    /// From its parts.
    public init(uid: String, code: Code, context: String) {
        self.uid = uid
        self.code = code
        self.context = context
    }
    /// Code, UID and context.
    public var description: String { "\(code.rawValue) in \(uid): \(context)" }
}
