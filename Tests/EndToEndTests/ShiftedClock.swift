import Foundation
import TestSupport

/// A wall clock for other processes that can be set while they run.
struct ShiftedClock {
    private let library: String
    private let file: String

    /// Compiles what shifts the clock, once for a folder.
    init(folder: String) throws {
        library = "\(folder)/shift.so"
        file = "\(folder)/shift-\(UUID().uuidString)"
        try Data(count: 8).write(to: URL(fileURLWithPath: file))
        guard !FileManager.default.fileExists(atPath: library) else { return }
        let compiled = try Command.run(
            [
                "clang", "-O1", "-shared", "-fPIC", "-o", library,
                PackageRoot.path("Tests/ClockShift/shift.c"), "-ldl",
            ], executable: "/usr/bin/env")
        guard compiled.status == 0 else { throw NotCompiled(output: compiled.errors) }
    }

    /// The compiler refused.
    struct NotCompiled: Error {
        let output: String
    }

    /// What a process is started with so that this is its clock.
    var environment: [String: String] {
        ["LD_PRELOAD": library, "CLOCK_SHIFT_FILE": file]
    }

    /// Sets the clock so many seconds ahead of the right one, in one write.
    func set(_ seconds: Int64) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try handle.write(contentsOf: withUnsafeBytes(of: seconds) { Data($0) })
        try handle.close()
    }
}
