/// What an account's owner gives or refuses access to, each by itself.
///
/// Everything that is kept of one store of an account stands under a key of its own, so that losing
/// access to one store ends that one alone.
public enum StoreKind: String, Sendable, CaseIterable {
    /// Calendars and their events.
    case calendar
    /// People.
    case contacts
    /// Health readings.
    case health

    /// What people call what is kept in it.
    public var noun: String {
        switch self {
        case .calendar: "calendars"
        case .contacts: "contacts"
        case .health: "health readings"
        }
    }
}

/// What the owner of an account allows of one of its stores.
///
/// The same five as the authorization status of EventKit. Only with full access anything is stored
/// or shown.
public enum AccessStatus: String, Sendable, CaseIterable {
    /// The owner was not asked yet.
    case notDetermined
    /// The owner's device forbids it.
    case restricted
    /// The owner said no.
    case denied
    /// Something may be added, nothing read.
    case writeOnly
    /// All may be read.
    case fullAccess
}
