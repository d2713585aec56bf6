internal import Glibc

/// Bytes that are handed on without being copied: an array's, or memory that somebody lends.
///
/// A frame that a router only passes on stays where the socket received it.
public struct SharedBytes: Sendable {
    @usableFromInline enum Storage: Sendable {
        case array([UInt8])
        case lent(LentMemory)
    }
    @usableFromInline let storage: Storage

    /// The bytes of an array.
    @inlinable
    public init(_ array: [UInt8]) {
        storage = .array(array)
    }

    /// Memory that is lent.
    @inlinable
    public init(_ memory: LentMemory) {
        storage = .lent(memory)
    }

    /// How many there are.
    @inlinable public var count: Int {
        switch storage {
        case .array(let array): array.count
        case .lent(let memory): memory.bytes.count
        }
    }

    /// There are none.
    @inlinable public var isEmpty: Bool { count == 0 }

    /// The bytes as an array; those of lent memory are copied.
    @inlinable public var array: [UInt8] {
        switch storage {
        case .array(let array): array
        case .lent(let memory): Array(memory.bytes)
        }
    }

    /// Some of the bytes, copied.
    ///
    /// - Precondition: The range lies within `0..<count`.
    public subscript(range: Range<Int>) -> [UInt8] {
        withUnsafeBytes { Array($0[range]) }
    }

    /// One byte.
    ///
    /// - Precondition: The index lies within `0..<count`.
    public subscript(index: Int) -> UInt8 {
        switch storage {
        case .array(let array): array[index]
        case .lent(let memory): memory.bytes[index]
        }
    }

    /// What lends the memory; nil for an array.
    public var lentMemory: LentMemory? {
        guard case .lent(let memory) = storage else { return nil }
        return memory
    }

    /// Lets `body` read the bytes where they are.
    public func withUnsafeBytes<Answer>(
        _ body: (UnsafeRawBufferPointer) throws -> Answer
    ) rethrows -> Answer {
        switch storage {
        case .array(let array): try array.withUnsafeBytes(body)
        case .lent(let memory): try withExtendedLifetime(memory) { try body(memory.bytes) }
        }
    }
}

extension SharedBytes: Equatable {
    /// Whether the bytes are equal, wherever they are.
    public static func == (left: Self, right: Self) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard let start = left.baseAddress, let other = right.baseAddress else {
                    return true
                }
                return start == other || memcmp(start, other, left.count) == 0
            }
        }
    }
}

extension SharedBytes: ExpressibleByArrayLiteral {
    /// The bytes of an array.
    public init(arrayLiteral elements: UInt8...) {
        self.init(elements)
    }
}

extension [UInt8] {
    /// Adds bytes wherever they are.
    public static func += (left: inout [UInt8], right: SharedBytes) {
        right.withUnsafeBytes { left.append(contentsOf: $0) }
    }
}
