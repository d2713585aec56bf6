import Locking
import Matching
import Synchronization

/// Keeps segments in memory, as a file would.
final class MemoryKeeper: SegmentKeeper {
    private let kept = Locked([KeptSegment]())

    var segments: [KeptSegment] { kept.withLock { $0 } }

    func writer() -> (any SegmentWriter)? { Writer(self) }

    private func keep(_ segment: KeptSegment) { kept.withLock { $0.append(segment) } }

    private final class Writer: SegmentWriter {
        private let keeper: MemoryKeeper
        private var pictures: [UInt8] = []

        init(_ keeper: MemoryKeeper) { self.keeper = keeper }

        func append(_ pictures: [UInt8]) -> Bool {
            self.pictures += pictures
            return true
        }

        func finish(index: [UInt8]) -> (any SegmentBytes)? {
            let segment = KeptSegment(index: index, pictures: pictures)
            keeper.keep(segment)
            return segment
        }
    }
}

/// A segment whose bytes a test may spoil.
final class KeptSegment: SegmentBytes {
    private let index: [UInt8]
    private let pictures: [UInt8]
    private let isBroken = Atomic<Bool>(false)

    init(index: [UInt8], pictures: [UInt8]) {
        self.index = index
        self.pictures = pictures
    }

    func withIndex<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        index.withUnsafeBytes(body)
    }

    func readPictures(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        guard !isBroken.load(ordering: .relaxed), offset + buffer.count <= pictures.count else {
            return false
        }
        buffer.copyBytes(from: pictures[offset..<offset + buffer.count])
        return true
    }

    /// A copy with one byte of the index changed.
    func changed(_ at: Int, to value: UInt8) -> KeptSegment {
        var bytes = index
        bytes[at] = value
        return KeptSegment(index: bytes, pictures: pictures)
    }

    /// A copy whose index ends early.
    func cut(to count: Int) -> KeptSegment {
        KeptSegment(index: Array(index.prefix(count)), pictures: pictures)
    }

    /// From now on no picture can be read.
    func breakPictures() { isBroken.store(true, ordering: .relaxed) }
}
