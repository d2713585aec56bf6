import Bytes
import Foundation
import Messages
import Queue
import Service

/// What one request costs the router's own code: decoding, the state machine and encoding of both
/// directions, without sockets; where to look before and after a change of them.
enum HopBench: Benchmark {
    static let name = "hop"
    static let summary = "the router's state machine and wire code alone, a request and its reply"
    static let options = ["window", "requests", "rounds"]

    static func run(_ options: BenchOptions) throws {
        let window = try options.count("window", default: 64)
        let requests = try options.count("requests", default: 50_000)
        let rounds = try options.count("rounds", default: 5)
        var hop = try Hop(bodyBytes: 256)
        var samples: [Double] = []
        for _ in 0..<rounds {
            let start = ProcessorTime.ofSelf()
            try hop.run(requests: requests, window: window)
            samples.append((ProcessorTime.ofSelf() - start) / Double(requests) * 1e6)
        }
        let median = Figure.of(Measures.median(samples), digits: 2)
        print("256 bytes, window \(window): \(median) µs of processor time a request")
    }
}

/// A client, a router and an echoing worker, joined by frames.
private struct Hop {
    private static let service = "bench.echo"
    private let client = Peer(side: .client, routingID: [0, 1, 2, 3, 4])
    private let worker = Peer(side: .worker, routingID: [0, 5, 6, 7, 8])
    private var router: Router
    private var request: [UInt8]
    private var answer: [UInt8]
    private let body: SharedBytes
    private var actions: [RouterAction] = []
    private var number: UInt64 = 0
    private var time: UInt64 = 1_000_000_000

    init(bodyBytes: Int) throws {
        let identity = Identity(high: 1, low: 1)
        var configuration = RouterConfiguration(identity: identity, incarnation: 7)
        configuration.hasJournal = false
        configuration.settleMilliseconds = 0
        let hash = ContentHash(bytes: [UInt8](repeating: 0, count: ContentHash.byteCount))
        guard let hash else { throw BenchError(.answer, "no hash") }
        router = Router(configuration) { _ in hash }
        let bytes =
            Array("[".utf8) + [UInt8](repeating: 0x30, count: max(bodyBytes, 2) - 2)
            + Array("]".utf8)
        body = SharedBytes(bytes)
        var message = Message(Header(.request, budgetMilliseconds: 60_000), body: bytes)
        message.fields.set(.service, text: Self.service)
        request = message.frames()[0]
        var final = Message(Header(.final))
        final.fields.set(
            .items,
            MergeItem.encode([
                MergeItem(sortKey: [0], unionKey: [0], json: Array(bytes[1..<(bytes.count - 1)]))
            ]).list)
        answer = final.frames()[0]
        var hello = Message(Header(.hello))
        hello.fields.identity = Identity(high: 2, low: 2)
        hello.fields.set(.incarnation, integer: 1 as UInt64)
        hello.fields.set(.pingInterval, integer: Limits.pingIntervalMillisecondsMax)
        try take(hello.sharedFrames(), from: client)
        hello.fields.identity = Identity(high: 3, low: 3)
        hello.fields.set(.name, text: "echo")
        hello.fields.offers = [ServiceOffer(service: Self.service)]
        try take(hello.sharedFrames(), from: worker)
        var ready = Message(Header(.ready))
        ready.fields.set(.credit, integer: 64 as UInt32)
        try take(ready.sharedFrames(), from: worker)
    }

    private mutating func take(_ frames: [SharedBytes], from peer: Peer) throws {
        actions.removeAll(keepingCapacity: true)
        time += 2_000
        let now = Now(
            monotonic: MonotonicTime(nanoseconds: time),
            wall: Timestamp(milliseconds: Int64(time / 1_000_000)))
        router.handle(
            .message(try Message(frames: frames[...]), from: peer), at: now, into: &actions)
    }

    /// The messages of the actions, as frames.
    private func sent(to side: Peer.Side) -> [[SharedBytes]] {
        actions.compactMap { action in
            guard case .send(let message, let peer) = action, peer.side == side else { return nil }
            return message.sharedFrames()
        }
    }

    mutating func run(requests: Int, window: Int) throws {
        var done = 0
        while done < requests {
            var atWorker: [[SharedBytes]] = []
            for _ in 0..<window {
                number += 1
                BodyNumber.write(number, to: &request, at: 24)
                try take([SharedBytes(request), body], from: client)
                atWorker += sent(to: .worker)
            }
            for frames in atWorker {
                guard frames[0][6] == Command.request.rawValue else { continue }
                answer.replaceSubrange(16..<32, with: frames[0][16..<32])
                try take([SharedBytes(answer), frames[1]], from: worker)
                done += sent(to: .client).count
            }
            guard !atWorker.isEmpty else {
                throw BenchError(.answer, "nothing reached the worker: \(actions)")
            }
        }
    }
}
