internal import Messages

/// The bytes of a segment file.
///
/// ```
/// header, 32 bytes
///      0    4  magic 53 4C 53 47 ("SLSG")
///      4    4  format version, 1
///      8    8  epoch of the log
///     16    8  sequence of the first record in the file
///     24    4  0
///     28    4  CRC-32C of the 28 bytes before
/// record, 12 + n bytes, one behind another
///      0    4  n, at least 1; bit 31: what stands before was synced when this was written
///      4    4  CRC-32C of the epoch and the 4 bytes before
///      8    4  CRC-32C of the 8 bytes before and the record
///     12    n  the record
/// room, any number of zeros: where the next records will stand
/// ```
/// Integers are unsigned and big-endian. The first checksum lets the next record be found behind
/// a damaged one and keeps records of other logs, which a record may hold, from passing for ours.
/// Bit 31 tells damage from a torn write: only what was never synced may be torn.
package enum SegmentFormat {
    static let magic: [UInt8] = [0x53, 0x4C, 0x53, 0x47]
    static let version: UInt32 = 1
    package static let headerBytes = 32
    package static let recordHeaderBytes = 12
    private static let syncedBit: UInt32 = 1 << 31
    /// Bytes of one record that the format can state.
    static let recordBytesMax = Int(UInt32(1) << 31 - 1)

    static func header(epoch: UInt64, firstSequence: UInt64) -> [UInt8] {
        let head =
            magic + bigEndianBytes(version) + bigEndianBytes(epoch)
            + bigEndianBytes(firstSequence) + [0, 0, 0, 0]
        return head + bigEndianBytes(CRC32C(head).value)
    }

    /// Epoch and first sequence; nil if this is no header.
    static func decodeHeader(_ bytes: [UInt8]) -> (epoch: UInt64, firstSequence: UInt64)? {
        guard bytes.count >= headerBytes, Array(bytes[0..<4]) == magic,
            bigEndianInteger(bytes[4..<8]) == version,
            bigEndianInteger(bytes[28..<32]) == CRC32C(bytes[0..<28]).value
        else { return nil }
        return (bigEndianInteger(bytes[8..<16]), bigEndianInteger(bytes[16..<24]))
    }

    /// Adds a record.
    static func append(_ record: [UInt8], epoch: UInt64, afterSync: Bool, to bytes: inout [UInt8]) {
        let start = bytes.count
        reserveHeader(in: &bytes)
        bytes += record
        finishRecord(from: start, epoch: epoch, afterSync: afterSync, in: &bytes)
    }

    /// Adds room for the header of a record, whose bytes are added next.
    static func reserveHeader(in bytes: inout [UInt8]) {
        for _ in 0..<recordHeaderBytes { bytes.append(0) }
    }

    /// Fills in the header of a record that begins at an index and reaches to the end, or to
    /// another index.
    static func finishRecord(
        from start: Int, to end: Int? = nil, epoch: UInt64, afterSync: Bool,
        in bytes: inout [UInt8]
    ) {
        let end = end ?? bytes.count
        let first = start + recordHeaderBytes
        precondition(end > first, "a record has at least one byte")
        store(UInt32(end - first) | (afterSync ? syncedBit : 0), at: start, in: &bytes)
        store(headCheck(epoch: epoch, bytes[start..<start + 4]), at: start + 4, in: &bytes)
        var body = CRC32C(bytes[start..<start + 8])
        body.update(bytes[first..<end])
        store(body.value, at: start + 8, in: &bytes)
    }

    private static func store(_ word: UInt32, at index: Int, in bytes: inout [UInt8]) {
        for place in 0..<4 {
            bytes[index + place] = UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32(place)))
        }
    }

    private static func headCheck(epoch: UInt64, _ word: ArraySlice<UInt8>) -> UInt32 {
        var check = CRC32C(bigEndianBytes(epoch))
        check.update(word)
        return check.value
    }

    /// One record in the bytes of a file.
    struct Found {
        /// The record's own bytes.
        let range: Range<Int>
        let isAfterSync: Bool
    }

    /// The record that begins at an index; nil if there is none, or not all of it.
    static func record(in bytes: [UInt8], at index: Int, epoch: UInt64) -> Found? {
        let start = index + recordHeaderBytes
        guard start < bytes.count else { return nil }
        let word: UInt32 = bigEndianInteger(bytes[index..<index + 4])
        let count = Int(word & ~syncedBit)
        guard count >= 1, count <= bytes.count - start,
            bigEndianInteger(bytes[index + 4..<index + 8])
                == headCheck(epoch: epoch, bytes[index..<index + 4])
        else { return nil }
        var body = CRC32C(bytes[index..<index + 8])
        body.update(bytes[start..<start + count])
        guard bigEndianInteger(bytes[index + 8..<index + 12]) == body.value else { return nil }
        return Found(range: start..<start + count, isAfterSync: word & syncedBit != 0)
    }

    /// The records from an index on, up to the first place where there is none.
    ///
    /// - Returns: Where each record's header begins, and the index behind the last one.
    static func scan(
        _ bytes: [UInt8], from start: Int, epoch: UInt64
    ) -> (offsets: [Int], end: Int) {
        var offsets: [Int] = []
        var index = start
        while let found = record(in: bytes, at: index, epoch: epoch) {
            offsets.append(index)
            index = found.range.upperBound
        }
        return (offsets, index)
    }

    /// Whether bytes behind the last record are only room for further ones: zeros, or none.
    static func isRoom(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.allSatisfy { $0 == 0 } }

    /// Whether a record behind an index shows that everything before it had been synced.
    static func hasRecordAfterSync(in bytes: [UInt8], behind index: Int, epoch: UInt64) -> Bool {
        let last = bytes.count - recordHeaderBytes
        guard index < last else { return false }
        // Half of all places fail the first look and nearly all the second, before any checksum.
        for candidate in index + 1..<last where bytes[candidate] & 0x80 != 0 {
            let word: UInt32 = bigEndianInteger(bytes[candidate..<candidate + 4])
            guard Int(word & ~syncedBit) < bytes.count - candidate,
                record(in: bytes, at: candidate, epoch: epoch) != nil
            else { continue }
            return true
        }
        return false
    }
}
