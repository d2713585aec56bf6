/// One entry of a collection, as it is held.
public struct StoreEntry: Sendable, Equatable {
    /// Unique in its collection.
    public let id: String
    /// Its text.
    public let text: [UInt8]
    /// Whether it comes on top of what is held of the id, and does not take its place.
    public let comesOnTop: Bool

    /// From its parts.
    public init(id: String, text: [UInt8], comesOnTop: Bool = false) {
        self.id = id
        self.text = text
        self.comesOnTop = comesOnTop
    }
}

/// How one kind of store reads what its producers put; all else is the same for every kind.
public protocol StoreRules: Sendable {
    /// The entries of a text, and why others in it cannot be read.
    ///
    /// - Parameter bytesMax: of the text.
    /// - Throws: `CalendarError` if nothing of it can be read.
    static func read(
        _ text: [UInt8], bytesMax: Int
    ) throws(CalendarError) -> (entries: [StoreEntry], refused: [CalendarError])

    /// What is held of an id once an entry came on top of it.
    static func united(_ held: [UInt8], with text: [UInt8]) throws(CalendarError) -> [UInt8]

    /// Whether all of an entry ended before an instant (milliseconds, UTC), so that it may go.
    static func isOver(_ entry: StoreEntry, before instant: Int64) -> Bool

    /// What of an entry cannot be used although it is held; the rest of it counts.
    ///
    /// - Parameter zone: of times that name none.
    static func faults(of entry: StoreEntry, zone: String) -> [CalendarFault]
}

extension StoreRules {
    /// The new text.
    public static func united(
        _ held: [UInt8], with text: [UInt8]
    ) throws(CalendarError) -> [UInt8] { text }

    /// Never.
    public static func isOver(_ entry: StoreEntry, before instant: Int64) -> Bool {
        false
    }

    /// None.
    public static func faults(of entry: StoreEntry, zone: String) -> [CalendarFault] { [] }
}

/// Calendars: the resources of an iCalendar text.
public enum CalendarRules: StoreRules {
    /// One entry a UID.
    public static func read(
        _ text: [UInt8], bytesMax: Int
    ) throws(CalendarError) -> (entries: [StoreEntry], refused: [CalendarError]) {
        let resources = try ICalendar.resources(in: text, bytesMax: bytesMax)
        let entries = resources.map { resource in
            StoreEntry(
                id: resource.uid, text: resource.text, comesOnTop: resource.isCancellation)
        }
        return (entries, [])
    }

    /// A cancellation names what it ends and nothing else: it comes on top of the rest, in the form
    /// that splitting the whole again would give.
    public static func united(
        _ held: [UInt8], with text: [UInt8]
    ) throws(CalendarError) -> [UInt8] {
        let both = held + text
        return try ICalendar.resources(in: both, bytesMax: both.count).first?.text ?? held
    }

    /// As `ICalendar.isOver` says.
    public static func isOver(_ entry: StoreEntry, before instant: Int64) -> Bool {
        ICalendar.isOver(
            CalendarResource(uid: entry.id, text: entry.text), before: instant)
    }

    /// As `ICalendar.faults` says.
    public static func faults(of entry: StoreEntry, zone: String) -> [CalendarFault] {
        ICalendar.faults(of: CalendarResource(uid: entry.id, text: entry.text), zone: zone)
    }
}

/// Contacts: the cards of a vCard text.
public enum ContactRules: StoreRules {
    /// One entry a card.
    public static func read(
        _ text: [UInt8], bytesMax: Int
    ) throws(CalendarError) -> (entries: [StoreEntry], refused: [CalendarError]) {
        let reading = try VCard.read(text, bytesMax: bytesMax, cardBytesMax: bytesMax)
        let entries = reading.cards.map { StoreEntry(id: $0.uid, text: $0.text) }
        let isAlone = entries.count + reading.refused.count == 1
        let refused = reading.refused.map { refusal in
            isAlone
                ? refusal.error
                : CalendarError(
                    refusal.error.code, "card \(refusal.place + 1): \(refusal.error.context)")
        }
        return (entries, refused)
    }
}
