public import Messages

/// What an entity of one type brings along from another: an album its artist's concerts.
public struct Relation: Sendable, Equatable {
    /// Where the related entities stand in the list of results.
    public enum Placement: String, Sendable, CaseIterable {
        /// Directly behind the match they follow from.
        case behind
        /// After all matches.
        case grouped
    }
    /// A distance from the caller, who may state where it is.
    public struct Within: Sendable, Equatable {
        /// The related entity's property that holds its place.
        public let property: String
        /// Above 0, at most `Limits.relationKilometersMax`.
        public let kilometers: Double
    }
    /// A time from the as-of instant of the request on.
    public struct Days: Sendable, Equatable {
        /// The related entity's property that holds its date.
        public let property: String
        /// How many times 24 hours, 1…`Limits.relationDaysMax`.
        public let next: Int
    }

    /// Names the relation within its type.
    public let name: String
    /// The related entities' type.
    public let to: String
    /// Properties that must share a name: own property to the related entity's property.
    ///
    /// Names are compared without difference of case, white space or canonical form.
    public let match: [String: String]
    /// Not applied to a request that does not say where the caller is.
    public let within: Within?
    /// Compared with the request's as-of.
    public let days: Days?
    /// At most so many for one match: the soonest, then the nearest, then by id.
    public let most: Int
    /// A higher weight stands earlier among what follows from one match.
    public let weight: Int
    /// Where the related entities stand.
    public let placement: Placement

    private static let members = [
        "name", "to", "match", "within", "days", "most", "weight", "placement",
    ]

    init(
        _ node: DocumentNode, properties: [String: PropertyDeclaration]
    ) throws(CatalogError) {
        let members = try node.members(allowed: Self.members)
        name = try node.member("name", of: members).name(others: "_-")
        to = try node.member("to", of: members).name(others: "._-")
        match = try Self.match(try node.member("match", of: members), properties: properties)
        within = try members["within"].map(Self.within)
        days = try members["days"].map(Self.days)
        most = try members["most"]?.integer(in: 1...Limits.relatedMax) ?? Limits.relatedMax
        weight = try members["weight"]?.integer(in: 0...Limits.relationWeightMax) ?? 0
        placement = try members["placement"].map(Self.placement) ?? .behind
    }

    /// The document; what has its default is left out.
    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name), "to": .string(to),
            "match": .object(match.mapValues { .string($0) }),
        ]
        if let within {
            members["within"] = .object([
                "property": .string(within.property), "kilometers": .number(within.kilometers),
            ])
        }
        if let days {
            members["days"] = .object([
                "property": .string(days.property), "next": .integer(days.next),
            ])
        }
        if most != Limits.relatedMax { members["most"] = .integer(most) }
        if weight != 0 { members["weight"] = .integer(weight) }
        if placement != .behind { members["placement"] = .string(placement.rawValue) }
        return .object(members)
    }

    private static func match(
        _ node: DocumentNode, properties: [String: PropertyDeclaration]
    ) throws(CatalogError) -> [String: String] {
        let kind = "own property to the other type's property"
        var pairs: [String: String] = [:]
        for (own, other) in try node.members(kind, max: Limits.relationPairsMax) {
            guard properties[own]?.kind.holdsNames == true else {
                throw node.fault(
                    "compares \(DocumentNode.shown(own)), which is no string, localizedString or "
                        + "stringList property of this type")
            }
            pairs[own] = try other.name(others: "_")
        }
        guard !pairs.isEmpty else { throw node.fault("must have at least one pair: \(kind)") }
        return pairs
    }

    private static func within(_ node: DocumentNode) throws(CatalogError) -> Within {
        let members = try node.members(allowed: ["property", "kilometers"])
        let kilometersNode = try node.member("kilometers", of: members)
        let kilometers = try kilometersNode.number()
        guard kilometers > 0, kilometers <= Double(Limits.relationKilometersMax) else {
            throw kilometersNode.fault(
                "must be above 0 and at most \(Limits.relationKilometersMax)")
        }
        let property = try node.member("property", of: members).name(others: "_")
        return Within(property: property, kilometers: kilometers)
    }

    private static func days(_ node: DocumentNode) throws(CatalogError) -> Days {
        let members = try node.members(allowed: ["property", "next"])
        return Days(
            property: try node.member("property", of: members).name(others: "_"),
            next: try node.member("next", of: members).integer(in: 1...Limits.relationDaysMax))
    }

    private static func placement(_ node: DocumentNode) throws(CatalogError) -> Placement {
        guard let placement = node.value.text.flatMap(Placement.init) else {
            throw node.fault("must be behind or grouped")
        }
        return placement
    }
}
