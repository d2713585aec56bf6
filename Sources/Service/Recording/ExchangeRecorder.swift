import Dispatch
import Foundation
import Journal
import Locking
import Messages

/// Writes requests and replies as they pass a router to a message log, on a thread of its own.
///
/// Recording never delays a reply: when the disk is slower than the traffic, exchanges are left
/// out and counted. Those of an account are encrypted under its key.
final class ExchangeRecorder: Sendable {
    /// Where keys of accounts come from.
    enum Keys: Sendable {
        /// Looked up on the recorder's thread, each time anew.
        case lookedUp(@Sendable (String) throws -> AccountKey)
        /// Asked for, and given by `offer`; valid until `forget`.
        case asked(needsKey: @Sendable (String) -> Void)
    }

    private static let idleMilliseconds = 1_000
    private let options: RecordingOptions
    private let keys: Keys
    private let queue = Locked(RecordingQueue())
    private let isStopped = Locked(false)
    private let work = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let begin: MonotonicTime
    private let log: Log

    /// Goes on in a folder, or begins in a new one.
    ///
    /// - Throws: What the folder refuses.
    init(folder: String, options: RecordingOptions, keys: Keys, log: Log) throws {
        let file = RecordingFile(folder: folder, retention: options.retention, log: log)
        try file.open()
        // What was recorded before stands before what comes now.
        begin = MonotonicTime(
            nanoseconds: SystemClock.monotonic().nanoseconds
                &- (try file.nextOffset(at: SystemClock.wall())))
        self.options = options
        self.keys = keys
        self.log = log
        let thread = Thread { [self] in
            runUntilStopped(file)
            ended.signal()
        }
        thread.name = "recorder"
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Queues an exchange, or leaves it out if too much waits.
    func record(request: Message, reply: Message, client: Identity, arrival: MonotonicTime) {
        guard options.takes(request.header.requestID) else { return }
        let now = SystemClock.now()
        let age = Int64(now.monotonic.milliseconds(since: arrival))
        let waiting = RecordingQueue.Waiting(
            request: options.attachments.applied(to: request),
            reply: options.attachments.applied(to: reply), client: client,
            recordedTime: Timestamp(milliseconds: now.wall.milliseconds - age),
            offset: arrival.nanoseconds &- begin.nanoseconds, since: now.monotonic)
        if queue.withLock({ $0.add(waiting) }) { work.signal() }
    }

    /// Encrypts under a key what comes of its account, and what waits for it.
    func offer(_ key: AccountKey) {
        queue.withLock { $0.offer(key) }
        work.signal()
    }

    /// The key of an account is no longer valid.
    func forget(account: String) { queue.withLock { $0.forget(account: account) } }

    /// Writes what waits, and says how many were left out.
    func stop() {
        isStopped.withLock { $0 = true }
        work.signal()
        ended.wait()
        ended.signal()
        let dropped = queue.withLock { $0.dropped }
        if dropped > 0 { log.warning("exchanges left out in all", ["count": "\(dropped)"]) }
    }

    private func runUntilStopped(_ file: RecordingFile) {
        while !isStopped.withLock({ $0 }) {
            _ = work.wait(timeout: .now() + .milliseconds(Self.idleMilliseconds))
            write(to: file)
        }
        findKeys()
        queue.withLock { $0.expireAll() }
        write(to: file)
        file.close()
    }

    private func write(to file: RecordingFile) {
        findKeys()
        let now = SystemClock.now()
        let batch = queue.withLock { queue in
            queue.expire(at: now.monotonic)
            return queue.take()
        }
        let isWritten = file.write(batch, attachments: options.attachments, at: now)
        queue.withLock { $0.finish(batch, isWritten: isWritten) }
        if case .lookedUp = keys { queue.withLock { $0.forgetKeys() } }
    }

    private func findKeys() {
        for account in queue.withLock({ $0.accountsWithoutKey }) {
            switch keys {
            case .asked(let needsKey): needsKey(account)
            case .lookedUp(let find):
                do {
                    let key = try find(account)
                    queue.withLock { $0.offer(key) }
                } catch {
                    log.warning("no key to record with", ["error": "\(error)"])
                }
            }
        }
    }
}
