import Foundation

/// Redis with a stream, whose append-only file is synced before it answers.
final class RedisContender: AppendContender {
    let name = "Redis streams"
    private let process: ChildProcess
    private let connection: TCPConnection

    init(folder: String) throws {
        let port = try LoopbackAddress.freePorts()
        let data = "\(folder)/redis"
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        process = try ChildProcess(
            try Programs.prepared("BENCH_REDIS_SERVER"),
            [
                "--port", "\(port)", "--bind", "127.0.0.1", "--dir", data, "--save", "",
                "--appendonly", "yes", "--appendfsync", "always",
                "--auto-aof-rewrite-percentage", "0", "--daemonize", "no",
            ],
            name: "redis", folder: folder)
        try process.waitForPort(port)
        connection = try TCPConnection(port: port)
        try connection.write(Self.command(["CONFIG", "GET", "appendfsync"].map { Array($0.utf8) }))
        let lines = try (0..<5).map { _ in try connection.line() }
        guard lines.last == "always" else {
            throw BenchError(.program, "redis does not sync each write: \(lines)")
        }
    }

    var processorSeconds: Double { process.processorSeconds }

    /// The whole group is sent before the first answer is read.
    func append(_ group: [AppendSample]) throws {
        var bytes: [UInt8] = []
        for sample in group {
            let words = ["XADD", "bench", "*", "d"].map { Array($0.utf8) }
            bytes += Self.command(words + [sample.stored])
        }
        try connection.write(bytes)
        for _ in group {
            let line = try connection.line()
            guard line.hasPrefix("$"), let count = Int(line.dropFirst()), count > 0 else {
                throw BenchError(.answer, "redis: \(line)")
            }
            _ = try connection.bytes(count + 2)
        }
    }

    private static func command(_ words: [[UInt8]]) -> [UInt8] {
        var bytes = Array("*\(words.count)\r\n".utf8)
        for word in words { bytes += Array("$\(word.count)\r\n".utf8) + word + [0x0D, 0x0A] }
        return bytes
    }
}
