import Dispatch
import Foundation
import Glibc
import Synchronization
import TestSupport
import ZeroMQ

/// One message that goes round and round: from an asker through a hub of two routers to an answerer
/// and back, with pauses of odd lengths. Now and then somebody wakes the hub by a pipe, so that it
/// sends to both without having been asked, and the hub opens and closes a third socket.
///
/// Everybody waits by `Poller` alone, and nothing but the message ends a wait: if one is missed,
/// all three wait until they complain.
final class OddChain: Sendable {
    private enum Word {
        static let extra: [UInt8] = [0]
        static let work: [UInt8] = [1]
        static let stop: [UInt8] = [2]
    }
    private struct Stall: Error {}

    private let context: Context
    private let transport: String
    private let seed: UInt64
    private let exchanges: Int
    private let stallMilliseconds: Int
    private let count = Atomic<Int>(0)
    private let started = Atomic<Int>(0)
    private let ended = DispatchSemaphore(value: 0)

    init(
        _ context: Context, transport: String, seed: UInt64, exchanges: Int,
        stallMilliseconds: Int
    ) {
        self.context = context
        self.transport = transport
        self.seed = seed
        self.exchanges = exchanges
        self.stallMilliseconds = stallMilliseconds
    }

    /// Answers that the asker got.
    var completed: Int { count.load(ordering: .acquiring) }

    func start() { run { try $0.beHub() } }
    /// Waits for the hub, the asker and the answerer.
    func join() {
        ended.wait()
        for _ in 1..<started.load(ordering: .acquiring) { ended.wait() }
    }

    private func run(_ body: @escaping @Sendable (OddChain) throws -> Void) {
        started.add(1, ordering: .releasing)
        let thread = Thread { [self] in
            // Whoever stalls is missing in `completed`.
            try? body(self)
            ended.signal()
        }
        thread.start()
    }

    // MARK: The hub

    private func beHub() throws {
        let front = try Socket(context, .router, options: Self.options)
        let back = try Socket(context, .router, options: Self.options)
        let asking = try front.bind(endpoint("front"))
        let answering = try back.bind(endpoint("back"))
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Stall() }
        defer { ends.forEach { _ = close($0) } }
        let bell = ends[1]
        run { try $0.ask(asking, bell) }
        run { try $0.answer(answering) }
        try forward(front, back, bell: ends[0])
    }

    private func endpoint(_ name: String) -> String {
        transport == "tcp" ? "tcp://127.0.0.1:*" : "inproc://odd-\(seed)-\(name)"
    }

    private func forward(_ front: Socket, _ back: Socket, bell: Int32) throws {
        var routes: [[UInt8]?] = [nil, nil]
        var third = try Socket(context, .dealer)
        var poller = Poller(descriptors: [bell])
        try poller.watch([front, back, third])
        var waiting: [(word: [UInt8], side: Int)] = []
        while true {
            try wait(&poller)
            if poller.isReady(descriptor: 0) {
                try startle(bell, zip([front, back], routes).map { ($0, $1) })
                third.close()
                third = try Socket(context, .dealer)
                try poller.watch([front, back, third])
                // What was ready is found by the next wait.
                continue
            }
            for side in 0..<2 where poller.isReady(socket: side) {
                guard let frames = try take(from: poller.sockets[side]) else { continue }
                routes[side] = frames[0]
                if frames[1] != Word.extra { waiting.append((frames[1], 1 - side)) }
            }
            for parcel in waiting {
                guard let route = routes[parcel.side] else { continue }
                _ = try poller.sockets[parcel.side].send([route, parcel.word])
                if parcel.word == Word.stop, parcel.side == 0 { return }
            }
            waiting.removeAll { routes[$0.side] != nil }
        }
    }

    /// Sends to peers, so that libzmq takes in what it was told about others.
    private func startle(_ bell: Int32, _ peers: [(socket: Socket, route: [UInt8]?)]) throws {
        var byte: UInt8 = 0
        _ = read(bell, &byte, 1)
        for peer in peers {
            if let route = peer.route { _ = try peer.socket.send([route, Word.extra]) }
        }
    }

    // MARK: Those at the ends

    private func ask(_ endpoint: String, _ bell: Int32) throws {
        let socket = try Socket(context, .dealer, options: Self.options)
        try socket.connect(endpoint)
        var poller = Poller()
        try poller.watch([socket])
        var random = SeededRandom(seed: seed)
        for _ in 0..<exchanges {
            pause(&random)
            if random.next() % 4 == 0 { _ = write(bell, [1] as [UInt8], 1) }
            _ = try socket.send([Word.work])
            if random.next() % 4 == 0 { _ = write(bell, [1] as [UInt8], 1) }
            try receive(Word.work, socket, &poller)
            count.add(1, ordering: .releasing)
        }
        _ = try socket.send([Word.stop])
        try receive(Word.stop, socket, &poller)
    }

    private func answer(_ endpoint: String) throws {
        let socket = try Socket(context, .dealer, options: Self.options)
        try socket.connect(endpoint)
        var poller = Poller()
        try poller.watch([socket])
        var random = SeededRandom(seed: seed &+ 1_000)
        _ = try socket.send([Word.extra])
        while true {
            try wait(&poller)
            guard let word = try take(from: socket)?[0], word != Word.extra else { continue }
            pause(&random)
            _ = try socket.send([word])
            guard word != Word.stop else { return }
        }
    }

    // MARK: What they share

    private static var options: SocketOptions {
        var options = SocketOptions()
        options.immediate = false
        options.lingerMilliseconds = 1_000
        return options
    }

    private func wait(_ poller: inout Poller) throws {
        let start = ContinuousClock.now
        try poller.wait(timeoutMilliseconds: stallMilliseconds)
        guard ContinuousClock.now - start < .milliseconds(stallMilliseconds) else {
            throw Stall()
        }
    }

    /// One message at most, so that others are left for the next wait.
    private func take(from socket: Socket) throws -> [[UInt8]]? {
        guard case .message(let frames)? = try socket.receive(framesMax: 2, bytesMax: 64) else {
            return nil
        }
        return frames
    }

    private func receive(
        _ wanted: [UInt8], _ socket: Socket, _ poller: inout Poller
    ) throws {
        var word: [UInt8]?
        while word != wanted {
            try wait(&poller)
            word = try take(from: socket)?[0]
        }
    }

    private func pause(_ random: inout SeededRandom) {
        switch random.next() % 3 {
        case 0: break
        case 1: usleep(UInt32(random.next() % 200))
        default: usleep(UInt32(random.next() % 3_000))
        }
    }
}
