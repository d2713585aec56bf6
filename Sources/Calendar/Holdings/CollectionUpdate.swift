/// An update of a calendar.
public typealias CalendarUpdate = CollectionUpdate

/// What a producer says of a collection, such as a calendar: entries that are put or removed, or a
/// new beginning.
public struct CollectionUpdate: Sendable {
    /// The producer's count of this collection's changes.
    public var revision: Int
    /// The IANA name of the zone for floating and all-day values.
    public var zone: String
    /// Whether this begins the collection anew.
    public var isReset: Bool
    /// Whether nothing of the collection is missing once this is applied; of a new beginning in
    /// several pages the last one says so.
    public var isComplete: Bool
    /// The token from which the producer goes on; opaque.
    public var syncToken: String?
    /// Texts; each replaces the entries of its ids.
    public var put: [[UInt8]]
    /// Ids of entries that go.
    public var removed: [String]
    /// Events that ended before this instant are not kept; milliseconds, UTC, nil for all.
    public var retainedFrom: Int64?

    /// From its parts.
    public init(
        revision: Int, zone: String = "UTC", isReset: Bool = false, isComplete: Bool = true,
        syncToken: String? = nil, put: [[UInt8]] = [], removed: [String] = [],
        retainedFrom: Int64? = nil
    ) {
        self.revision = revision
        self.zone = zone
        self.isReset = isReset
        self.isComplete = isComplete
        self.syncToken = syncToken
        self.put = put
        self.removed = removed
        self.retainedFrom = retainedFrom
    }
}

/// What an update did.
public struct CollectionUpdateOutcome: Sendable, Equatable {
    /// A part of the update that was not applied; all others were.
    public struct Refusal: Sendable, Equatable {
        /// The place among the texts that were put; nil for the zone.
        public let place: Int?
        /// Why.
        public let error: CalendarError
    }

    /// Ids that now have the update's text.
    public internal(set) var put: [String] = []
    /// Ids that are gone.
    public internal(set) var removed: [String] = []
    /// What was older than what is held, and changed nothing.
    public internal(set) var stale: [String] = []
    /// What was not applied.
    public internal(set) var refused: [Refusal] = []
}
