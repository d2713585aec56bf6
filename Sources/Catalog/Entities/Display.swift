public import Messages

/// How an entity is shown: its display representation.
public struct Display: Sendable, Equatable {
    /// What one entity of its type is called.
    public let type: String
    /// Never empty: the id stands in for a title without text.
    public let title: String
    /// Empty if the type declares none or its properties are missing.
    public let subtitle: String

    /// `{"type":…,"title":…,"subtitle":…}`.
    public var json: JSONValue {
        .object(["type": .string(type), "title": .string(title), "subtitle": .string(subtitle)])
    }
}
