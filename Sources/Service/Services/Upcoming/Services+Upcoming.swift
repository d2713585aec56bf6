import Calendar
import Catalog
import Messages
import Queue

extension Services {
    /// `calendar.upcoming`: the events of the coming days whose title holds a name that the
    /// catalog knows, with the entities of that name and their routes.
    func upcoming(_ call: ServiceCall) throws -> JobOutput {
        let request = try UpcomingRequest(parsing: call.body)
        guard let account = call.request.fields.text(.account), !account.isEmpty else {
            throw ServiceFailure(.badRequest, "calendar.upcoming takes the field 'account'")
        }
        let calendars = call.content.accounts[account] ?? AccountCalendars()
        guard calendars.access == .fullAccess else {
            throw ServiceFailure(AccessRefusal(store: .calendar, access: calendars.access))
        }
        try requireZoneData(call.content)
        let page = try request.after.map { try UpcomingPage(token: $0, now: call.asOf) }
        let asOf = page?.asOf ?? call.asOf
        let window = try UpcomingWindow(
            asOf: asOf, days: request.days, zone: request.zone ?? calendars.zone)
        let names = call.catalog.names
        let wanted = upcomingNames.names(names, locale: request.locale)
        let key = AccountShelves<UpcomingBook>.Key(
            account: account, catalog: call.catalogName, locale: request.locale)
        let (hits, holdsUntil) = upcomingShelves.ask(key) { book in
            (
                book.hits(in: calendars.calendars, names: wanted, window: window.span),
                book.nextChange(
                    in: calendars.calendars, names: wanted, asOf: asOf.milliseconds,
                    end: window.end)
            )
        }
        // Whoever lost access meanwhile is not remembered.
        if store.content().accounts[account]?.keyID != calendars.keyID {
            upcomingShelves.forget(account)
        }
        let items = Self.items(
            of: hits, UpcomingMatches(call, names, locale: request.locale))
        try page?.check(items, at: call.content.position)
        let offset = page?.offset ?? 0
        let shown = Array(items.dropFirst(offset).prefix(call.limit))
        var output = call.output(shown)
        output.listHash = UpcomingPage.hash(of: shown)
        output.holdsUntil = Timestamp(milliseconds: holdsUntil)
        if items.count > offset + call.limit {
            output.nextPage =
                UpcomingPage(
                    asOf: asOf, position: page?.position ?? call.content.position, items: items,
                    offset: offset + call.limit
                ).token
        }
        return output
    }

    /// Items by start, calendar and uid, the first `Limits.resultsMax`.
    private static func items(of hits: [UpcomingHit], _ finder: UpcomingMatches) -> [MergeItem] {
        let ordered = hits.map { (key: sortKey(of: $0), hit: $0) }.sorted {
            $0.key.lexicographicallyPrecedes($1.key)
        }
        var items: [MergeItem] = []
        for (key, hit) in ordered where items.count < Limits.resultsMax {
            let matches = finder.matches(of: hit)
            guard !matches.isEmpty else { continue }
            items.append(
                MergeItem(
                    sortKey: key, unionKey: Array(key.dropFirst(8)),
                    json: json(of: hit, matches).canonical()))
        }
        return items
    }

    private static func sortKey(of hit: UpcomingHit) -> [UInt8] {
        // Two's complement sorts as bytes once the sign bit is flipped.
        func bytes(_ instant: Int64) -> [UInt8] {
            bigEndianBytes(UInt64(bitPattern: instant) ^ (1 << 63))
        }
        let occurrence = hit.occurrence
        return bytes(occurrence.start) + Array("\(hit.calendar)\u{0}\(occurrence.uid)\u{0}".utf8)
            + bytes(occurrence.originalStart)
    }

    private static func json(of hit: UpcomingHit, _ matches: [JSONValue]) -> JSONValue {
        let occurrence = hit.occurrence
        var json: [String: JSONValue] = [
            "uid": .string(occurrence.uid), "calendar": .string(hit.calendar),
            "start": .integer(occurrence.start), "end": .integer(occurrence.end),
            "originalStart": .integer(occurrence.originalStart),
            "allDay": .bool(occurrence.isAllDay), "title": .string(occurrence.title),
            "matches": .array(matches),
        ]
        if let location = occurrence.location { json["location"] = .string(location) }
        return .object(json)
    }
}

extension Services {
    /// Refuses what depends on time zones where they are not those of all replicas.
    ///
    /// - Throws: `ServiceFailure`, upon which the router asks another worker.
    func requireZoneData(_ content: ReplicaContent) throws {
        let own = settings.zoneData
        guard let declared = content.zoneData, declared != own else { return }
        throw ServiceFailure(
            .workerFailed,
            "worker \(settings.machine.name) has time zone data \(own), calendars are of \(declared): "
                + "it needs another build")
    }
}

/// The window of coming local days, at one instant and at those that follow.
private struct UpcomingWindow {
    let span: UpcomingSpan
    private let days: Int
    private let zone: String

    /// - Throws: `CalendarError` for an unknown zone.
    init(asOf: Timestamp, days: Int, zone: String) throws {
        let window = try CalendarWindow.upcoming(asOf: asOf.milliseconds, days: days, zone: zone)
        span = UpcomingSpan(from: window.from, to: window.to)
        self.days = days
        self.zone = zone
    }

    /// Where the window ends that begins at an instant.
    func end(of begin: Int64) -> Int64 {
        // What was right a moment ago is right a day later, but for the end of all time.
        let window = try? CalendarWindow.upcoming(asOf: begin, days: days, zone: zone)
        return window?.to ?? span.to
    }
}

extension AccountCalendars {
    /// The zone in which the account's days are counted: that of most of its calendars, of
    /// equally many the first by name.
    var zone: String {
        var counts: [String: Int] = [:]
        for calendar in calendars.values { counts[calendar.zone, default: 0] += 1 }
        let most = counts.min { ($1.value, $0.key) < ($0.value, $1.key) }
        return most?.key ?? "UTC"
    }
}
