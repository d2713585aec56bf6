/// A name in a title, and why it counts or not.
public struct NameMatch: Sendable, Equatable {
    /// How the title writes the name.
    public enum Comparison: String, Sendable, CaseIterable {
        /// The same characters.
        case exact
        /// The same but for upper and lower case.
        case caseFolded
        /// The same but for case and diacritics, width or ligatures.
        case diacriticsFolded
        /// The same letters, with other punctuation.
        case punctuationFolded
    }

    /// What else speaks for a name that is short or a common word.
    public enum Signal: String, Sendable, CaseIterable {
        /// The title is the name and nothing more.
        case wholeTitle
        /// The title has a word such as concert, tour or tickets.
        case contextWord
        /// A place follows: "at Olympia", "@ Olympia".
        case place
        /// An article and a common word, both with a capital: "The Doors", not "the doors".
        case capitals
        /// The event is at a known venue.
        case venue
        /// The catalog has a concert of that name on that day.
        case concert
    }

    /// Why a name that the title holds does not count.
    public enum Rejection: String, Sendable, CaseIterable {
        /// The letters stand inside a longer word.
        case insideWord
        /// A longer name that counts covers it.
        case insideLongerName
        /// One or two letters, and nothing else speaks for it.
        case shortWithoutSignal
        /// A common word, and nothing else speaks for it.
        case commonWithoutSignal
        /// A number, and nothing else speaks for it.
        case numberWithoutSignal
        /// A short name in a script without spaces, which may be a part of another word.
        case uncertainEdge

        /// Whether it would count with a second signal.
        public var needsSignal: Bool {
            switch self {
            case .shortWithoutSignal, .commonWithoutSignal, .numberWithoutSignal: true
            case .insideWord, .insideLongerName, .uncertainEdge: false
            }
        }
    }

    /// The name's id, as it was given.
    public let id: Int
    /// Where it stands; bytes of the title's UTF-8.
    public let place: Range<Int>
    /// What else spoke for it; nil if nothing had to.
    public let signal: Signal?
    /// Why it does not count; nil if it does.
    public let rejection: Rejection?

    /// Whether the name counts as being in the title.
    public var isMatch: Bool { rejection == nil }

    /// What of the title it stands in is the name.
    public func written(in title: String) -> String {
        String(decoding: Array(title.utf8)[place], as: UTF8.self)
    }

    /// How the title that it stands in writes a name.
    public func comparison(of name: String, in title: String) -> Comparison {
        let written = written(in: title)
        if written == name { return .exact }
        let (left, right) = (written.lowercased(), name.lowercased())
        if left == right { return .caseFolded }
        return Self.plain(left) == Self.plain(right) ? .diacriticsFolded : .punctuationFolded
    }

    /// Letters folded, everything else kept.
    private static func plain(_ text: String) -> [UInt32] {
        text.flatMap { character -> [UInt32] in
            NameFolding.kinds(of: character).flatMap { kind -> [UInt32] in
                switch kind {
                case .letters(let letters): letters
                case .nothing: []
                case .space, .mark: character.unicodeScalars.map(\.value)
                }
            }
        }
    }
}

/// What is known of an event besides its title.
public struct MatchEvidence: Sendable {
    /// Ids of names that have a concert on the event's day.
    public var concerts: Set<Int>
    /// Whether the event's place is a known venue.
    public var isAtVenue: Bool

    /// Nothing, unless it is said.
    public init(concerts: Set<Int> = [], isAtVenue: Bool = false) {
        self.concerts = concerts
        self.isAtVenue = isAtVenue
    }
}
