import Foundation

/// Keeps processes on one core each, so that what is measured does not wander.
enum Pinning {
    /// Moves all threads of a process, and those that it starts later, to a core.
    ///
    /// - Throws: `BenchError` if the system has no `taskset` or no such core.
    static func pin(_ process: pid_t, toCore core: Int) throws {
        let command = Process()
        command.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        command.arguments = ["taskset", "-a", "-c", "-p", "\(core)", "\(process)"]
        command.standardOutput = FileHandle.nullDevice
        try command.run()
        command.waitUntilExit()
        guard command.terminationStatus == 0 else {
            throw BenchError(.system, "process \(process) cannot be kept on core \(core)")
        }
    }
}
