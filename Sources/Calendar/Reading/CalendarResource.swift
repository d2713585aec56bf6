/// All components of one UID of a calendar, as iCalendar text.
///
/// This is the unit of a calendar change: putting a resource replaces the whole UID, its master
/// and its overrides together.
public struct CalendarResource: Sendable, Equatable {
    /// The UID that all components share; unique in a calendar, not in an account.
    public let uid: String
    /// One VCALENDAR: the events of the UID and the time zones that they name.
    public let text: [UInt8]
    /// Whether every event of it comes from a calendar with METHOD:CANCEL.
    let isCancellation: Bool

    /// From a UID and a text, such as a journal holds them; the text is judged when it is expanded.
    public init(uid: String, text: [UInt8]) {
        self.init(uid: uid, text: text, isCancellation: false)
    }

    init(uid: String, text: [UInt8], isCancellation: Bool) {
        self.uid = uid
        self.text = text
        self.isCancellation = isCancellation
    }
}

extension CalendarResource {
    /// The text for those who take UTF-8 alone; it is read as the same.
    ///
    /// Where bytes are not UTF-8, every line stands unfolded, since folds may stand inside of
    /// characters, and bad bytes are what `TextValue` reads.
    public var unicodeText: String {
        if let valid = String(validating: text, as: UTF8.self) { return valid }
        var lines: [UInt8] = []
        for line in ContentLines(text) {
            let repaired = line.repaired
            lines += repaired.text[repaired.bytes]
            lines += [0x0D, 0x0A]
        }
        return String(decoding: lines, as: UTF8.self)
    }
}
