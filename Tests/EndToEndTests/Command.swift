import Foundation
import TestSupport

/// The built command, run as a process of its own.
struct Command {
    /// Beside the test's own executable.
    static let path: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: own).deletingLastPathComponent().appending(path: "sightline")
            .path
    }()

    /// What a finished command left behind.
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs to the end.
    static func run(_ arguments: [String], executable: String = path) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.environment = environment
        let output = try TemporaryFile()
        let errors = try TemporaryFile()
        process.standardOutput = output.handle
        process.standardError = errors.handle
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: output.text(), errors: errors.text())
    }

    static var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        for name in environment.keys where name.hasPrefix("SIGHTLINE_") { environment[name] = nil }
        environment["XDG_CONFIG_HOME"] = "/nonexistent"
        return environment
    }
}

/// A file for a process to write to: a pipe would stop it once nobody reads.
struct TemporaryFile {
    let path: String
    let handle: FileHandle

    init() throws {
        path = NSTemporaryDirectory() + "sightline-" + UUID().uuidString
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    /// What was written; the file is removed.
    func text() -> String {
        let data = FileManager.default.contents(atPath: path) ?? Data()
        try? FileManager.default.removeItem(atPath: path)  // nothing is lost if it stays
        return String(decoding: data, as: UTF8.self)
    }
}

/// A running server process; killed when it goes out of use.
final class ServerProcess {
    private let process = Process()
    private let output: TemporaryFile
    private let errors: TemporaryFile

    /// Starts a role, with more in its environment, and through another command if one is named.
    init(
        _ arguments: [String], environment: [String: String] = [:], wrapper: [String] = [],
        program: String = Command.path
    ) throws {
        output = try TemporaryFile()
        errors = try TemporaryFile()
        let isWrapped = !wrapper.isEmpty
        process.executableURL = URL(
            fileURLWithPath: isWrapped ? "/usr/bin/env" : program)
        process.arguments = isWrapped ? wrapper + [program] + arguments : arguments
        process.environment = Command.environment.merging(environment) { $1 }
        process.standardOutput = output.handle
        process.standardError = errors.handle
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        _ = (output.text(), errors.text())
    }

    /// What it has logged so far.
    func log() throws -> String { try String(contentsOfFile: errors.path, encoding: .utf8) }
    /// What it has written so far.
    func written() throws -> String { try String(contentsOfFile: output.path, encoding: .utf8) }
    /// Descriptors that it has open.
    var openFiles: Int {
        let path = "/proc/\(process.processIdentifier)/fd"
        return (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0
    }
    var identifier: pid_t { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    /// Kilobytes of resident memory.
    var residentKilobytes: Int {
        let status =
            (try? String(
                contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    /// Ends it without warning.
    func killNow() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
    /// Asks it to stop.
    func terminate() { kill(process.processIdentifier, SIGTERM) }
    /// Waits for its end and says how it ended.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
