import Foundation

/// A program that is measured: started here, and ended by its id.
final class ChildProcess {
    private let process = Process()
    private let output: String
    private static let endSeconds = 10.0

    /// Starts a program; what it writes goes to a file in `folder`.
    init(_ program: String, _ arguments: [String], name: String, folder: String) throws {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw BenchError(.program, "no program '\(program)'; deploy/bench prepares all of them")
        }
        output = "\(folder)/\(name).output"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = Self.environment
        process.standardOutput = handle
        process.standardError = handle
        process.standardInput = FileHandle.nullDevice
        try process.run()
        Started.add(process.processIdentifier)
    }

    deinit { end() }

    var identifier: pid_t { process.processIdentifier }
    /// Seconds of processor time so far.
    var processorSeconds: Double { ProcessorTime.of(identifier) }
    /// Megabytes of resident memory, at most so far.
    var peakMegabytes: Double { megabytes("VmHWM:") }
    /// Megabytes of resident memory now.
    var residentMegabytes: Double { megabytes("VmRSS:") }

    private func megabytes(_ name: String) -> Double {
        let status = (try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8))
        let line = status?.split(separator: "\n").first { $0.hasPrefix(name) }
        return Double(line?.split(separator: " ").dropFirst().first ?? "").map { $0 / 1_024 } ?? 0
    }
    /// What the program has written.
    var text: String {
        String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
    }

    /// Waits until something is so.
    func wait(_ what: String, seconds: Double = 30, until isSo: () throws -> Bool) throws {
        let end = Clock.seconds() + seconds
        while try !isSo() {
            guard process.isRunning, Clock.seconds() < end else {
                throw BenchError(
                    .program, "\(what) is not so within \(seconds) s: \(text.suffix(600))")
            }
            usleep(5_000)
        }
    }

    /// Waits until something listens on a port of this machine.
    func waitForPort(_ port: Int) throws {
        try wait("port \(port) listens") {
            guard let connection = try? TCPConnection(port: port) else { return false }
            connection.close()
            return true
        }
    }

    /// Waits until it ends by itself.
    func waitForEnd(seconds: Double) throws {
        let end = Clock.seconds() + seconds
        while process.isRunning {
            guard Clock.seconds() < end else {
                throw BenchError(
                    .program, "it does not end within \(seconds) s: \(text.suffix(600))")
            }
            usleep(2_000)
        }
    }

    /// Asks it to stop, and makes it stop if it does not.
    func end() {
        guard process.isRunning else { return Started.forget(identifier) }
        kill(identifier, SIGTERM)
        let end = Clock.seconds() + Self.endSeconds
        while process.isRunning, Clock.seconds() < end { usleep(5_000) }
        if process.isRunning { kill(identifier, SIGKILL) }
        process.waitUntilExit()
        Started.forget(identifier)
    }

    private static var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        for name in environment.keys where name.hasPrefix("SIGHTLINE_") { environment[name] = nil }
        environment["XDG_CONFIG_HOME"] = "/nonexistent"
        return environment
    }
}
