import Messages

/// The entity types of a deployment: of each name the highest version that was declared.
public struct EntityTypes: Sendable, Equatable {
    private var byName: [String: EntityType] = [:]

    /// None.
    public init() {}

    /// Adds a type, or replaces a lower version of it. Declaring the same again changes nothing.
    ///
    /// - Throws: `CatalogError` with `oldVersion`, with `sameVersion` if the content differs, or
    ///   with `tooManyTypes` above `Limits.typesMax`.
    public mutating func declare(_ type: EntityType) throws(CatalogError) {
        if let known = byName[type.name] {
            guard type.version >= known.version else {
                throw CatalogError(
                    .oldVersion,
                    "\(type.name) is declared with version \(known.version), which is higher than "
                        + "\(type.version)")
            }
            guard type.version > known.version || type == known else {
                throw CatalogError(
                    .sameVersion,
                    "\(type.name) \(type.version) is declared with another content; a change "
                        + "needs a higher version")
            }
        } else if byName.count >= Limits.typesMax {
            throw CatalogError(.tooManyTypes, "at most \(Limits.typesMax) types are allowed")
        }
        byName[type.name] = type
    }

    /// The type of a name; nil if none is declared.
    public subscript(name: String) -> EntityType? { byName[name] }

    /// All types, by name.
    public var all: [EntityType] {
        byName.values.sorted { utf8Precedes($0.name, $1.name) }
    }

    /// What relations name and is not declared, or is of another kind. Such a relation brings
    /// nothing; it is no error, because types may be declared in any order.
    public var openRelations: [CatalogError] {
        all.flatMap { type in type.relations.flatMap { problems(of: $0, in: type) } }
    }

    /// Those of them whose type is declared: no further declaration makes them lead anywhere.
    public var misfitRelations: [CatalogError] {
        all.flatMap { type in
            type.relations.filter { byName[$0.to] != nil }.flatMap { problems(of: $0, in: type) }
        }
    }

    private func problems(of relation: Relation, in type: EntityType) -> [CatalogError] {
        let place = "relation \(relation.name) of \(type.name)"
        guard let other = byName[relation.to] else {
            return [
                CatalogError(
                    .openRelation, "\(place) leads to \(relation.to), which is not declared")
            ]
        }
        var expected = relation.match.values.sorted().map {
            ($0, "names", \PropertyKind.holdsNames)
        }
        if let within = relation.within {
            expected.append((within.property, "a geoPoint", \PropertyKind.isGeoPoint))
        }
        if let days = relation.days {
            expected.append((days.property, "a date", \PropertyKind.isDate))
        }
        return expected.compactMap { property, what, holds in
            guard other.properties[property]?.kind[keyPath: holds] != true else { return nil }
            return CatalogError(
                .openRelation,
                "\(place) compares \(property) of \(other.name), which does not hold \(what)")
        }
    }
}

extension PropertyKind {
    fileprivate var isGeoPoint: Bool { self == .geoPoint }
    fileprivate var isDate: Bool { self == .date }
}
