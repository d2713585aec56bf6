/// The body of an ACK of a change that is not applied as a whole; all else of it counts.
///
/// It is a function of the change and of the time zone data that the journal declares, so that a
/// change that is sent again gets the same. What depends on what is held already, such as that a
/// collection is full, is in the workers' `status` alone.
public struct ChangeAcknowledgement: Sendable, Equatable {
    /// A part of a change that is not applied.
    public struct Part: Sendable, Equatable {
        /// The place among the texts that were put, from 0; nil for the zone of the change.
        public var place: Int?
        /// The entry that is applied, but for this part; nil if nothing of it is.
        public var id: String?
        /// Why, as a word.
        public var code: String
        /// Where in the entry, and what is allowed; for people.
        public var reason: String

        /// From its parts.
        public init(place: Int?, id: String? = nil, code: String, reason: String) {
            self.place = place
            self.id = id
            self.code = code
            self.reason = reason
        }
    }

    /// In the order of the change; the first `Limits.refusedPartsShown`.
    public private(set) var notApplied: [Part] = []
    /// All parts that are not applied, the ones that are not told included.
    public private(set) var total = 0

    /// Everything is applied.
    public init() {}

    /// Adds a part that is not applied.
    public mutating func add(_ part: Part) {
        total += 1
        guard notApplied.count < Limits.refusedPartsShown else { return }
        var part = part
        part.id = part.id.map(Self.shortened)
        part.reason = Self.shortened(part.reason)
        notApplied.append(part)
    }

    /// Reads the body of an ACK; an empty one, and one of a later version, says nothing.
    public init(parsing body: [UInt8]) {
        guard let value = try? JSONValue(parsing: body) else { return }
        for part in value["notApplied"]?.array ?? [] {
            guard let code = part["code"]?.text else { continue }
            add(
                Part(
                    place: part["place"]?.integer, id: part["id"]?.text, code: code,
                    reason: part["reason"]?.text ?? ""))
        }
        total = max(total, value["total"]?.integer ?? 0)
    }

    /// The bytes of the body; none if everything is applied.
    public var bytes: [UInt8] { total == 0 ? [] : json.canonical() }

    private var json: JSONValue {
        let parts = notApplied.map { part in
            var members = MemberList()
            members.add("code", text: part.code)
            members.add("id", text: part.id)
            members.add("place", part.place.map(JSONValue.integer))
            members.add("reason", text: part.reason)
            return JSONValue.object(members.json)
        }
        return .object(["notApplied": .array(parts), "total": .integer(total)])
    }

    /// The characters of a text that fit into the bytes of a name.
    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > Limits.nameBytesMax else { return text }
        var bytes = 0
        return String(
            text.unicodeScalars.prefix { scalar in
                bytes += UTF8.width(scalar)
                return bytes <= Limits.nameBytesMax
            }.map(Character.init))
    }
}
