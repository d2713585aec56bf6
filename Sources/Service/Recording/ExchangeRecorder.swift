import Dispatch
import Foundation
package import Journal
import Locking
package import Messages

/// Writes requests and replies as they pass a router to a message log, on a thread of its own.
///
/// Recording never delays a reply: when the disk is slower than the traffic, exchanges are left
/// out and counted. Those of an account are encrypted under the key of the store that they tell of;
/// those that tell of several stores so that nobody can read them.
package final class ExchangeRecorder: Sendable {
    /// Where keys of accounts come from.
    package enum Keys: Sendable {
        /// Looked up on the recorder's thread, each time anew; nil for a store that has none,
        /// whose exchanges are sealed under a key that is made up and kept nowhere.
        case lookedUp(@Sendable (String, StoreKind) throws -> AccountKey?)
        /// Asked for, and given by `offer`; valid until `forget`.
        case asked(needsKey: @Sendable (String) -> Void)
    }

    private static let idleMilliseconds: Int32 = 1_000
    /// For how long what comes is gathered: waking for each exchange would cost more than writing.
    private static let gatheringMicroseconds: UInt32 = 20_000
    private let options: RecordingOptions
    private let keys: Keys
    private let queue: Locked<RecordingQueue>
    private let isStopped = Locked(false)
    private let work = WakeSignal()
    private let ended = DispatchSemaphore(value: 0)
    private let begin: MonotonicTime
    private let log: Log

    /// Goes on in a folder, or begins in a new one.
    ///
    /// - Parameters:
    ///   - folder: Made if it does not exist; holds nothing but a recording.
    ///   - options: What is recorded, and how much of it is kept.
    ///   - keys: Where keys of accounts come from.
    ///   - waitingBytesMax: Bytes of exchanges that wait for the disk.
    ///   - probe: A seam for tests.
    /// - Throws: `ConfigurationError` if other things are in the folder, or what it refuses.
    package init(
        folder: String, options: RecordingOptions, keys: Keys,
        waitingBytesMax: Int = Limits.recordingBytesMax, probe: DiskProbe = .none, log: Log
    ) throws {
        try MessageLogFolder.checkMayHoldLog(folder)
        queue = Locked(RecordingQueue(bytesMax: waitingBytesMax))
        let file = RecordingFile(
            folder: folder, retention: options.retention, probe: probe, log: log)
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
    package func record(request: Message, reply: Message, client: Identity, arrival: MonotonicTime)
    {
        guard options.takes(request.header.requestID) else { return }
        let now = SystemClock.now()
        let age = Int64(now.monotonic.milliseconds(since: arrival))
        let time = Timestamp(milliseconds: now.wall.milliseconds - age)
        let offset = arrival.nanoseconds &- begin.nanoseconds
        let (request, reply) = (
            options.attachments.applied(to: request), options.attachments.applied(to: reply)
        )
        let isFirst = queue.withLock { queue in
            guard queue.canPrepare(request, reply) else {
                return queue.add(
                    RecordingQueue.Waiting(
                        request: request, reply: reply, client: client, recordedTime: time,
                        offset: offset, since: now.monotonic))
            }
            return queue.add(
                prepared: RecordedExchange(
                    request: request, reply: reply, client: client, recordedTime: time,
                    offset: offset, attachments: options.attachments),
                size: RecordingQueue.size(of: request, reply))
        }
        if isFirst { work.wake() }
    }

    /// Encrypts under a key what waits for it and, if it is kept, what comes of its account.
    ///
    /// - Parameter isKept: False for a key that nobody has: what is sealed under it reads as
    ///   erased.
    package func offer(_ key: AccountKey, isKept: Bool = true) {
        queue.withLock { $0.offer(key, isKept: isKept) }
        work.wake()
    }

    /// The key of an account is no longer valid.
    package func forget(account: String) { queue.withLock { $0.forget(account: account) } }

    /// Writes what waits, and says how many were left out.
    package func stop() {
        isStopped.withLock { $0 = true }
        work.wake()
        ended.wait()
        ended.signal()
        let dropped = queue.withLock { $0.dropped }
        if dropped > 0 { log.warning("exchanges left out in all", ["count": "\(dropped)"]) }
    }

    private func runUntilStopped(_ file: RecordingFile) {
        while !isStopped.withLock({ $0 }) {
            waitForWork()
            usleep(Self.gatheringMicroseconds)
            write(to: file)
        }
        findKeys()
        queue.withLock { $0.expireAll() }
        write(to: file)
        file.close()
    }

    /// By poll, whose timeout a jump of the wall clock does not change.
    private func waitForWork() {
        var descriptor = pollfd(
            fd: work.readDescriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, Self.idleMilliseconds)
        work.drain()
    }

    private func write(to file: RecordingFile) {
        findKeys()
        let now = SystemClock.now()
        var batch = queue.withLock { queue in
            queue.expire(at: now.monotonic)
            return queue.take()
        }
        let isWritten = file.write(&batch, attachments: options.attachments, at: now)
        var used = MessageLogBatch()
        swap(&used, &batch.prepared)
        queue.withLock {
            $0.finish(batch, isWritten: isWritten)
            $0.reuse(&used)
        }
        if case .lookedUp = keys { queue.withLock { $0.forgetKeys() } }
    }

    private func findKeys() {
        switch keys {
        case .asked(let needsKey):
            for account in queue.withLock({ $0.accountsWithoutKey }) { needsKey(account) }
        case .lookedUp(let find):
            for owner in queue.withLock({ $0.ownersWithoutKey }) {
                do {
                    let key = try find(owner.account, owner.store)
                    let used = key ?? .random(for: owner.account, owner.store)
                    queue.withLock { $0.offer(used, isKept: key != nil) }
                } catch {
                    log.warning("no key to record with", ["error": "\(error)"])
                }
            }
        }
    }
}
