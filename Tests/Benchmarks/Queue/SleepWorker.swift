import Dispatch
import Foundation
import Locking
import Messages
import Queue
import Service
import ZeroMQ

/// A worker with the real machine whose jobs sleep for as long as their bodies say, as a process
/// of its own: `{"sleep":MILLISECONDS}`, and `{"crash":true}` for one that takes its worker along.
enum SleepWorker: Benchmark {
    static let name = "sleep-worker"
    static let summary = "runs jobs that sleep"
    static let options = [
        "port", "name", "service", "credit", "concurrency", "idempotent", "slow-every",
        "slow-milliseconds", "grace",
    ]

    static func run(_ options: BenchOptions) throws {
        let isTold = Locked(false)
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
        source.setEventHandler { isTold.withLock { $0 = true } }
        source.resume()
        let loop = try SleepLoop(options)
        try loop.run { isTold.withLock { $0 } }
        source.cancel()
        print(loop.summary)
    }
}

/// The worker's machine and socket, and the jobs that sleep.
private final class SleepLoop {
    private var machine: Worker
    private let context: Context
    private var socket: Socket
    private let url: String
    private let slowEvery: Int
    private let slowMilliseconds: Int
    private var sleeping: [(id: JobID, ends: MonotonicTime, output: JobOutput)] = []
    private var isStopped = false
    private var started = 0
    private var startedLate = 0
    private static let waitMilliseconds = 10

    init(_ options: BenchOptions) throws {
        var random = SystemRandomNumberGenerator()
        let name = options["name"] ?? "sleeper"
        let isIdempotent = options["idempotent"] != "false"
        var configuration = WorkerConfiguration(
            identity: Identity(using: &random),
            incarnation: UInt64(SystemClock.wall().milliseconds), name: name,
            offers: [
                ServiceOffer(
                    service: options["service"] ?? "sleep", isIdempotent: isIdempotent),
                ServiceOffer(service: "status", part: name),
            ],
            credit: UInt32(try options.count("credit", default: 4)),
            concurrency: try options.count("concurrency", default: 1))
        configuration.graceMilliseconds = UInt64(try options.count("grace", default: 10_000))
        machine = Worker(configuration, routers: 1)
        context = try Context()
        url = "tcp://127.0.0.1:\(try options.count("port", default: 5571))"
        slowEvery = try options.count("slow-every", default: .max)
        slowMilliseconds = try options.count("slow-milliseconds", default: 1)
        socket = try Self.connect(url, context)
        step(.position(Position(epoch: 1, sequence: 1), isReady: true))
    }

    private static func connect(_ url: String, _ context: Context) throws -> Socket {
        var options = SocketOptions()
        options.immediate = false
        let socket = try Socket(context, .dealer, options: options)
        try socket.connect(url)
        return socket
    }

    var summary: String { "started \(started), without time \(startedLate)" }

    func run(isToldToStop: () -> Bool) throws {
        while !isStopped {
            _ = try Poller.wait(sockets: [socket], timeoutMilliseconds: timeout)
            for _ in 0..<64 {
                let received = try socket.receive(
                    framesMax: Limits.framesMax, bytesMax: Limits.messageBytesMax)
                guard case .message(let frames)? = received else { break }
                step(.message(try Message(frames: frames), link: 0))
            }
            wakeJobs()
            if isToldToStop() { step(.drain) }
            if let wake = machine.nextWake, wake <= SystemClock.monotonic() { step(.tick) }
        }
        socket.close()
        context.terminate()
    }

    private var timeout: Int {
        let now = SystemClock.monotonic()
        let wakes = sleeping.map(\.ends) + [machine.nextWake].compactMap(\.self)
        guard let wake = wakes.min() else { return Self.waitMilliseconds }
        return min(Self.waitMilliseconds, Int(wake.milliseconds(since: now)))
    }

    private func wakeJobs() {
        let now = SystemClock.monotonic()
        for job in sleeping where job.ends <= now {
            sleeping.removeAll { $0.id == job.id }
            step(.finished(job.id, .final(job.output)))
        }
    }

    /// Says the trace that the request belongs to.
    private func output(of job: Job) -> JobOutput {
        let trace = job.request.fields.text(.traceparent).map {
            ["traceparent": JSONValue.string($0)]
        }
        let json = JSONValue.object(trace ?? [:]).canonical()
        return JobOutput(items: [MergeItem(sortKey: [0], unionKey: [0], json: json)])
    }

    private func step(_ event: WorkerEvent) {
        var events = [event]
        while !events.isEmpty {
            var actions: [WorkerAction] = []
            machine.handle(events.removeFirst(), at: SystemClock.now(), into: &actions)
            for action in actions { perform(action, &events) }
        }
    }

    private func perform(_ action: WorkerAction, _ events: inout [WorkerEvent]) {
        switch action {
        case .send(let message, _):
            let isSent = (try? socket.send(message.frames())) == .sent  // else it is lost, as said
            if !isSent { events.append(.undeliverable(link: 0)) }
        case .start(let job): start(job)
        case .cancel(let id):
            guard let job = sleeping.first(where: { $0.id == id }) else { return }
            sleeping.removeAll { $0.id == id }
            events.append(.finished(id, .final(job.output)))
        case .reconnect:
            socket.close()
            if let fresh = try? Self.connect(url, context) { socket = fresh }  // the URL is good
        case .stopped: isStopped = true
        case .fact: break
        }
    }

    private func start(_ job: Job) {
        started += 1
        let now = SystemClock.monotonic()
        if job.deadline <= now { startedLate += 1 }
        let body = try? JSONValue(parsing: job.request.body)  // anything else sleeps for nothing
        if body?["crash"]?.bool == true { kill(getpid(), SIGKILL) }
        let isSlow = started % slowEvery == 0
        let milliseconds = isSlow ? slowMilliseconds : body?["sleep"]?.integer ?? 0
        sleeping.append((job.id, now.adding(milliseconds: milliseconds), output(of: job)))
    }
}
