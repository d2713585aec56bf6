/// A place in a segment file behind which nothing can be trusted.
public struct SegmentDamage: Sendable, Equatable, CustomStringConvertible {
    /// The file's path.
    public let file: String
    /// Bytes of the file before the place.
    public let offset: Int
    /// What is wrong there.
    public let reason: String

    /// From its parts.
    public init(file: String, offset: Int, reason: String) {
        self.file = file
        self.offset = offset
        self.reason = reason
    }
    /// File, offset and reason.
    public var description: String { "\(file) at byte \(offset): \(reason)" }

    /// The damage as an error.
    var error: JournalError { JournalError(.damaged, description, damage: self) }
}
