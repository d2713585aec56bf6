/// Stands for one version of a value: equal only to its own copies.
///
/// Whoever changes the value gives it a new stamp; whoever worked something out of it sees by the
/// stamp whether that still holds, without comparing the value.
public struct Stamp: Sendable, Equatable {
    private final class Token: Sendable {}
    private let token = Token()

    /// A stamp that none is equal to.
    public init() {}

    /// Whether one is a copy of the other.
    public static func == (left: Stamp, right: Stamp) -> Bool { left.token === right.token }
}
