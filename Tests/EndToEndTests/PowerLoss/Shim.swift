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

    /// Says what became of the call that a killed process was in, if it was in one.
    func resolve() throws {
        let data = FileManager.default.contents(atPath: trace) ?? Data()
        guard let last = try TraceEvent.unfinished(in: [UInt8](data)) else { return }
        let number = try? FileManager.default.attributesOfItem(atPath: last.path)[.systemFileNumber]
        let file = (number as? NSNumber)?.uint64Value ?? 0
        let content = FileManager.default.contents(atPath: last.path) ?? Data()
        let isDone: Bool
        switch last.kind {
        case .create, .makeFolder: isDone = FileManager.default.fileExists(atPath: last.path)
        case .rename, .unlink: isDone = !FileManager.default.fileExists(atPath: last.path)
        case .truncate: isDone = content.count == last.offset
        default: isDone = Data(content.dropFirst(last.offset)).starts(with: last.data)
        }
        let result: Int32 = isDone ? Int32(last.data.count) : -1
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: trace))
        try handle.seekToEnd()
        try handle.write(contentsOf: TraceEvent.outcome(result, file: file))
        try handle.close()
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
