/// A point of an outline.
public struct OutlinePoint: Sendable, Equatable {
    /// Pixels of the query's working picture from its left edge; may lie outside the picture.
    public let x: Double
    /// Pixels of the query's working picture from its top edge; may lie outside the picture.
    public let y: Double

    /// A point in pixels of the query's working picture.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// One entry that has something in common with the query.
public struct Match: Sendable, Equatable {
    /// The entry's number, as given to `PrintCollection.put`.
    public let entry: Int
    /// Millionths, 0 to 2,000,000; 0 means the same working pixels, up to 1,000,000 that the
    /// geometry was accepted, more that there is only some common evidence.
    public let distance: Int
    /// Features that agree with one plane in perspective; without accepted geometry, with one
    /// similarity.
    public let inliers: Int
    /// Where the entry's picture lies in the query: top left, top right, bottom right and bottom
    /// left corner, rounded to 1/8 pixel; nil without accepted geometry.
    public let outline: [OutlinePoint]?

    /// A match of an entry.
    public init(entry: Int, distance: Int, inliers: Int, outline: [OutlinePoint]?) {
        self.entry = entry
        self.distance = distance
        self.inliers = inliers
        self.outline = outline
    }
}

/// How a search ended.
public enum SearchEnd: Sendable, Equatable {
    /// Everything that it had to look at was looked at.
    case complete
    /// It was told to stop.
    case stopped
    /// A part of the index could not be read.
    case unreadable
}

/// What a search found.
public struct SearchOutcome: Sendable {
    /// By distance, then by entry; all of them only if the search is complete.
    public let matches: [Match]
    /// Entries that were compared.
    public let checked: Int
    /// Entries that were to be compared; 0 if the search was stopped before it had chosen them.
    public let candidates: Int
    /// How it ended.
    public let end: SearchEnd

    /// Whether every accepted entry was compared.
    public var isComplete: Bool { end == .complete }

    /// An outcome.
    public init(matches: [Match], checked: Int, candidates: Int, end: SearchEnd) {
        self.matches = matches
        self.checked = checked
        self.candidates = candidates
        self.end = end
    }
}
