/// An occurrence whose title holds a name.
public struct UpcomingHit: Sendable, Equatable {
    /// The calendar that it is in.
    public let calendar: String
    /// When and what it is.
    public let occurrence: Occurrence
    /// The names, also those that need a second signal to count.
    public let marks: TitleMarks
}

/// What stands between two instants, and some time beyond.
public struct UpcomingSpan: Sendable, Equatable {
    /// The begin; milliseconds, UTC.
    public let from: Int64
    /// The end, exclusive; milliseconds, UTC.
    public let to: Int64

    /// From bounds in milliseconds, UTC.
    public init(from: Int64, to: Int64) {
        self.from = from
        self.to = to
    }
}
