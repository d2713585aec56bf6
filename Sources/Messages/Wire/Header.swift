/// The fixed part at the start of every message.
///
/// ```
/// offset size
///      0    4  magic 53 4C 54 4E ("SLTN")
///      4    1  major version
///      5    1  minor version
///      6    1  command
///      7    1  flags
///      8    1  priority, 0 (last) to 9 (first)
///      9    1  attempt, from 1
///     10    2  number of attachment frames
///     12    4  budget in milliseconds; 0 where the command has none
///     16   16  request id
/// ```
/// Integers are unsigned and big-endian. Fields follow, in the same frame.
public struct Header: Sendable, Equatable {
    /// Bytes of the fixed part.
    public static let byteCount = 32
    /// The first four bytes of every message.
    public static let magic: [UInt8] = [0x53, 0x4C, 0x54, 0x4E]
    /// The same as a number.
    static let magicNumber: UInt32 = 0x534C_544E
    /// The version that this code writes; a peer with another major version is refused.
    public static let majorVersion: UInt8 = 1
    /// Grows when fields or commands are added; never a reason to refuse.
    public static let minorVersion: UInt8 = 0
    /// The priority of a request that states none.
    public static let defaultPriority: UInt8 = 4
    /// The highest priority.
    public static let priorityMax: UInt8 = 9

    /// What the message asks for or answers.
    public var command: Command
    /// Single-bit statements about the message.
    public var flags: Flags
    /// 0 (last) to 9 (first).
    public var priority: UInt8
    /// 1 for the first attempt of a request at a worker.
    public var attempt: UInt8
    /// Time that is left for the request, relative; 0 where the command has none.
    public var budgetMilliseconds: UInt32
    /// Chosen by the sender of the request and repeated in each answer; scoped to its identity.
    public var requestID: RequestID

    /// Single-bit statements about a message.
    public struct Flags: OptionSet, Sendable, Equatable {
        /// The byte on the wire.
        public let rawValue: UInt8
        /// All eight bits; unknown ones are kept and ignored.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// FINAL: every part answered, nothing is missing.
        public static let complete = Flags(rawValue: 1 << 0)
        /// The last frame is a diagnostics frame (JSON, not canonical, may be dropped).
        public static let diagnostics = Flags(rawValue: 1 << 1)
        /// SUBSCRIBE and `job.result`: hold the answer until there is something new.
        public static let wait = Flags(rawValue: 1 << 2)
        /// REQUEST: accept it at once and compute it when there is room.
        public static let detached = Flags(rawValue: 1 << 3)
    }

    /// A header with the defaults of its command.
    public init(
        _ command: Command, requestID: RequestID = .zero, budgetMilliseconds: UInt32 = 0,
        flags: Flags = [], priority: UInt8 = Header.defaultPriority, attempt: UInt8 = 1
    ) {
        self.command = command
        self.flags = flags
        self.priority = priority
        self.attempt = attempt
        self.budgetMilliseconds = budgetMilliseconds
        self.requestID = requestID
    }
}
