import Foundation
import Journal
import Messages
import Service

/// What an account lets be read of its calendars.
public enum CalendarAuthorization: String, Sendable, CaseIterable {
    /// The owner was not asked.
    case notDetermined
    /// The owner may not decide.
    case restricted
    /// The owner refused.
    case denied
    /// Events may be added, not read.
    case writeOnly
    /// Everything may be read.
    case fullAccess
}

/// A change of one calendar of an account.
public struct CalendarUpdate: Sendable {
    /// The account.
    public let account: String
    /// The calendar, a name within its account.
    public let calendar: String
    /// The producer's count of this calendar's changes: of two changes of an event the higher one
    /// counts, however they arrive.
    public let revision: Int
    /// The IANA zone of times that name none.
    public var zone = "UTC"
    /// The calendar begins anew: what it held before goes.
    public var isReset = false
    /// More of the reset follows; what the calendar held stays until the last part.
    public var hasMore = false
    /// The token from which the producer goes on; kept for it.
    public var syncToken: String?
    /// iCalendar texts; each replaces the events of its UIDs.
    public var put: [String] = []
    /// UIDs of events that go.
    public var remove: [String] = []
    /// Who says so; with the id of a change it makes sending twice harmless.
    public var source = "swift"

    /// A change that puts and removes nothing yet.
    public init(account: String, calendar: String, revision: Int) {
        self.account = account
        self.calendar = calendar
        self.revision = revision
    }
}

extension SightlineClient {
    /// Publishes a change of a calendar; returns once it is stored for good.
    ///
    /// Sent again, the same change is stored once: after `noAnswer` or `journalUnavailable` send it
    /// again.
    ///
    /// - Throws: `SightlineError`, with `accessRequired` where the owner of the account does not
    ///   grant full access; nothing is stored then.
    @discardableResult
    public func publish(_ update: CalendarUpdate) async throws(SightlineError) -> JournalPosition {
        let body = CalendarChange(
            calendar: update.calendar, revision: update.revision, zone: update.zone,
            reset: update.isReset, complete: !update.hasMore, syncToken: update.syncToken,
            put: update.put, remove: update.remove)
        return try await change(
            .change(
                .calendarChange, body.json, source: update.source,
                id: "\(update.account)/\(update.calendar)/\(update.revision)/"
                    + "\(ContentHash.of(body.bytes))",
                partitionKey: "\(update.account)/\(update.calendar)", account: update.account,
                budgetMilliseconds: try Budget.milliseconds(nil)))
    }

    /// States what an account lets be read of its calendars; losing full access erases what was
    /// kept.
    ///
    /// - Throws: `SightlineError`.
    @discardableResult
    public func stateAccess(
        of account: String, _ authorization: CalendarAuthorization, source: String = "swift"
    ) async throws(SightlineError) -> JournalPosition {
        let statuses = StoreKind.calendar.statuses
        guard let status = statuses.first(where: { $0.rawValue == authorization.rawValue }) else {
            throw SightlineError(.badRequest, "\(authorization.rawValue) is no access status")
        }
        return try await change(
            .change(
                .calendarAccess, CalendarAccess(status: status).json, source: source,
                id: "\(account)/\(UUID().uuidString)", partitionKey: account, account: account,
                budgetMilliseconds: try Budget.milliseconds(nil)))
    }
}
