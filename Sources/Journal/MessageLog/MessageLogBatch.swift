/// Entries on their way to a message log, as the bytes that its file will hold but for sequences
/// and checksums: what is recorded is copied once on its way to the disk.
package struct MessageLogBatch: Sendable {
    var bytes: [UInt8] = []
    /// Where each entry begins, with the room for the header that its file puts before it.
    private(set) var starts: [Int] = []

    /// No entry.
    package init() {}

    /// Nothing is to be written.
    package var isEmpty: Bool { starts.isEmpty }
    /// Entries.
    package var count: Int { starts.count }
    /// Bytes of all entries in the file.
    package var byteCount: Int { bytes.count }

    /// Adds an entry behind those so far.
    package mutating func add(_ entry: MessageLogWriter.Entry) {
        starts.append(bytes.count)
        SegmentFormat.reserveHeader(in: &bytes)
        MessageLogCodec.append(entry, to: &bytes)
    }

    /// Forgets the entries; keeps their memory for the next ones, within a bound.
    package mutating func removeAll(keepingBytesMax bound: Int) {
        starts.removeAll(keepingCapacity: bytes.capacity <= bound)
        bytes.removeAll(keepingCapacity: bytes.capacity <= bound)
    }
}

extension MessageLogWriter {
    /// Appends a batch, whose bytes are completed in place.
    ///
    /// - Throws: As `append` does.
    package func append(_ batch: inout MessageLogBatch) throws(JournalError) {
        guard !batch.isEmpty else { return }
        try log.append(prepared: &batch.bytes, starts: batch.starts) { sequence, start, bytes in
            MessageLogCodec.number(
                sequence, entryAt: start + SegmentFormat.recordHeaderBytes, in: &bytes)
        }
    }
}
