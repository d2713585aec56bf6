import Foundation

/// Pillow and libvips in a Python process.
final class PicturesPeer {
    private let process = Process()
    private let requests = Pipe()
    private let answers = Pipe()

    /// Starts the peer with a Python that has what `requirements.txt` names.
    init(_ python: String) throws {
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [Self.script, "serve"]
        process.standardInput = requests
        process.standardOutput = answers
        try process.run()
        Started.add(process.processIdentifier)
    }

    /// Processor milliseconds of reading a picture.
    func milliseconds(_ reader: String, _ path: String) throws -> Double {
        try requests.fileHandleForWriting.write(contentsOf: Data("\(reader) \(path)\n".utf8))
        var line: [UInt8] = []
        while let byte = try answers.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
            line.append(byte)
        }
        let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard parts.count == 4, let time = Double(parts[0]) else {
            throw BenchError(.answer, "\(reader): '\(String(decoding: line, as: UTF8.self))'")
        }
        return time
    }

    deinit {
        try? requests.fileHandleForWriting.close()
        process.waitUntilExit()
        Started.forget(process.processIdentifier)
    }

    /// Kilobytes that a process grows by at its peak while it reads a picture.
    static func peak(_ python: String, _ reader: String, _ path: String) throws -> Double {
        let text = try run(python, ["peak", reader, path])
        guard let kilobytes = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchError(.answer, "\(reader): \(text)")
        }
        return kilobytes
    }

    /// Runs the script to its end, and gives what it printed.
    @discardableResult
    static func run(_ python: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [script] + arguments
        process.standardOutput = output
        try process.run()
        Started.add(process.processIdentifier)
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        Started.forget(process.processIdentifier)
        guard process.terminationStatus == 0 else {
            throw BenchError(.program, "\(arguments) ended with \(process.terminationStatus)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "peer.py").path
}
