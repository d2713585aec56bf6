public import Foundation
import Messages
import Service

/// Which coming events are wanted.
public struct UpcomingQuery: Sendable {
    /// The account.
    public let account: String
    /// Local calendar days from now.
    public var days = Limits.upcomingDaysDefault
    /// The IANA zone in which days are counted; nil for that of most of the account's calendars.
    public var zone: String?
    /// The language for comparing names, such as `tr_TR`.
    public var locale: String?
    /// Events of one page.
    public var limit = Limits.resultsMax
    /// The token of the page before; nil for the first one.
    public var after: String?
    /// The catalog whose names are looked for.
    public var catalog = CatalogName.main

    /// The next 90 days of an account.
    public init(account: String) { self.account = account }

    /// The question.
    public var request: ServiceRequest<UpcomingEvent> {
        let body = UpcomingRequest(days: days, locale: locale, zone: zone, after: after)
        var request = ServiceRequest<UpcomingEvent>(ServiceName.calendarUpcoming, json: body.json)
        request.account = account
        request.catalog = catalog
        request.limit = limit
        return request
    }
}

/// An event whose title holds a name that the catalog knows.
public struct UpcomingEvent: Decodable, Sendable {
    /// Names the event in its calendar.
    public let uid: String
    /// When it begins.
    public let start: Date
    /// When it ends.
    public let end: Date
    /// It lasts whole days.
    public let isAllDay: Bool
    /// As the calendar has it.
    public let title: String
    /// As the calendar has it.
    public let location: String?
    /// The calendar.
    public let calendar: String
    /// The names that the title holds.
    public let matches: [NameMatch]

    private enum Member: String, CodingKey {
        case uid, start, end, allDay, title, location, calendar, matches
    }

    /// Reads an item of a reply.
    ///
    /// - Throws: `DecodingError` if it is none.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        func instant(_ member: Member) throws -> Date {
            Date(Timestamp(milliseconds: try members.decode(Int64.self, forKey: member)))
        }
        uid = try members.decode(String.self, forKey: .uid)
        start = try instant(.start)
        end = try instant(.end)
        isAllDay = try members.decode(Bool.self, forKey: .allDay)
        title = try members.decode(String.self, forKey: .title)
        location = try members.decodeIfPresent(String.self, forKey: .location)
        calendar = try members.decode(String.self, forKey: .calendar)
        matches = try members.decode([NameMatch].self, forKey: .matches)
    }
}

/// A name of the catalog in a title.
public struct NameMatch: Decodable, Sendable {
    /// As the catalog writes it.
    public let name: String
    /// Why it counts.
    public let why: [String]?
    /// The entities of that name.
    public let entities: [NamedEntity]
}

/// An entity that has a name.
public struct NamedEntity: Decodable, Sendable, Hashable {
    /// Its type.
    public let type: String
    /// Its id within the type.
    public let id: String
    /// What people read.
    public let title: String
    /// Opens it in the app.
    public let route: String
}

/// What following a list brings.
public enum UpcomingList: Sendable {
    /// The whole list, which is another than before.
    case events([UpcomingEvent], asOf: Date?)
    /// The owner of the account does not let its calendars be read; the text says what is needed.
    case accessRequired(String)
}

extension SightlineClient {
    /// The coming events of an account whose title holds a name that the catalog knows.
    ///
    /// - Throws: `SightlineError`, with `accessRequired` where the calendars may not be read.
    public func upcoming(
        _ query: UpcomingQuery
    ) async throws(SightlineError) -> Results<UpcomingEvent> {
        try await send(query.request)
    }

    /// The list at once and again whenever it is another, also after the server was away.
    ///
    /// It goes on until the task that reads it ends, or the server refuses it.
    public func followUpcoming(
        _ query: UpcomingQuery
    ) -> AsyncThrowingStream<UpcomingList, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            // Ends with the stream, whose termination cancels it.
            let task = Task { [connection] in
                do {
                    let message = Message.subscription(try query.request.message())
                    for await subscribed in connection.subscribe(message) {
                        if let list = try Self.list(subscribed) { continuation.yield(list) }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: SightlineError(any: error))
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// What was told; nil if the list is the one that was known.
    private static func list(_ subscribed: Subscribed) throws -> UpcomingList? {
        switch subscribed {
        case .ended(let failure): throw SightlineError(failure)
        case .list(let message):
            if message.fields.text(.errorCode) != nil {
                return .accessRequired(message.fields.text(.errorText) ?? "")
            }
            guard !message.body.isEmpty else { return nil }
            let events = try JSONDecoder().decode([UpcomingEvent].self, from: Data(message.body))
            return .events(events, asOf: message.fields.asOf.map(Date.init))
        }
    }
}
