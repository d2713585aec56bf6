import Foundation
import Service

/// A system that passes requests on to workers, started as processes.
final class QueueSystem {
    let name: String
    private let port: Int
    private let processes: [ChildProcess]
    private let connect: (Int, Int) throws -> any LoadConnection
    /// The process that passes requests on, for its own share of the cost; none for the raw echo.
    private let broker: ChildProcess

    private init(
        name: String, port: Int, processes: [ChildProcess],
        connect: @escaping (Int, Int) throws -> any LoadConnection
    ) {
        self.name = name
        self.port = port
        self.processes = processes
        self.connect = connect
        broker = processes[0]
    }

    func connection(size: Int) throws -> any LoadConnection { try connect(port, size) }
    var brokerSeconds: Double { broker.processorSeconds }
    var allSeconds: Double { processes.reduce(0) { $0 + $1.processorSeconds } }
    /// Of the broker, now.
    var residentMegabytes: Double { broker.residentMegabytes }
    var brokerIdentifier: pid_t { broker.identifier }
    /// The broker on the first core, the others on the second.
    func pin() throws {
        for process in processes {
            try Pinning.pin(process.identifier, toCore: process === broker ? 0 : 1)
        }
    }
    func end() { for process in processes.reversed() { process.end() } }

    /// DEALER to a ROUTER that sends everything back.
    static func rawEcho(_ program: String, folder: String) throws -> QueueSystem {
        let port = try LoopbackAddress.freePorts()
        let echo = try ChildProcess(
            program, ["echo", "tcp://127.0.0.1:\(port)"], name: "raw-echo", folder: folder)
        try echo.waitForPort(port)
        return QueueSystem(name: "raw-echo", port: port, processes: [echo]) {
            try BrokerConnection(port: $0, size: $1)
        }
    }

    /// `zmq_proxy` or the minimal broker of `brk.c`, each with its own worker.
    static func minimal(
        _ program: String, isProxy: Bool, folder: String
    ) throws -> QueueSystem {
        let port = try LoopbackAddress.freePorts(2)
        let name = isProxy ? "zmq-proxy" : "minimal-c"
        let (front, back) = ("tcp://127.0.0.1:\(port)", "tcp://127.0.0.1:\(port + 1)")
        let broker = try ChildProcess(
            program, [isProxy ? "proxy" : "lru", front, back], name: name, folder: folder)
        try broker.waitForPort(port)
        let worker = try ChildProcess(
            program, isProxy ? ["dworker", back] : ["lworker", back, "64"],
            name: "\(name)-worker", folder: folder)
        return QueueSystem(name: name, port: port, processes: [broker, worker]) {
            try BrokerConnection(port: $0, size: $1)
        }
    }

    /// The router of this package, recording or not, with CURVE or without.
    static func sightline(
        records: Bool = false, hasKeys: Bool = false, folder: String
    ) throws -> QueueSystem {
        let port = try LoopbackAddress.freePorts(3)
        let name =
            hasKeys ? "sightline-curve" : records ? "sightline-recording" : "sightline"
        var arguments = [
            "router", "--listen", "127.0.0.1:\(port)", "--journal", "127.0.0.1:\(port + 2)",
        ]
        if records {
            arguments += ["--record", "\(folder)/recording", "--record-max-bytes", "268435456"]
        }
        var workerArguments = ["echo-worker", "--port", "\(port + 1)", "--credit", "64"]
        var keys: LoadKeys?
        if hasKeys {
            let pair = "\(folder)/router\(KeyFile.secretEnding)"
            _ = try KeyFile.create(at: "\(folder)/router")
            try Data().write(to: URL(fileURLWithPath: "\(folder)/allowed"))
            arguments += ["--key", pair, "--allowed", "\(folder)/allowed"]
            workerArguments += ["--key", pair]
            keys = try LoadKeys(file: pair)
        }
        let router = try ChildProcess(
            Programs.sightline, arguments, name: name, folder: folder)
        try router.waitForPort(port + 1)
        let worker = try ChildProcess(
            Programs.own, workerArguments, name: "\(name)-worker", folder: folder)
        return QueueSystem(name: name, port: port, processes: [router, worker]) {
            try SightlineConnection(port: $0, size: $1, keys: keys)
        }
    }

    /// nats-server with a queue group of one.
    static func nats(_ program: String, name: String, folder: String) throws -> QueueSystem {
        let port = try LoopbackAddress.freePorts()
        let file = "\(folder)/\(name).conf"
        // Its own limit is 1 MiB with the headers; the largest body here is half of that.
        try Data("listen: \"127.0.0.1:\(port)\"\n".utf8).write(to: URL(fileURLWithPath: file))
        let server = try ChildProcess(program, ["-c", file], name: name, folder: folder)
        try server.waitForPort(port)
        let worker = try ChildProcess(
            Programs.own, ["nats-worker", "--port", "\(port)"], name: "\(name)-worker",
            folder: folder)
        return QueueSystem(name: name, port: port, processes: [server, worker]) {
            try NATSConnection(port: $0, size: $1)
        }
    }
}
