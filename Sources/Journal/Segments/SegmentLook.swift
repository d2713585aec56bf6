/// What one look at a segment file found.
struct SegmentLook: Sendable {
    /// How far a file can be trusted.
    enum Finding: Sendable {
        /// Everything in it is as it was written.
        case whole
        /// What stands at its end was never synced.
        case torn(SegmentDamage)
        /// Synced bytes are not as they were written.
        case damaged(SegmentDamage)
        /// It has no header, and nothing in it was ever synced.
        case noFile(SegmentDamage)
        /// It does not continue the files before it, or its header is damaged.
        case foreign(SegmentDamage)
    }

    let segment: Segment
    let finding: Finding

    /// Reads a whole file.
    ///
    /// A reader may look while the writer writes and see the bytes of two moments; damage is
    /// therefore looked at twice.
    init(
        _ file: File, name: String, _ prefix: String, epoch: UInt64, expected: UInt64?
    ) throws(JournalError) {
        let first = try Self.look(file, name, prefix, epoch: epoch, expected: expected)
        guard case .damaged = first.finding else {
            (segment, finding) = first
            return
        }
        (segment, finding) = try Self.look(file, name, prefix, epoch: epoch, expected: expected)
    }

    private static func look(
        _ file: File, _ name: String, _ prefix: String, epoch: UInt64, expected: UInt64?
    ) throws(JournalError) -> (segment: Segment, finding: Finding) {
        let bytes = try file.read(at: 0, count: try file.size())
        var segment = Segment(file: file, firstSequence: expected ?? 1)
        func place(_ offset: Int, _ reason: String) -> SegmentDamage {
            SegmentDamage(file: file.path, offset: offset, reason: reason)
        }
        guard let header = SegmentFormat.decodeHeader(bytes) else {
            let before = SegmentFormat.headerBytes - 1
            let hasRecords = SegmentFormat.hasRecordAfterSync(
                in: bytes, behind: before, epoch: epoch)
            let damage = place(0, "no segment header")
            return (segment, hasRecords ? .foreign(damage) : .noFile(damage))
        }
        guard header.epoch == epoch else {
            return (segment, .foreign(place(8, "the file belongs to another log")))
        }
        guard header.firstSequence == expected ?? header.firstSequence,
            name == Segment.name(prefix, firstSequence: header.firstSequence)
        else {
            let wanted = expected.map { "; \($0) comes next" } ?? ""
            let reason = "the file begins with record \(header.firstSequence)\(wanted)"
            return (segment, .foreign(place(16, reason)))
        }
        segment = Segment(file: file, firstSequence: header.firstSequence)
        let found = SegmentFormat.scan(bytes, from: SegmentFormat.headerBytes, epoch: epoch)
        segment.add(offsets: found.offsets, base: 0, end: found.end)
        guard !SegmentFormat.isRoom(bytes[found.end...]) else {
            segment.size = bytes.count
            return (segment, .whole)
        }
        let reason = "no whole record \(segment.nextSequence)"
        let hasRecords = SegmentFormat.hasRecordAfterSync(
            in: bytes, behind: found.end, epoch: epoch)
        let damage = place(found.end, reason)
        return (segment, hasRecords ? .damaged(damage) : .torn(damage))
    }
}
