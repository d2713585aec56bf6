import Foundation
import Matching
import XXHash

/// Writes one index file: under a temporary name until all of it is on the disk.
final class IndexFileWriter: SegmentWriter {
    /// What temporary names begin with.
    static let temporaryPrefix = "new-"
    private static let blockBytes = 1 << 20

    private let folder: String
    private let name: String
    private let log: Log
    private var descriptor: Int32
    private var block: [UInt8] = []
    private var written = 0
    private var isBroken = false
    private var hash: XXHashStream? = XXHashStream()

    /// Begins a file of a name in a folder; what goes wrong is logged, and nothing is kept then.
    init(_ name: String, in folder: String, log: Log) {
        self.name = name
        self.folder = folder
        self.log = log
        descriptor = open(
            "\(folder)/\(Self.temporaryPrefix)\(name)", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC,
            0o600)
        if descriptor < 0 { fail(.system("create", name)) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink("\(folder)/\(Self.temporaryPrefix)\(name)")
    }

    func append(_ pictures: [UInt8]) -> Bool {
        block += pictures
        if block.count >= Self.blockBytes { flush() }
        return !isBroken
    }

    func finish(index: [UInt8]) -> (any SegmentBytes)? {
        let pictures = written + block.count
        pad()
        block += index
        pad()
        let foot = IndexFileFormat.foot(pictures: pictures, index: index.count)
        block += foot
        flush()
        guard let hash = hash.take()?.finish(), !isBroken else { return nil }
        block = hash
        flush()
        do throws(IndexFileFault) {
            try takeName()
            return try IndexFile(name, in: folder, pictures: pictures, index: index.count)
        } catch {
            fail(error)
            return nil
        }
    }

    private func pad() {
        let length = written + block.count
        block += [UInt8](repeating: 0, count: IndexFileFormat.paged(length) - length)
    }

    /// Writes what was collected.
    private func flush() {
        hash?.update(block)
        var done = 0
        while done < block.count, !isBroken {
            let count = block.withUnsafeBytes { buffer in
                pwrite(
                    descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                    off_t(written + done))
            }
            if count > 0 { done += count }
            if count <= 0, errno != EINTR { fail(.system("write", name)) }
        }
        written += block.count
        block = []
    }

    /// Gives the file its name once it is on the disk.
    private func takeName() throws(IndexFileFault) {
        guard !isBroken, fdatasync(descriptor) == 0 else { throw .system("sync", name) }
        let temporary = "\(folder)/\(Self.temporaryPrefix)\(name)"
        guard rename(temporary, "\(folder)/\(name)") == 0 else { throw .system("rename", name) }
        close(descriptor)
        descriptor = -1
        let parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { throw .system("open", folder) }
        defer { close(parent) }
        guard fsync(parent) == 0 else { throw .system("sync", folder) }
    }

    private func fail(_ fault: IndexFileFault) {
        if !isBroken { log.warning("index file is not written", ["error": fault.description]) }
        isBroken = true
    }
}

extension XXHashStream {
    fileprivate func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }
}
