import Foundation
import Messages

/// A file read byte by byte, a block at a time.
struct ByteFile {
    private let handle: FileHandle
    private let path: String
    private var block: [UInt8] = []
    private var index = 0

    /// - Throws: `ConfigurationError` if there is no such file, or it cannot be read.
    init(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw ConfigurationError("cannot read '\(path)': there is no such file")
        }
        // Rows are counted before they are read: a pipe would be empty by then.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigurationError("cannot read '\(path)': it is no file but a folder or a pipe")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw ConfigurationError("cannot read '\(path)'")
        }
        self.handle = handle
        self.path = path
    }

    /// The next byte; nil at the end.
    mutating func next() throws -> UInt8? {
        if index == block.count {
            guard let data = try handle.read(upToCount: 1 << 16), !data.isEmpty else { return nil }
            block = Array(data)
            index = 0
        }
        defer { index += 1 }
        return block[index]
    }

    /// The next byte, which stays; nil at the end.
    mutating func peek() throws -> UInt8? {
        guard let byte = try next() else { return nil }
        index -= 1
        return byte
    }

    /// Leaves out the mark with which some programs begin UTF-8.
    mutating func skipByteOrderMark() throws {
        guard try peek() == 0xEF, block.count >= 3, block[1] == 0xBB, block[2] == 0xBF else {
            return
        }
        index = 3
    }
}

/// A file read line by line; a line that is too long is told and left out.
struct LineFile {
    enum Line {
        case bytes([UInt8])
        /// It has more than `Limits.importRowBytesMax` bytes.
        case tooLong
    }

    private var file: ByteFile
    /// The number of the line read last, from 1 on.
    private(set) var number = 0

    init(_ path: String) throws {
        file = try ByteFile(path)
        try file.skipByteOrderMark()
    }

    /// The next line without its end; nil behind the last.
    mutating func next() throws -> Line? {
        guard var byte = try file.next() else { return nil }
        number += 1
        var line: [UInt8] = []
        var isTooLong = false
        while byte != UInt8(ascii: "\n") {
            if line.count < Limits.importRowBytesMax {
                line.append(byte)
            } else {
                isTooLong = true
            }
            guard let following = try file.next() else { break }
            byte = following
        }
        return isTooLong ? .tooLong : .bytes(line)
    }
}
