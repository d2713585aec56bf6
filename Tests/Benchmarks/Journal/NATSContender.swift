import Foundation

/// nats-server with JetStream, which syncs each message before it acknowledges.
final class NATSContender: AppendContender {
    let name = "NATS JetStream"
    private let process: ChildProcess
    private let connection: TCPConnection
    private static let stream = "BENCH"

    init(folder: String) throws {
        let port = try LoopbackAddress.freePorts()
        let configuration = """
            listen: "127.0.0.1:\(port)"
            jetstream { store_dir: "\(folder)/nats", sync_interval: always }
            """
        let file = "\(folder)/nats.conf"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: file))
        process = try ChildProcess(
            try Programs.prepared("BENCH_NATS_SERVER"), ["-c", file], name: "nats", folder: folder)
        try process.waitForPort(port)
        connection = try TCPConnection(port: port)
        _ = try connection.line()
        try write("CONNECT {\"verbose\":false,\"pedantic\":false,\"lang\":\"bench\"}\r\n")
        try write("SUB _INBOX.bench.* 1\r\n")
        let stream = """
            {"name":"\(Self.stream)","subjects":["bench.records"],"storage":"file",\
            "retention":"limits","num_replicas":1}
            """
        try publish(Array(stream.utf8), to: "$JS.API.STREAM.CREATE.\(Self.stream)")
        try take(1)
    }

    var processorSeconds: Double { process.processorSeconds }

    func append(_ group: [AppendSample]) throws {
        for sample in group { try publish(sample.stored, to: "bench.records") }
        try take(group.count)
    }

    private func write(_ text: String) throws { try connection.write(Array(text.utf8)) }

    private func publish(_ payload: [UInt8], to subject: String) throws {
        let head = "PUB \(subject) _INBOX.bench.a \(payload.count)\r\n"
        try connection.write(Array(head.utf8) + payload + [0x0D, 0x0A])
    }

    /// Waits for answers, which are JSON with `error` where something is wrong.
    private func take(_ count: Int) throws {
        var missing = count
        while missing > 0 {
            let line = try connection.line()
            if line == "PING" {
                try write("PONG\r\n")
                continue
            }
            if line == "PONG" || line.hasPrefix("INFO") { continue }
            guard line.hasPrefix("MSG "), let size = line.split(separator: " ").last,
                let bytes = Int(size)
            else { throw BenchError(.answer, "nats-server: \(line)") }
            let answer = String(decoding: try connection.bytes(bytes + 2), as: UTF8.self)
            guard !answer.contains("\"error\"") else {
                throw BenchError(.answer, "nats-server: \(answer)")
            }
            missing -= 1
        }
    }
}
