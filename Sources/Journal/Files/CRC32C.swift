internal import CChecksum

/// CRC-32C (Castagnoli), as in RFC 3720 appendix B.4.
///
/// With the instructions of the processor where it has them. Elsewhere eight tables, eight bytes at a step (Kounavis and Berry, "A systematic approach to building
/// high performance software-based CRC generators", 2005).
package struct CRC32C: Sendable {
    private var state: UInt32 = ~0

    /// Of no bytes.
    package init() {}

    /// Of some bytes.
    package init(_ bytes: some Collection<UInt8>) { update(bytes) }

    /// The checksum of the bytes so far.
    package var value: UInt32 { ~state }

    /// Adds bytes behind those so far.
    package mutating func update(_ bytes: some Collection<UInt8>) {
        if bytes.withContiguousStorageIfAvailable({ update(buffer: $0) }) == nil {
            Array(bytes).withUnsafeBufferPointer { update(buffer: $0) }
        }
    }

    private static let hasInstructions = sl_crc32c_has_instructions() != 0

    private mutating func update(buffer: UnsafeBufferPointer<UInt8>) {
        guard Self.hasInstructions else { return updateByTables(buffer) }
        state = sl_crc32c_update(state, buffer.baseAddress, buffer.count)
    }

    /// The same without instructions for it.
    package mutating func updateByTables(_ buffer: UnsafeBufferPointer<UInt8>) {
        var crc = state
        let raw = UnsafeRawBufferPointer(buffer)
        Self.tables.withUnsafeBufferPointer { table in
            var index = 0
            while index &+ 8 <= raw.count {
                let low = raw.loadUnaligned(fromByteOffset: index, as: UInt32.self)
                let high = raw.loadUnaligned(fromByteOffset: index &+ 4, as: UInt32.self)
                crc = Self.fold(table, UInt32(littleEndian: low) ^ crc, UInt32(littleEndian: high))
                index &+= 8
            }
            while index < raw.count {
                crc = table[Int((crc ^ UInt32(raw[index])) & 0xFF)] ^ crc &>> 8
                index &+= 1
            }
        }
        state = crc
    }

    private static func fold(
        _ table: UnsafeBufferPointer<UInt32>, _ low: UInt32, _ high: UInt32
    ) -> UInt32 {
        table[1_792 &+ Int(low & 0xFF)] ^ table[1_536 &+ Int(low &>> 8 & 0xFF)]
            ^ table[1_280 &+ Int(low &>> 16 & 0xFF)] ^ table[1_024 &+ Int(low &>> 24)]
            ^ table[768 &+ Int(high & 0xFF)] ^ table[512 &+ Int(high &>> 8 & 0xFF)]
            ^ table[256 &+ Int(high &>> 16 & 0xFF)] ^ table[Int(high &>> 24)]
    }

    /// Table n holds the checksum of a byte with n zero bytes behind it.
    private static let tables: [UInt32] = {
        var tables = (UInt32(0)..<256).map { byte in
            (0..<8).reduce(byte) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
        }
        for index in 256..<2_048 {
            let before = tables[index - 256]
            tables.append(tables[Int(before & 0xFF)] ^ before >> 8)
        }
        return tables
    }()
}
