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
    /// Every field as it is on the wire.
    public private(set) var entries: [Entry] = []

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

    /// No fields.
    public init() {}

    /// The first value of a type.
    public subscript(_ type: FieldType) -> [UInt8]? {
        var index = 0
        while index < entries.count, entries[index].type < type.rawValue { index += 1 }
        guard index < entries.count, entries[index].type == type.rawValue else { return nil }
        return entries[index].value
    }
    /// Every value of a type, in order.
    public func all(_ type: FieldType) -> [[UInt8]] {
        var values: [[UInt8]] = []
        for index in entries.indices where entries[index].type == type.rawValue {
            values.append(entries[index].value)
        }
        return values
    }
    /// Replaces every value of a type by one, or removes the type.
    public mutating func set(_ type: FieldType, _ value: [UInt8]?) {
        var start = 0
        while start < entries.count, entries[start].type < type.rawValue { start += 1 }
        var end = start
        while end < entries.count, entries[end].type == type.rawValue { end += 1 }
        guard let value else { return entries.removeSubrange(start..<end) }
        let entry = Entry(type: type.rawValue, value: value)
        guard end == start + 1 else {
            return entries.replaceSubrange(start..<end, with: CollectionOfOne(entry))
        }
        entries[start] = entry
    }
    /// Adds a value behind those of the same type.
    public mutating func append(_ type: FieldType, _ value: [UInt8]) {
        append(type.rawValue, value)
    }
    mutating func append(_ type: UInt16, _ value: [UInt8]) {
        let place = entries.lastIndex { $0.type <= type }.map { $0 + 1 } ?? 0
        entries.insert(Entry(type: type, value: value), at: place)
    }

    /// A value as UTF-8 text; nil if absent or no UTF-8.
    public func text(_ type: FieldType) -> String? {
        self[type].flatMap { String(validating: $0, as: UTF8.self) }
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
        guard let value = self[type], value.count == Integer.bitWidth / 8 else { return nil }
        return bigEndianInteger(value)
    }
    /// Sets or removes an integer.
    @inlinable
    public mutating func set(
        _ type: FieldType, integer: (some FixedWidthInteger & UnsignedInteger)?
    ) {
        set(type, integer.map { bigEndianBytes($0) })
    }

    /// The bytes on the wire.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encodedByteCount)
        encode(into: &bytes)
        return bytes
    }

    /// Bytes that `encoded()` has.
    var encodedByteCount: Int { entries.reduce(0) { $0 + 6 + $1.value.count } }

    /// Adds the bytes on the wire.
    func encode(into bytes: inout [UInt8]) {
        for entry in entries {
            bytes.append(bigEndian: entry.type)
            bytes.append(bigEndian: UInt32(entry.value.count))
            bytes += entry.value
        }
    }

    /// Reads fields to the end of the bytes.
    ///
    /// - Throws: `WireError` with `truncatedField`, `tooManyFields`, `fieldOrder` or `badField`.
    public init(decoding bytes: ArraySlice<UInt8>) throws(WireError) {
        var index = bytes.startIndex
        var last: UInt16 = 0
        while index < bytes.endIndex {
            guard bytes.endIndex - index >= 6 else {
                throw WireError(.truncatedField, "field \(entries.count) ends early")
            }
            let type = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
            let count =
                Int(bytes[index + 2]) << 24 | Int(bytes[index + 3]) << 16
                | Int(bytes[index + 4]) << 8 | Int(bytes[index + 5])
            index += 6
            guard count <= bytes.endIndex - index else {
                throw WireError(.truncatedField, "field \(entries.count) ends early")
            }
            guard type >= last else {
                throw WireError(.fieldOrder, "field type \(type) stands behind \(last)")
            }
            guard entries.count < Limits.fieldsMax else {
                throw WireError(.tooManyFields, "more than \(Limits.fieldsMax) fields")
            }
            last = type
            let entry = Entry(type: type, value: Array(bytes[index..<index + count]))
            try FieldType(rawValue: type)?.check(entry.value)
            entries.append(entry)
            index += count
        }
    }

    /// What a receiver would refuse in these fields; nil if nothing.
    public var fault: WireError? {
        for entry in entries {
            do throws(WireError) {
                try FieldType(rawValue: entry.type)?.check(entry.value)
            } catch {
                return error
            }
        }
        return nil
    }
}
