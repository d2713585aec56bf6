import Messages
import Queue
import Service
import XXHash
import ZeroMQ

/// A replica's machine with a socket and, instead of a store, the check of each chunk's hash.
struct SnapshotTransfer {
    let port: Int
    private static let endSeconds = 120.0

    /// Greets the journal and takes its newest snapshot.
    ///
    /// - Returns: The bytes of the chunks.
    func run(turn: Int) throws -> Int {
        let context = try Context()
        let socket = try Socket(context, .dealer)
        defer {
            socket.close()
            context.terminate()
        }
        try socket.connect("tcp://127.0.0.1:\(port)")
        var random = SeededRandom(seed: UInt64(turn))
        var replica = Replica(
            ReplicaConfiguration(
                identity: Identity(using: &random), incarnation: 1, streams: ["catalog"],
                position: nil))
        var events = [ReplicaEvent.tick]
        var bytes = 0
        let end = Clock.seconds() + Self.endSeconds
        while Clock.seconds() < end {
            while !events.isEmpty {
                var actions: [ReplicaAction] = []
                replica.handle(events.removeFirst(), at: SystemClock.now(), into: &actions)
                for action in actions {
                    switch action {
                    case .send(let message): try send(message, socket)
                    case .load(let chunk):
                        guard XXHash.of(chunk.bytes) == chunk.hash else {
                            throw BenchError(.answer, "chunk \(chunk.index) is damaged")
                        }
                        bytes += chunk.bytes.count
                        events.append(.loaded(chunk: chunk.index))
                    case .finishSnapshot: return bytes
                    default: break
                    }
                }
            }
            _ = try Poller.wait(sockets: [socket], timeoutMilliseconds: 50)
            events = try take(from: socket)
        }
        throw BenchError(.answer, "no whole snapshot within \(Self.endSeconds) s")
    }

    private func take(from socket: Socket) throws -> [ReplicaEvent] {
        let received = try socket.receive(
            framesMax: Limits.framesMax, bytesMax: Limits.messageBytesMax)
        guard case .message(let frames) = received else { return [.tick] }
        return [.message(try Message(frames: frames))]
    }

    private func send(_ message: Message, _ socket: Socket) throws {
        while try socket.send(message.frames()) != .sent {
            _ = try Poller.wait(sockets: [socket], timeoutMilliseconds: 1)
        }
    }
}
