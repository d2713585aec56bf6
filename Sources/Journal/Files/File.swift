internal import Glibc

/// One open file; closed, and its lock with it, at the last reference.
///
/// Reads and writes name their offset, so that several threads may use one file.
final class File: Sendable {
    /// How to open a file.
    enum Access {
        case read
        /// Created if it does not exist.
        case write
        /// Must not exist yet.
        case createNew
    }

    let path: String
    private let descriptor: Int32
    private let probe: DiskProbe

    init(_ path: String, _ access: Access, _ probe: DiskProbe) throws(JournalError) {
        self.path = path
        self.probe = probe
        let flags =
            switch access {
            case .read: O_RDONLY
            case .write: O_RDWR | O_CREAT
            case .createNew: O_RDWR | O_CREAT | O_EXCL
            }
        // What is stored is personal: nobody else may read it.
        descriptor = retrying { Glibc.open(path, flags | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw JournalError(errno, "open", path) }
    }

    deinit {
        // A child that is just being started may share the descriptor for a moment, and closing
        // would not release a lock then.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    func size() throws(JournalError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw JournalError(errno, "stat", path) }
        return Int(status.st_size)
    }

    /// Bytes at an offset; fewer where the file ends.
    func read(at offset: Int, count: Int) throws(JournalError) -> [UInt8] {
        guard count > 0 else { return [] }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            while done < count, let start = buffer.baseAddress {
                let result = retrying {
                    pread(descriptor, start + done, count - done, off_t(offset + done))
                }
                if result < 0 { failure = errno }
                if result <= 0 { break }
                done += result
            }
        }
        guard failure == 0 else { throw JournalError(failure, "read", path) }
        return bytes
    }

    /// Writes all of the bytes.
    func write(_ bytes: [UInt8], at offset: Int) throws(JournalError) {
        try ask(.write)
        var done = 0
        while done < bytes.count {
            let result = bytes.withUnsafeBytes { buffer in
                retrying {
                    pwrite(
                        descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done,
                        off_t(offset + done))
                }
            }
            guard result >= 0 else { throw JournalError(errno, "write", path) }
            done += result
        }
    }

    /// Begins to write to the disk what is only in memory, without waiting for it.
    ///
    /// Linux starts writing dirty pages when it is told that they are not needed; sync_file_range,
    /// which says so outright, is not visible to Swift. Only advice, so the result is no matter.
    func beginSync() { _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) }

    /// Returns once everything written is on the disk.
    func sync() throws(JournalError) {
        try ask(.sync)
        guard retrying({ fdatasync(descriptor) }) == 0 else {
            throw JournalError(errno, "sync", path)
        }
    }

    func truncate(to size: Int) throws(JournalError) {
        guard retrying({ ftruncate(descriptor, off_t(size)) }) == 0 else {
            throw JournalError(errno, "truncate", path)
        }
    }

    /// Keeps every other process and every other `File` from locking; false if one did already.
    func lock() throws(JournalError) -> Bool {
        if retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw JournalError(errno, "lock", path) }
        return false
    }

    private func ask(_ operation: DiskOperation) throws(JournalError) {
        let failure = probe.check(operation, path)
        guard failure == 0 else { throw JournalError(failure, operation.rawValue, path) }
    }
}

/// Calls again for as long as a signal interrupts the call.
func retrying<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

extension JournalError {
    /// From an error number, the operation and the path.
    init(_ number: Int32, _ operation: String, _ path: String) {
        let code: Code =
            switch number {
            case ENOENT, ENOTDIR: .notFound
            case ENOSPC, EDQUOT, EFBIG: .noSpace
            case EACCES, EPERM, EROFS: .notPermitted
            default: .inputOutput
            }
        let words = strerror(number).map { String(cString: $0) } ?? "error \(number)"
        self.init(code, "\(operation) \(path): \(words)")
    }
}
