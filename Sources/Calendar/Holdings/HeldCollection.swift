/// A calendar as it is held.
public typealias HeldCalendar = HeldCollection

/// What is held of one collection, such as a calendar, whatever order its changes come in.
///
/// Each id has the revision of the change that put or removed it, and an older change of that id
/// does nothing: changes may come twice and out of order, and all replicas end alike.
public struct HeldCollection: Sendable, Equatable {
    /// One id's text.
    public struct Resource: Sendable, Equatable {
        /// Of the change that put it.
        public let revision: Int
        /// As the rules of its store give it.
        public let text: [UInt8]

        /// From its parts.
        public init(revision: Int, text: [UInt8]) {
            self.revision = revision
            self.text = text
        }
    }

    /// The highest revision that was applied.
    public var revision = 0
    /// The revision of the last new beginning; changes below it are of the collection before.
    public var resetRevision = 0
    /// The zone for floating and all-day values.
    public var zone = "UTC"
    /// Events that ended before this instant are not kept; milliseconds, UTC.
    public var retainedFrom: Int64 = 0
    /// Whether all of the collection is here; false between a new beginning and its last page.
    public var isComplete = true
    /// The token that covers what is held; nil if none was given.
    public var syncToken: String?
    /// Entries by id.
    public var resources: [String: Resource] = [:]
    /// Revisions of what was removed, by id: an older change does not bring it back.
    public var removals: [String: Int] = [:]

    /// Removals that are remembered at most; those of the lowest revisions are forgotten.
    public static let removalsMax = 10_000

    /// An empty collection.
    public init() {}

    /// Applies an update; a second time changes nothing.
    ///
    /// What of it cannot be applied is refused and the rest applied; the token stays as it was
    /// then, so that the producer comes back to it. It stays too if the update holds nothing: a
    /// token stands for the data it comes with.
    ///
    /// - Parameters:
    ///   - rules: how the kind of store that the collection is of reads what is put.
    ///   - bytesMax: of one text, and of one entry.
    ///   - entriesMax: entries that are held; others are refused.
    public mutating func apply(
        _ update: CollectionUpdate, rules: any StoreRules.Type = CalendarRules.self, bytesMax: Int,
        entriesMax: Int = .max
    ) -> CollectionUpdateOutcome {
        let room = Room(bytesMax: bytesMax, entriesMax: entriesMax)
        var outcome = CollectionUpdateOutcome()
        guard update.revision >= resetRevision else {
            outcome.stale = update.removed
            return outcome
        }
        takeZone(of: update, &outcome)
        if update.isReset {
            resetRevision = update.revision
            isComplete = false
        }
        for uid in update.removed { remove(uid, at: update.revision, &outcome) }
        for (place, text) in update.put.enumerated() {
            put(text, place, at: update.revision, rules, room, &outcome)
        }
        forgetOldRemovals()
        if update.isComplete && !isComplete { complete(&outcome) }
        dropPast(rules, before: update.retainedFrom, &outcome)
        revision = max(revision, update.revision)
        let hasContent = update.isReset || !update.put.isEmpty || !update.removed.isEmpty
        if let token = update.syncToken, hasContent, outcome.refused.isEmpty { syncToken = token }
        return outcome
    }

    /// What ended before the instant goes, and stays gone for older changes of it. What is held
    /// was looked at before, unless the instant moved.
    private mutating func dropPast(
        _ rules: any StoreRules.Type, before instant: Int64?,
        _ outcome: inout CollectionUpdateOutcome
    ) {
        guard let instant else { return }
        let looksAtAll = instant > retainedFrom
        retainedFrom = max(retainedFrom, instant)
        for uid in looksAtAll ? resources.keys.sorted() : outcome.put {
            guard let resource = resources[uid] else { continue }
            let isOver = rules.isOver(
                StoreEntry(id: uid, text: resource.text), before: retainedFrom)
            guard isOver else { continue }
            resources[uid] = nil
            removals[uid] = resource.revision
            outcome.put.removeAll { $0 == uid }
            outcome.removed.append(uid)
        }
        forgetOldRemovals()
    }

    private mutating func takeZone(
        of update: CalendarUpdate, _ outcome: inout CollectionUpdateOutcome
    ) {
        guard update.revision >= revision else { return }
        guard Zone(identifier: update.zone) != nil else {
            outcome.refused.append(
                .init(
                    place: nil,
                    error: CalendarError(
                        .zoneUnknown, "zone \(update.zone.prefix(64)): \(zone) stays")))
            return
        }
        zone = update.zone
    }

    private func isStale(_ uid: String, at revision: Int) -> Bool {
        (resources[uid]?.revision ?? removals[uid] ?? 0) > revision
    }

    private mutating func remove(
        _ uid: String, at revision: Int, _ outcome: inout CollectionUpdateOutcome
    ) {
        guard !isStale(uid, at: revision) else {
            outcome.stale.append(uid)
            return
        }
        resources[uid] = nil
        removals[uid] = revision
        outcome.removed.append(uid)
    }

    private mutating func forgetOldRemovals() {
        let excess = removals.count - Self.removalsMax
        guard excess > 0 else { return }
        let oldest = removals.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(excess)
        for (uid, _) in oldest { removals[uid] = nil }
    }

    private mutating func put(
        _ text: [UInt8], _ place: Int, at revision: Int, _ rules: any StoreRules.Type,
        _ room: Room, _ outcome: inout CollectionUpdateOutcome
    ) {
        do throws(CalendarError) {
            let reading = try rules.read(text, bytesMax: room.bytesMax)
            for entry in reading.entries {
                try put(entry, at: revision, rules, room, &outcome)
            }
            outcome.refused += reading.refused.map { .init(place: place, error: $0) }
        } catch {
            outcome.refused.append(.init(place: place, error: error))
        }
    }

    private mutating func put(
        _ entry: StoreEntry, at revision: Int, _ rules: any StoreRules.Type, _ room: Room,
        _ outcome: inout CollectionUpdateOutcome
    ) throws(CalendarError) {
        guard !isStale(entry.id, at: revision) else {
            outcome.stale.append(entry.id)
            return
        }
        var text = entry.text
        if entry.comesOnTop, let held = resources[entry.id], held.text != text {
            let united = try rules.united(held.text, with: text)
            text = held.revision == revision ? held.text : united
        }
        guard text.count <= room.bytesMax else {
            throw CalendarError(
                .tooLarge,
                "an entry has \(text.count) bytes; at most \(room.bytesMax) are allowed")
        }
        guard resources[entry.id] != nil || resources.count < room.entriesMax else {
            throw CalendarError(.tooLarge, "at most \(room.entriesMax) entries are held")
        }
        resources[entry.id] = Resource(revision: revision, text: text)
        removals[entry.id] = nil
        outcome.put.append(entry.id)
    }

    private struct Room {
        let bytesMax: Int
        let entriesMax: Int
    }

    /// What the collection held before its new beginning goes.
    private mutating func complete(_ outcome: inout CollectionUpdateOutcome) {
        isComplete = true
        for (uid, resource) in resources.sorted(by: { $0.key < $1.key })
        where resource.revision < resetRevision {
            resources[uid] = nil
            outcome.removed.append(uid)
        }
        for (uid, revision) in removals where revision < resetRevision { removals[uid] = nil }
    }
}
