/// One file of a log, and where its records are.
struct Segment: Sendable {
    let file: File
    let firstSequence: UInt64
    /// Where the header of each record begins; a file is far smaller than 4 GiB.
    var offsets: [UInt32] = []
    /// Bytes that hold the header and whole records.
    var end = SegmentFormat.headerBytes
    /// Bytes of the file: zeros behind `end` are room for the next records.
    var size = SegmentFormat.headerBytes

    var nextSequence: UInt64 { firstSequence + UInt64(offsets.count) }

    /// The bytes of some records with their headers, by their places in `offsets`.
    func span(of records: Range<Int>) -> Range<Int> {
        let upper = records.upperBound < offsets.count ? Int(offsets[records.upperBound]) : end
        return Int(offsets[records.lowerBound])..<upper
    }

    /// Adds the records that a scan found behind those known.
    mutating func add(offsets found: [Int], base: Int, end newEnd: Int) {
        offsets += found.map { UInt32(base + $0) }
        end = newEnd
        size = max(size, newEnd)
    }

    static func name(_ prefix: String, firstSequence: UInt64) -> String {
        let digits = String(firstSequence)
        return "\(prefix)-\(String(repeating: "0", count: 20 - digits.count))\(digits).segment"
    }
}
