import Journal
import Locking
import Messages
import Sodium

/// Writes requests and replies as they pass a router to a message log, on a thread of its own.
///
/// Recording never delays a reply: when the disk is slower than the traffic, exchanges are left
/// out and counted.
final class ExchangeRecorder: Sendable {
    private struct Waiting {
        var exchanges = 0
        var bytes = 0
        var dropped = 0
    }
    private let writer: MessageLogWriter
    private let lane: Lane
    private let waiting = Locked(Waiting())
    private let begin = SystemClock.monotonic()
    private let log: Log

    /// Goes on in a folder, or begins in a new one.
    ///
    /// - Throws: What the folder refuses.
    init(folder: String, log: Log) throws {
        var random = SecureGenerator()
        writer = try MessageLogWriter(folder: folder, newEpoch: random.next())
        lane = Lane(name: "recorder")
        self.log = log
    }

    /// Queues an exchange, or drops it if too much waits.
    func record(request: Message, reply: Message, client: Identity) {
        let now = SystemClock.now()
        let exchange = RecordedExchange(
            recordedTime: now.wall,
            offsetNanoseconds: now.monotonic.nanoseconds - begin.nanoseconds, client: client,
            request: request.frames(), reply: reply.frames())
        let bytes = (exchange.request + exchange.reply).reduce(0) { $0 + $1.count }
        let isTaken = waiting.withLock { waiting in
            guard waiting.bytes + bytes <= Limits.recordingBytesMax else {
                waiting.dropped += 1
                return false
            }
            waiting.exchanges += 1
            waiting.bytes += bytes
            return true
        }
        guard isTaken else { return }
        lane.run { [self] in
            do {
                try writer.append([exchange])
            } catch {
                log.error("exchange not recorded", ["error": "\(error)"])
            }
            waiting.withLock { waiting in
                waiting.exchanges -= 1
                waiting.bytes -= bytes
            }
        }
    }

    /// Writes what waits, and says how many were left out.
    func stop() {
        lane.run { [self] in
            do {
                try writer.sync()
            } catch {
                log.error("message log not synced", ["error": "\(error)"])
            }
        }
        lane.stopAndWait()
        let dropped = waiting.withLock { $0.dropped }
        if dropped > 0 { log.warning("exchanges left out", ["count": "\(dropped)"]) }
    }
}
