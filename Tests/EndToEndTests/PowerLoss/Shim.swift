import Foundation
import TestSupport

/// The library of `Tests/PowerLoss`, built once, and what it wrote down about a process.
struct Shim {
    /// The folder whose files are watched.
    let folder: String
    /// Where the events are.
    let trace: String

    /// The environment of a process that is to be watched.
    func environment(_ more: [String: String] = [:]) throws -> [String: String] {
        let own = [
            "LD_PRELOAD": try Self.library.get(), "POWERLOSS_FOLDER": folder,
            "POWERLOSS_TRACE": trace,
        ]
        return own.merging(more) { $1 }
    }

    /// What happened so far.
    func events() throws -> [TraceEvent] {
        let data = FileManager.default.contents(atPath: trace) ?? Data()
        return try TraceEvent.all(in: [UInt8](data))
    }

    struct NotBuilt: Error, CustomStringConvertible { let description: String }

    private static let library: Result<String, any Error> = Result {
        let path = NSTemporaryDirectory() + "sightline-powerloss-\(getpid()).so"
        let result = try Command.run(
            [
                "clang", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", path,
                PackageRoot.path("Tests/PowerLoss/shim.c"), "-ldl", "-lpthread",
            ], executable: "/usr/bin/env")
        guard result.status == 0 else { throw NotBuilt(description: result.errors) }
        return path
    }
}

/// One thing that a watched process did.
struct TraceEvent {
    enum Kind: UInt8 {
        case create = 67  // C
        case write = 87  // W
        case truncate = 84  // T
        case syncBegin = 83  // S
        case syncEnd = 69  // E
        case rename = 82  // R
        case unlink = 85  // U
        case makeFolder = 77  // M
        case send = 78  // N
    }

    let kind: Kind
    let result: Int32
    /// The file's number in its file system, or the socket.
    let file: UInt64
    /// Of a write; the new size of a truncation.
    let offset: Int
    let path: String
    let second: String
    let data: ArraySlice<UInt8>

    struct BadTrace: Error { let offset: Int }

    static func all(in bytes: [UInt8]) throws -> [TraceEvent] {
        var events: [TraceEvent] = []
        var index = 0
        let headBytes = 33
        while index + headBytes <= bytes.count {
            func integer<Value: FixedWidthInteger>(_ at: Int, _: Value.Type) -> Value {
                bytes.withUnsafeBytes {
                    $0.loadUnaligned(fromByteOffset: index + at, as: Value.self)
                }
            }
            guard let kind = Kind(rawValue: bytes[index]) else { throw BadTrace(offset: index) }
            let lengths = [21, 25, 29].map { Int(integer($0, UInt32.self)) }
            var start = index + headBytes
            guard start + lengths.reduce(0, +) <= bytes.count else { break }
            let parts = lengths.map { length in
                defer { start += length }
                return bytes[start..<start + length]
            }
            events.append(
                TraceEvent(
                    kind: kind, result: integer(1, Int32.self), file: integer(5, UInt64.self),
                    offset: Int(integer(13, UInt64.self)),
                    path: String(decoding: parts[0], as: UTF8.self),
                    second: String(decoding: parts[1], as: UTF8.self), data: parts[2]))
            index = start
        }
        return events
    }
}
