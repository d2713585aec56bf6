/// One limit, as `sightline limits` prints it.
public struct Limit: Sendable, Equatable {
    /// The constant's name in `Limits`.
    public let name: String
    /// How much is allowed, in the unit.
    public let value: Int64
    /// What is counted.
    public let unit: Unit
    /// What it bounds, for people.
    public let meaning: String

    /// What is counted.
    public enum Unit: String, Sendable, CaseIterable {
        /// Things, of the kind that the meaning names.
        case count
        /// Bytes.
        case bytes
        /// Characters, which are Unicode scalars here.
        case characters
        /// Nested levels.
        case levels
        /// Milliseconds.
        case milliseconds
        /// Local calendar days.
        case days
        /// Events a second.
        case perSecond = "per second"
        /// Pixels.
        case pixels
        /// Millionths of a distance.
        case millionths
        /// Kilometers.
        case kilometers
    }

    init(_ name: String, _ value: some BinaryInteger, _ unit: Unit, _ meaning: String) {
        self.name = name
        self.value = Int64(clamping: value)
        self.unit = unit
        self.meaning = meaning
    }
}
