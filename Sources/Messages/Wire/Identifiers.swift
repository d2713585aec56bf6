/// Sixteen bytes that name a request within its sender's identity.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// All zero: a message that belongs to no request.
    public static let zero = RequestID(high: 0, low: 0)
    /// The first eight bytes on the wire.
    public let high: UInt64
    /// The last eight bytes on the wire.
    public let low: UInt64
    /// From two big-endian halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
    /// From sixteen bytes; nil for any other count.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(high: bigEndianInteger(bytes[0..<8]), low: bigEndianInteger(bytes[8..<16]))
    }
    /// From thirty-two hexadecimal digits, lower case; nil for anything else.
    public init?(hex: some StringProtocol) {
        guard let bytes = Hex.decode(hex) else { return nil }
        self.init(bytes: bytes)
    }
    /// Thirty-two hexadecimal digits.
    public var description: String { Hex.encode(bytes) }
    /// The sixteen bytes.
    public var bytes: [UInt8] { bigEndianBytes(high) + bigEndianBytes(low) }
}

/// Sixteen bytes that name a router, worker, client or replica for as long as it exists.
public struct Identity: Hashable, Sendable, CustomStringConvertible {
    /// The first eight bytes on the wire.
    public let high: UInt64
    /// The last eight bytes on the wire.
    public let low: UInt64
    /// From two big-endian halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
    /// From a random source; a parameter so that tests repeat.
    public init(using random: inout some RandomNumberGenerator) {
        self.init(high: random.next(), low: random.next())
    }
    /// Thirty-two hexadecimal digits.
    public var description: String { Hex.encode(bytes) }
    /// The sixteen bytes.
    public var bytes: [UInt8] { bigEndianBytes(high) + bigEndianBytes(low) }
    /// From sixteen bytes; nil for any other count.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(high: bigEndianInteger(bytes[0..<8]), low: bigEndianInteger(bytes[8..<16]))
    }
}

/// A place in the journal: which journal, and how many records it held.
///
/// Epochs are random and compared for equality only; sequences count from 1, and 0 is the place
/// before the first record.
public struct Position: Hashable, Sendable, CustomStringConvertible {
    /// Random; changes when a journal is restored.
    public let epoch: UInt64
    /// 1 for the first record; 0 before it.
    public let sequence: UInt64
    /// From its two numbers.
    public init(epoch: UInt64, sequence: UInt64) {
        self.epoch = epoch
        self.sequence = sequence
    }
    /// `epoch/sequence`, the epoch in hexadecimal.
    public var description: String { "\(String(epoch, radix: 16))/\(sequence)" }
}

/// The SHA-256 of a blob, which is its name everywhere.
public struct ContentHash: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Bytes of a hash.
    public static let byteCount = 32
    /// The thirty-two bytes.
    public let bytes: [UInt8]
    /// From thirty-two bytes; nil for any other count.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
    /// From sixty-four hexadecimal digits, lower case; nil for anything else.
    public init?(hex: some StringProtocol) {
        guard let bytes = Hex.decode(hex) else { return nil }
        self.init(bytes: bytes)
    }
    /// Sixty-four hexadecimal digits, lower case.
    public var description: String { Hex.encode(bytes) }
    /// By bytes.
    public static func < (left: ContentHash, right: ContentHash) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

/// Sixteen random bytes that name a key of an account.
public struct KeyID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Bytes of an id.
    public static let byteCount = 16
    /// The sixteen bytes.
    public let bytes: [UInt8]
    /// From sixteen bytes; nil for any other count.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
    /// From a random source; a parameter so that tests repeat.
    public init(using random: inout some RandomNumberGenerator) {
        bytes = bigEndianBytes(random.next() as UInt64) + bigEndianBytes(random.next() as UInt64)
    }
    /// Thirty-two hexadecimal digits.
    public var description: String { Hex.encode(bytes) }
    /// By bytes.
    public static func < (left: KeyID, right: KeyID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
