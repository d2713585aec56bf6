import XXHash

/// How a segment of a print collection lies in its file, numbers little-endian:
///
///     pictures   the pictures' part
///     zeros      up to a multiple of 4,096
///     index      the part that every search scans
///     zeros      up to a multiple of 4,096
///     foot       magic "SLIXFOOT" (8), format (8), length of the pictures' part (8), length of the
///                index (8), XXH3 of all before the foot and of these 32 bytes (16)
enum IndexFileFormat {
    /// The version of this layout; what the parts hold has a version of its own.
    static let format: UInt64 = 1
    static let pageBytes = 4_096
    static let footBytes = 48
    private static let magic = Array("SLIXFOOT".utf8)

    /// A length, rounded up to whole pages.
    static func paged(_ length: Int) -> Int { (length + pageBytes - 1) / pageBytes * pageBytes }

    /// What a foot says before its hash.
    static func foot(pictures: Int, index: Int) -> [UInt8] {
        magic
            + [format, UInt64(pictures), UInt64(index)].flatMap { number in
                (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            }
    }

    /// The lengths that a foot states; nil if it is none, or not of a file of this length.
    static func lengths(of foot: [UInt8], fileBytes: Int) -> (pictures: Int, index: Int)? {
        guard foot.count == footBytes, foot.prefix(8).elementsEqual(magic) else { return nil }
        let numbers = (1...3).map { part in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(foot[8 * part + $1]) << (8 * $1) }
        }
        guard numbers[0] == format, let pictures = Int(exactly: numbers[1]),
            let index = Int(exactly: numbers[2]), pictures <= fileBytes, index <= fileBytes,
            paged(pictures) + paged(index) + footBytes == fileBytes
        else { return nil }
        return (pictures, index)
    }
}

/// Why an index file cannot be used or written.
struct IndexFileFault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
