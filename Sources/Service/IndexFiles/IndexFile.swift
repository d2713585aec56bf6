import Foundation
import Matching
import XXHash

/// A segment of a print collection in a file: the part that every search scans is mapped, pictures
/// are read where they stand. The file may lose its name while it is used.
package final class IndexFile: SegmentBytes, @unchecked Sendable {
    /// Its name in its folder.
    package let name: String
    private let descriptor: Int32
    private let pictureBytes: Int
    /// The mapped index, of which nothing is ever written: it may be used by several threads.
    private let index: UnsafeRawBufferPointer

    /// Opens a file and checks every byte, which also brings it into memory.
    ///
    /// - Throws: `IndexFileFault` if it cannot be read, is damaged, or of another version.
    convenience init(checking name: String, in folder: String) throws(IndexFileFault) {
        let descriptor = try Self.open(name, in: folder)
        do throws(IndexFileFault) {
            let lengths = try Self.check(descriptor)
            try self.init(name, descriptor, pictures: lengths.pictures, index: lengths.index)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Opens a file that was just written.
    convenience init(
        _ name: String, in folder: String, pictures: Int, index: Int
    ) throws(IndexFileFault) {
        let descriptor = try Self.open(name, in: folder)
        do throws(IndexFileFault) {
            try self.init(name, descriptor, pictures: pictures, index: index)
        } catch {
            close(descriptor)
            throw error
        }
    }

    private init(
        _ name: String, _ descriptor: Int32, pictures: Int, index: Int
    ) throws(IndexFileFault) {
        // What is scanned is read now: the first search takes no longer than the next ones.
        let start = mmap(
            nil, index, PROT_READ, MAP_SHARED | Int32(MAP_POPULATE), descriptor,
            off_t(IndexFileFormat.paged(pictures)))
        guard let start, start != MAP_FAILED else { throw IndexFileFault.system("map", name) }
        // Pictures are read here and there: what stands beside them is not wanted.
        posix_fadvise(descriptor, 0, off_t(IndexFileFormat.paged(pictures)), POSIX_FADV_RANDOM)
        self.name = name
        self.descriptor = descriptor
        self.pictureBytes = pictures
        self.index = UnsafeRawBufferPointer(start: start, count: index)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: index.baseAddress), index.count)
        close(descriptor)
    }

    /// Runs `body` on the mapped part.
    package func withIndex<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        body(index)
    }

    /// Reads a part of the pictures' part.
    package func readPictures(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        guard offset >= 0, offset + buffer.count <= pictureBytes else { return false }
        return Self.read(descriptor, at: offset, into: buffer)
    }

    private static func open(_ name: String, in folder: String) throws(IndexFileFault) -> Int32 {
        let descriptor = Foundation.open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .system("open", name) }
        return descriptor
    }

    /// The lengths of the parts of a file whose bytes have the hash that it states.
    private static func check(
        _ descriptor: Int32
    ) throws(IndexFileFault) -> (pictures: Int, index: Int) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system("stat", "a file") }
        let total = Int(status.st_size)
        var foot = [UInt8](repeating: 0, count: IndexFileFormat.footBytes)
        let footAt = total - foot.count
        guard footAt >= 0, foot.withUnsafeMutableBytes({ read(descriptor, at: footAt, into: $0) }),
            let lengths = IndexFileFormat.lengths(of: foot, fileBytes: total)
        else { throw IndexFileFault("it does not end like an index file of this version") }
        let hash = XXHashStream()
        var block = [UInt8](repeating: 0, count: 1 << 20)
        var done = 0
        while done < footAt {
            let count = min(block.count, footAt - done)
            let isRead = block.withUnsafeMutableBytes { buffer in
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
                guard read(descriptor, at: done, into: part) else { return false }
                hash.update(UnsafeRawBufferPointer(part))
                return true
            }
            guard isRead else { throw .system("read", "a file") }
            done += count
        }
        foot.withUnsafeBytes { hash.update(.init(rebasing: $0.prefix(32))) }
        guard hash.finish() == foot.suffix(16) else {
            throw IndexFileFault("its bytes do not have its hash")
        }
        return lengths
    }

    private static func read(
        _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) -> Bool {
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}

extension IndexFileFault {
    /// From the system's error number.
    static func system(_ operation: String, _ name: String) -> IndexFileFault {
        IndexFileFault("\(operation) \(name): \(String(cString: strerror(errno)))")
    }
}
