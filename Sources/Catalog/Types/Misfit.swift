public import Messages

/// An entity that a new version of its type does not fit.
public struct Misfit: Sendable, Equatable, CustomStringConvertible {
    /// Which entity.
    public let key: EntityKey
    /// Its property as a JSON pointer, and what the new version wants of it.
    public let reason: String

    /// Both, for people.
    public var description: String { "\(key): \(reason)" }

    /// An item of `type.check`: catalog, type, id, reason.
    public func json(catalog: String) -> JSONValue {
        .object([
            "catalog": .string(catalog), "type": .string(key.type), "id": .string(key.id),
            "reason": .string(reason),
        ])
    }
}
