/// The bytes of a segment of a collection, wherever they are kept. They never change.
public protocol SegmentBytes: AnyObject, Sendable {
    /// Runs `body` on the part that every search scans; it begins at a multiple of 16.
    func withIndex<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer
    /// Fills a buffer with bytes of the pictures' part, from an offset in it on; false if they
    /// cannot be read.
    func readPictures(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool
}

/// Takes the bytes of a segment.
public protocol SegmentWriter: AnyObject {
    /// Takes the next bytes of the pictures' part; false if they cannot be kept.
    func append(_ pictures: [UInt8]) -> Bool
    /// Takes the part that is scanned, and ends; nil if the segment cannot be kept.
    func finish(index: [UInt8]) -> (any SegmentBytes)?
}

/// Where a collection keeps segments, other than in memory.
public protocol SegmentKeeper: Sendable {
    /// What takes the next segment; nil if there is no room.
    func writer() -> (any SegmentWriter)?
}

/// A segment in memory.
final class MemorySegment: SegmentBytes {
    private let index: [UInt8]
    private let pictures: [UInt8]

    init(index: [UInt8], pictures: [UInt8]) {
        self.index = index
        self.pictures = pictures
    }

    func withIndex<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        index.withUnsafeBytes(body)
    }

    func readPictures(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        guard offset >= 0, offset + buffer.count <= pictures.count else { return false }
        pictures.withUnsafeBytes {
            buffer.copyMemory(from: .init(rebasing: $0[offset...].prefix(buffer.count)))
        }
        return true
    }

    /// Takes a segment into memory.
    final class Writer: SegmentWriter {
        private var pictures: [UInt8] = []

        func append(_ pictures: [UInt8]) -> Bool {
            self.pictures += pictures
            return true
        }

        func finish(index: [UInt8]) -> (any SegmentBytes)? {
            MemorySegment(index: index, pictures: pictures)
        }
    }
}
