/// Lower-case hexadecimal, as hashes and ids are written.
public enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Two digits a byte, lower case.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Bytes of an even number of lower-case digits; nil for anything else.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        return high == nil ? bytes : nil
    }
}

/// The bytes of an integer, most significant first.
@inlinable
public func bigEndianBytes(_ value: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.bitWidth / 8)
    bytes.append(bigEndian: value)
    return bytes
}

extension [UInt8] {
    /// Makes room for more bytes in one piece. What grows becomes at least twice as large, which
    /// `reserveCapacity` does not see to: called for each of many pieces it copies everything
    /// each time.
    @inlinable
    public mutating func makeRoom(for byteCount: Int) {
        guard count + byteCount > capacity else { return }
        reserveCapacity(Swift.max(count + byteCount, 2 * capacity))
    }

    /// Adds the bytes of an integer, most significant first.
    @inlinable
    public mutating func append(bigEndian value: some FixedWidthInteger & UnsignedInteger) {
        append(bigEndian: UInt64(value), byteCount: value.bitWidth / 8)
    }

    /// Adds the lowest bytes of an integer, 1 to 8 of them, most significant first.
    @inlinable
    public mutating func append(bigEndian value: UInt64, byteCount: Int) {
        append(addingCapacity: byteCount) { bytes in
            var shift = UInt64(8 * byteCount)
            while shift > 0 {
                shift -= 8
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
    }
}

/// The integer of some bytes, most significant first; the width must suffice.
@inlinable
public func bigEndianInteger<Integer: FixedWidthInteger & UnsignedInteger>(
    _ bytes: some Sequence<UInt8>
) -> Integer {
    bytes.reduce(0) { $0 << 8 | Integer($1) }
}

/// Reads integers and byte runs one after another and says when there are too few.
public struct ByteReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    /// Reads from the start of the bytes.
    public init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }
    /// Bytes that are not read yet.
    public var remaining: Int { bytes.endIndex - index }

    /// The next bytes; nil if there are fewer.
    public mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        defer { index += count }
        return bytes[index..<index + count]
    }
    /// The next big-endian integer; nil if there are too few bytes.
    public mutating func integer<Integer: FixedWidthInteger & UnsignedInteger>(
        _: Integer.Type = Integer.self
    ) -> Integer? {
        take(Integer.bitWidth / 8).map { bigEndianInteger($0) }
    }
}
