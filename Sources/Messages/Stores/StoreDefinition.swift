/// What the changes of one kind of store look like; all else is the same for every kind.
public protocol StoreDefinition: Sendable {
    /// The kind.
    static var kind: StoreKind { get }
    /// The record of a change.
    static var change: RecordKind { get }
    /// The record that states what is allowed.
    static var access: RecordKind { get }
    /// The member that names one collection of the store.
    static var collectionMember: String { get }
    /// The member with the token from which the producer goes on.
    static var tokenMember: String { get }
    /// Whether a change states the zone of times that name none.
    static var statesZone: Bool { get }

    /// The member of an element of `put` that holds an entry.
    static var entryMember: String { get }

    /// Reads an entry as the text that is held of it.
    ///
    /// Only its shape is looked at: whether the text says something is for the replicas, so that
    /// one bad entry costs the others nothing.
    ///
    /// - Throws: `JSONError` that names the place and what is allowed.
    static func text(of entry: JSONValue, at place: String) throws(JSONError) -> String
    /// The entry that `text(of:at:)` reads as this text.
    static func entry(of text: String) -> JSONValue
}

extension StoreDefinition {
    /// A text of any form.
    public static func text(of entry: JSONValue, at place: String) throws(JSONError) -> String {
        guard let text = entry.text, !text.isEmpty, text.utf8.count <= Limits.resourceBytesMax
        else {
            throw JSONError("\(place) must be text of 1 to \(Limits.resourceBytesMax) bytes")
        }
        return text
    }

    /// A text of any form.
    public static func entry(of text: String) -> JSONValue { .string(text) }
}

/// Calendars: iCalendar texts, known by their UIDs.
public enum CalendarStore: StoreDefinition {
    /// Calendars.
    public static let kind = StoreKind.calendar
    /// `calendar.change`.
    public static let change = RecordKind.calendarChange
    /// `calendar.access`.
    public static let access = RecordKind.calendarAccess
    /// A calendar.
    public static let collectionMember = "calendar"
    /// As CalDAV calls it.
    public static let tokenMember = "syncToken"
    /// For floating and all-day values.
    public static let statesZone = true
    /// An iCalendar text.
    public static let entryMember = "ics"
}

/// Contacts: vCard texts, known by their UIDs.
public enum ContactStore: StoreDefinition {
    /// Contacts.
    public static let kind = StoreKind.contacts
    /// `contact.change`.
    public static let change = RecordKind.contactChange
    /// `contact.access`.
    public static let access = RecordKind.contactAccess
    /// An address book.
    public static let collectionMember = "addressBook"
    /// As CardDAV calls it.
    public static let tokenMember = "syncToken"
    /// A card has no times that matter here.
    public static let statesZone = false
    /// A vCard text, with one card or several.
    public static let entryMember = "vcf"
}

/// Health readings: JSON, known by their ids.
public enum HealthStore: StoreDefinition {
    /// Health readings.
    public static let kind = StoreKind.health
    /// `health.change`.
    public static let change = RecordKind.healthChange
    /// `health.access`.
    public static let access = RecordKind.healthAccess
    /// A store of readings, such as that of one device.
    public static let collectionMember = "healthStore"
    /// As HealthKit calls it.
    public static let tokenMember = "anchor"
    /// Readings have instants.
    public static let statesZone = false
    /// A reading, as `HealthReading` has it.
    public static let entryMember = "reading"
    /// Any object that is small enough.
    public static func text(of entry: JSONValue, at place: String) throws(JSONError) -> String {
        let bytes = entry.canonical()
        guard entry.object != nil, bytes.count <= Limits.readingBytesMax else {
            throw JSONError(
                "\(place) must be an object of at most \(Limits.readingBytesMax) bytes")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
    /// The object.
    public static func entry(of text: String) -> JSONValue {
        // It was an object before; nothing else gets here.
        (try? JSONValue(parsing: Array(text.utf8))) ?? .null
    }
}

extension StoreKind {
    /// What its changes look like.
    public var definition: any StoreDefinition.Type {
        switch self {
        case .calendar: CalendarStore.self
        case .contacts: ContactStore.self
        case .health: HealthStore.self
        }
    }
}
