/// The names that are looked for in titles, in the two ways in which names are declared.
public struct UpcomingNames: Sendable {
    /// Changes with every change of the names.
    public let stamp: Stamp
    /// Names that are looked for as whole words.
    public let words: NameIndex
    /// Names that are looked for anywhere in the title; nil if there are none.
    public let contained: NameMatcher?

    /// From its parts.
    public init(stamp: Stamp = Stamp(), words: NameIndex, contained: NameMatcher? = nil) {
        self.stamp = stamp
        self.words = words
        self.contained = contained
    }

    /// What of the names stands in a title.
    func marks(in title: String) -> TitleMarks {
        TitleMarks(
            words: words.considered(in: title), contained: contained?.matches(title: title) ?? [])
    }
}

/// The names that stand in a title.
public struct TitleMarks: Sendable, Equatable {
    /// Those that are looked for as whole words, also those that need a second signal.
    public let words: [NameMatch]
    /// Places of the others among the names of the matcher.
    public let contained: [Int]

    /// Whether any could count.
    var isEmpty: Bool {
        contained.isEmpty && !words.contains { $0.isMatch || $0.rejection?.needsSignal == true }
    }
}
