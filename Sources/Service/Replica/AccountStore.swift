package import Calendar
package import Messages

/// The calendars of one account.
package typealias AccountCalendars = AccountStore

/// What is kept of one store of an account.
package struct AccountStore: Sendable, Equatable {
    /// The key that its rows are sealed under.
    var keyID: KeyID?
    /// What the owner allows; nothing is kept that may not be read.
    package var access = AccessStatus.notDetermined
    /// Collections, such as calendars, by name.
    package var collections: [String: HeldCollection] = [:]

    /// The collections of a store of calendars.
    package var calendars: [String: HeldCalendar] { collections }

    /// Nothing is allowed and nothing kept.
    package init(keyID: KeyID? = nil) { self.keyID = keyID }
}
