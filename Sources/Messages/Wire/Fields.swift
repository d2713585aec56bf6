/// The optional fields of a message: type, length and value, in ascending order of type.
///
/// ```
/// offset size
///      0    2  type
///      2    4  length of the value
///      6    n  value
/// ```
/// Types that this version does not know are kept and passed on, never an error. A type that
/// may occur several times keeps its order.
public struct Fields: Sendable, Equatable {
    /// As on the wire. One run of bytes, since a message's fields are read once, changed in one or
    /// two places, and sent on.
    private var bytes: [UInt8] = []
    /// Where they begin: behind the header, if they are read from a frame.
    private var start = 0

    /// One field.
    public struct Entry: Sendable, Equatable {
        /// A `FieldType`, or a number of a later version.
        public let type: UInt16
        /// The value's bytes.
        public let value: [UInt8]
        /// From a type and a value.
        public init(type: UInt16, value: [UInt8]) {
            self.type = type
            self.value = value
        }
    }

    /// Bytes of a field before its value.
    private static let headBytes = 6

    /// No fields.
    public init() {}

    /// Every field, in order.
    public var entries: [Entry] {
        var entries: [Entry] = []
        var index = start
        while index < bytes.endIndex {
            let value = valueRange(at: index)
            entries.append(Entry(type: type(at: index), value: Array(bytes[value])))
            index = value.upperBound
        }
        return entries
    }

    /// The first value of a type.
    public subscript(_ type: FieldType) -> [UInt8]? { slice(type).map(Array.init) }

    /// The first value of a type where it stands; not copied.
    public func slice(_ type: FieldType) -> ArraySlice<UInt8>? {
        let index = place(of: type.rawValue)
        guard index < bytes.endIndex, self.type(at: index) == type.rawValue else { return nil }
        return bytes[valueRange(at: index)]
    }

    /// Every value of a type, in order.
    public func all(_ type: FieldType) -> [[UInt8]] {
        var values: [[UInt8]] = []
        var index = place(of: type.rawValue)
        while index < bytes.endIndex, self.type(at: index) == type.rawValue {
            let value = valueRange(at: index)
            values.append(Array(bytes[value]))
            index = value.upperBound
        }
        return values
    }

    /// Replaces every value of a type by one, or removes the type.
    public mutating func set(_ type: FieldType, _ value: [UInt8]?) {
        let range = range(of: type.rawValue)
        guard let value else { return bytes.removeSubrange(range) }
        put(type.rawValue, in: range, byteCount: value.count) { $0 += value }
    }

    /// Adds a value behind those of the same type.
    public mutating func append(_ type: FieldType, _ value: [UInt8]) {
        append(type.rawValue, value)
    }
    mutating func append(_ type: UInt16, _ value: [UInt8]) {
        let end = range(of: type).upperBound
        put(type, in: end..<end, byteCount: value.count) { $0 += value }
    }

    /// Makes room for fields that are about to be added, their heads included.
    public mutating func reserve(_ byteCount: Int) {
        bytes.reserveCapacity(bytes.count + byteCount)
    }

    /// Writes a field in the place of others.
    private mutating func put(
        _ type: UInt16, in range: Range<Int>, byteCount: Int, _ write: (inout [UInt8]) -> Void
    ) {
        guard range.lowerBound < bytes.endIndex else {
            bytes.append(bigEndian: type)
            bytes.append(bigEndian: UInt32(byteCount))
            return write(&bytes)
        }
        var changed: [UInt8] = []
        changed.reserveCapacity(bytes.count - start - range.count + Self.headBytes + byteCount)
        changed += bytes[start..<range.lowerBound]
        changed.append(bigEndian: type)
        changed.append(bigEndian: UInt32(byteCount))
        write(&changed)
        changed += bytes[range.upperBound...]
        (bytes, start) = (changed, 0)
    }

    /// Where the fields of a type stand, or would stand.
    private func range(of type: UInt16) -> Range<Int> {
        let first = place(of: type)
        var end = first
        while end < bytes.endIndex, self.type(at: end) == type {
            end = valueRange(at: end).upperBound
        }
        return first..<end
    }

    /// Where the first field of the type, or else of a higher one, begins.
    private func place(of type: UInt16) -> Int {
        var index = start
        while index < bytes.endIndex, self.type(at: index) < type {
            index = valueRange(at: index).upperBound
        }
        return index
    }

    private func type(at index: Int) -> UInt16 {
        UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
    }

    private func valueRange(at index: Int) -> Range<Int> {
        let count =
            Int(bytes[index + 2]) << 24 | Int(bytes[index + 3]) << 16
            | Int(bytes[index + 4]) << 8 | Int(bytes[index + 5])
        return index + Self.headBytes..<index + Self.headBytes + count
    }

    /// A value as UTF-8 text; nil if absent or no UTF-8.
    public func text(_ type: FieldType) -> String? {
        slice(type).flatMap { String(validating: $0, as: UTF8.self) }
    }
    /// Sets or removes a text.
    public mutating func set(_ type: FieldType, text: String?) {
        set(type, text.map { Array($0.utf8) })
    }
    /// A value as a big-endian integer of exactly the type's width; nil if absent or of another.
    @inlinable
    public func integer<Integer: FixedWidthInteger & UnsignedInteger>(
        _ type: FieldType, as _: Integer.Type = Integer.self
    ) -> Integer? {
        guard let value = slice(type), value.count == Integer.bitWidth / 8 else { return nil }
        return bigEndianInteger(value)
    }
    /// Sets or removes an integer.
    @inlinable
    public mutating func set<Integer: FixedWidthInteger & UnsignedInteger>(
        _ type: FieldType, integer: Integer?
    ) {
        guard let integer else { return set(type, nil) }
        set(type, UInt64(integer), byteCount: Integer.bitWidth / 8)
    }
    @usableFromInline
    mutating func set(_ type: FieldType, _ integer: UInt64, byteCount: Int) {
        put(type.rawValue, in: range(of: type.rawValue), byteCount: byteCount) {
            $0.append(bigEndian: integer, byteCount: byteCount)
        }
    }

    /// The bytes on the wire.
    public func encoded() -> [UInt8] { Array(bytes[start...]) }

    /// Bytes that `encoded()` has.
    var encodedByteCount: Int { bytes.count - start }

    /// Adds the bytes on the wire.
    func encode(into target: inout [UInt8]) { target += bytes[start...] }

    /// Reads fields to the end of the bytes.
    ///
    /// - Throws: `WireError` with `truncatedField`, `tooManyFields`, `fieldOrder` or `badField`.
    public init(decoding bytes: ArraySlice<UInt8>) throws(WireError) {
        try self.init(decoding: Array(bytes), from: 0)
    }

    /// Reads fields from a place of a frame to its end; the frame is kept and not copied.
    init(decoding bytes: [UInt8], from start: Int) throws(WireError) {
        self.bytes = bytes
        self.start = start
        var index = start
        var last: UInt16 = 0
        var count = 0
        while index < bytes.endIndex {
            guard bytes.endIndex - index >= Self.headBytes else {
                throw WireError(.truncatedField, "field \(count) ends early")
            }
            let type = type(at: index)
            let value = valueRange(at: index)
            guard value.upperBound <= bytes.endIndex else {
                throw WireError(.truncatedField, "field \(count) ends early")
            }
            guard type >= last else {
                throw WireError(.fieldOrder, "field type \(type) stands behind \(last)")
            }
            guard count < Limits.fieldsMax else {
                throw WireError(.tooManyFields, "more than \(Limits.fieldsMax) fields")
            }
            try FieldType(rawValue: type)?.check(bytes[value])
            last = type
            count += 1
            index = value.upperBound
        }
    }

    /// By what is on the wire.
    public static func == (left: Fields, right: Fields) -> Bool {
        left.bytes[left.start...].elementsEqual(right.bytes[right.start...])
    }

    /// What a receiver would refuse in these fields; nil if nothing.
    public var fault: WireError? {
        for entry in entries {
            do throws(WireError) {
                try FieldType(rawValue: entry.type)?.check(entry.value[...])
            } catch {
                return error
            }
        }
        return nil
    }
}
