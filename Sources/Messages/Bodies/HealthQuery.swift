/// The body of `health.query`: which of an account's readings are wanted, and in which units.
public struct HealthQuery: JSONBody {
    /// A reading's place in the order of the answer.
    public struct Place: Sendable, Equatable {
        /// When it began; milliseconds since 1970, UTC.
        public var start: Int
        /// Its id.
        public var id: String

        /// From its parts.
        public init(start: Int, id: String) {
            self.start = start
            self.id = id
        }
    }

    /// The kinds wanted; nil for all.
    public var kinds: [HealthReading.Kind]?
    /// Only readings that began at this instant or later; milliseconds since 1970, UTC.
    public var from: Int?
    /// Only readings that began before this instant; milliseconds since 1970, UTC.
    public var to: Int?
    /// The units wanted, at most one a kind; other kinds stay in the unit that they were given in.
    public var units: [HealthUnit]
    /// Only what stands behind this place: earlier readings; everything if nil.
    public var after: Place?

    /// From its parts.
    public init(
        kinds: [HealthReading.Kind]? = nil, from: Int? = nil, to: Int? = nil,
        units: [HealthUnit] = [], after: Place? = nil
    ) {
        self.kinds = kinds
        self.from = from
        self.to = to
        self.units = units
        self.after = after
    }

    /// Reads the body from a document.
    ///
    /// - Throws: `JSONError` that names the member and what is allowed.
    public init(parsing value: JSONValue) throws(JSONError) {
        let members = try Members(value, allowing: ["kinds", "from", "to", "units", "after"])
        kinds = try members.list("kinds", in: 1...HealthReading.Kind.allCases.count) {
            (value, place) throws(JSONError) in try Self.one(value, at: place)
        }
        from = try members.integer("from", in: Self.instants)
        to = try members.integer("to", in: Self.instants)
        units =
            try members.list("units", in: 0...HealthReading.Kind.allCases.count) {
                (value, place) throws(JSONError) in try Self.one(value, at: place)
            } ?? []
        guard Set(units.map(\.kind)).count == units.count else {
            throw JSONError("units must be at most one for each kind of reading")
        }
        guard let after = members.value("after") else { return }
        let place = try Members(after, at: "after", allowing: ["start", "id"])
        self.after = Place(
            start: try Members.integer(
                try place.required("start"), at: "after.start", in: Self.instants),
            id: try place.requiredName("id"))
    }

    private static var instants: ClosedRange<Int> { -Limits.revisionMax...Limits.revisionMax }

    private static func one<Word: RawRepresentable & CaseIterable>(
        _ value: JSONValue, at place: String
    ) throws(JSONError) -> Word where Word.RawValue == String {
        guard let word = value.text.flatMap(Word.init(rawValue:)) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONError("\(place) must be one of \(words)")
        }
        return word
    }

    /// The document.
    public var json: JSONValue {
        var members = MemberList()
        members.add("kinds", kinds.map { .array($0.map { .string($0.rawValue) }) })
        members.add("from", from.map { .integer($0) })
        members.add("to", to.map { .integer($0) })
        members.add("units", names: units.map(\.rawValue))
        members.add(
            "after",
            after.map { .object(["start": .integer($0.start), "id": .string($0.id)]) })
        return .object(members.json)
    }
}
