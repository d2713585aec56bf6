import Calendar
import Messages

/// The calendars of one account.
typealias AccountCalendars = AccountStore

/// What is kept of one store of an account.
struct AccountStore: Sendable, Equatable {
    /// The key that its rows are sealed under.
    var keyID: KeyID?
    /// What the owner allows; nothing is kept that may not be read.
    var access = AccessStatus.notDetermined
    /// Collections, such as calendars, by name.
    var collections: [String: HeldCollection] = [:]

    /// The collections of a store of calendars.
    var calendars: [String: HeldCalendar] { collections }
}
