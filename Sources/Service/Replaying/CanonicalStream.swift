import Foundation
import Messages

/// The replies of a replay as lines of a file: number, outcome and canonical body, separated by
/// tabs, in the order of the recording.
///
/// Two replays of one recording write the same bytes, whatever their speed and workers.
public final class CanonicalStream {
    private let path: String
    private let handle: FileHandle
    private var places: [(number: UInt64, offset: UInt64, count: Int)] = []
    private var end: UInt64 = 0

    /// Begins a file, for its owner only; one of the same name is replaced.
    ///
    /// - Throws: `ConfigurationError` if it cannot be written.
    public init(path: String) throws {
        self.path = path
        handle = try FileHandle.forOwnerOnly(path)
    }

    /// Adds the reply of an exchange, if there is one.
    ///
    /// - Throws: As the system says.
    public func add(_ exchange: ReplayedExchange) throws {
        guard let reply = exchange.reply else { return }
        var line = Array("\(exchange.number)\t\(LoggedExchange.outcome(of: reply))\t".utf8)
        line += reply.body
        line.append(UInt8(ascii: "\n"))
        places.append((exchange.number, end, line.count))
        end += UInt64(line.count)
        try handle.write(contentsOf: line)
    }

    /// Puts the lines in order and closes the file.
    ///
    /// - Throws: As the system says.
    public func finish() throws {
        defer { try? handle.close() }  // everything is written by then
        let sorted = places.sorted { $0.number < $1.number }
        guard !zip(sorted, places).allSatisfy({ $0.number == $1.number }) else { return }
        let fresh = try FileHandle.forOwnerOnly(path + ".sorted")
        let written = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        for place in sorted {
            try written.seek(toOffset: place.offset)
            try fresh.write(contentsOf: try written.read(upToCount: place.count) ?? Data())
        }
        try fresh.close()
        try written.close()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".sorted", toPath: path)
    }
}

extension FileHandle {
    /// A new, empty file that only its owner may read.
    static func forOwnerOnly(_ path: String) throws -> FileHandle {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard
            FileManager.default.createFile(atPath: path, contents: nil, attributes: attributes),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw ConfigurationError("cannot write '\(path)'") }
        return handle
    }
}
