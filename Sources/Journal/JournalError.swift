/// What a journal or log on disk refused, and where.
public struct JournalError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A closed set of faults.
    public enum Code: String, Sendable, CaseIterable {
        /// There is no journal or log in the folder.
        case notFound
        /// Another process writes to the folder.
        case locked
        /// It was opened for reading only.
        case readOnly
        /// Bytes that were synced are not what was written.
        case damaged
        /// The records that were asked for are gone; a snapshot holds what they did.
        case compacted
        /// A position that the journal does not have.
        case outOfRange
        /// A folder that is to be filled holds something else.
        case notEmpty
        /// Another of its kind is under way.
        case busy
        /// A record is larger than the log allows.
        case tooLarge
        /// No space is left, or the quota is used up.
        case noSpace
        /// The system refuses access.
        case notPermitted
        /// Reading, writing or syncing failed.
        case inputOutput
        /// An earlier write or sync failed; what is on disk is unknown until it is opened again.
        case stopped
    }

    /// Which fault it is.
    public let code: Code
    /// File, offset, and what to do; for people. Never what a record holds.
    public let context: String
    /// Where, if a place in a file is damaged.
    public let damage: SegmentDamage?

    /// From a code and its context.
    public init(_ code: Code, _ context: String, damage: SegmentDamage? = nil) {
        self.code = code
        self.context = context
        self.damage = damage
    }
    /// Code and context.
    public var description: String { "\(code.rawValue): \(context)" }
}
