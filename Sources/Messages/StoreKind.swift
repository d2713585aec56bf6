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

    /// What its owner may allow.
    public var statuses: [AccessStatus] {
        switch self {
        case .calendar: [.notDetermined, .restricted, .denied, .writeOnly, .fullAccess]
        case .contacts: [.notDetermined, .restricted, .denied, .limited, .fullAccess]
        case .health: [.notDetermined, .restricted, .denied, .unknown, .fullAccess]
        }
    }
}

/// What the owner of an account allows of one of its stores.
///
/// Each kind of store knows five of them: calendars those of EventKit, contacts those of the
/// Contacts framework, health readings what HealthKit lets an app know. Something is stored and
/// shown only with a status that allows reading.
public enum AccessStatus: String, Sendable, CaseIterable {
    /// The owner was not asked yet.
    case notDetermined
    /// The owner's device forbids it.
    case restricted
    /// The owner said no.
    case denied
    /// Something may be added, nothing read.
    case writeOnly
    /// Some of it may be read: what the owner has chosen. What is there is not all there is.
    case limited
    /// The owner was asked, and the store does not say what the answer was: a refusal looks like
    /// a store without content. What comes is read.
    case unknown
    /// All may be read.
    case fullAccess

    /// Whether what comes may be stored and shown.
    public var allowsReading: Bool {
        switch self {
        case .notDetermined, .restricted, .denied, .writeOnly: false
        case .limited, .unknown, .fullAccess: true
        }
    }
}
