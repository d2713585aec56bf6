/// Finds which names stand in a title.
public struct NameMatcher: Sendable {
    /// From names, in the caller's order.
    public init(names: [String], locale: String?) {}

    /// Indices into the names, ascending.
    public func matches(title: String) -> [Int] { [] }
}
