import Journal
import Locking
import Messages
import Sodium

/// The message log that a recorder's thread writes; opened again some time after a fault.
final class RecordingFile: Sendable {
    private static let retryMilliseconds: UInt64 = 5_000
    /// Tells damage from a torn end, and bounds what a crash of the machine costs.
    private static let syncMilliseconds: UInt64 = 5_000
    private let folder: String
    private let retention: MessageLogWriter.Retention
    private let probe: DiskProbe
    private let log: Log
    private let state = Locked(State())

    private struct State {
        var writer: MessageLogWriter?
        var failedAt: MonotonicTime?
        var syncedAt: MonotonicTime?
    }

    init(
        folder: String, retention: MessageLogWriter.Retention, probe: DiskProbe, log: Log
    ) {
        self.folder = folder
        self.probe = probe
        self.retention = retention
        self.log = log
    }

    /// - Throws: `JournalError`.
    func open() throws {
        var random = SecureGenerator()
        let writer = try MessageLogWriter(
            folder: folder, newEpoch: random.next(), retention: retention, probe: probe)
        state.withLock { $0 = State(writer: writer) }
    }

    /// The offset of a request that comes now, in nanoseconds: behind everything recorded
    /// before, by the time that has passed since.
    ///
    /// - Throws: `JournalError` if the last entry cannot be read.
    func nextOffset(at now: Timestamp) throws -> UInt64 {
        guard let last = try state.withLock({ $0.writer })?.last() else { return 0 }
        let longest = Int64(Limits.messageLogDaysMax) * 86_400_000
        let passed = min(max(0, now.milliseconds - last.recordedTime.milliseconds), longest)
        return last.offsetNanoseconds &+ UInt64(passed) * 1_000_000
    }

    /// Writes a batch with its gap, and removes what is too much or too old; false if it is lost.
    func write(
        _ batch: RecordingQueue.Batch, attachments: RecordedAttachments, at now: Now
    ) -> Bool {
        reopen(at: now.monotonic)
        guard let writer = state.withLock({ $0.writer }) else { return batch.isEmpty }
        do {
            if !batch.isEmpty {
                try writer.append(Self.entries(batch, attachments, now.wall))
            }
            try writer.removeOldest(now: now.wall)
            try sync(writer, at: now.monotonic)
        } catch {
            log.error("message log cannot be written", ["error": "\(error)"])
            state.withLock { $0 = State(failedAt: now.monotonic) }
            return false
        }
        if batch.gap.count > 0 {
            log.warning("exchanges left out", ["count": "\(batch.gap.count)"])
        }
        return true
    }

    /// Returns once everything is on the disk; the lock on the folder is given back.
    func close() {
        do {
            try state.withLock { $0.writer }?.sync()
        } catch {
            log.error("message log not synced", ["error": "\(error)"])
        }
        state.withLock { $0 = State() }
    }

    private func sync(_ writer: MessageLogWriter, at now: MonotonicTime) throws {
        guard let last = state.withLock({ $0.syncedAt }) else {
            state.withLock { $0.syncedAt = now }
            return
        }
        guard now.milliseconds(since: last) >= Self.syncMilliseconds else { return }
        try writer.sync()
        state.withLock { $0.syncedAt = now }
    }

    private func reopen(at now: MonotonicTime) {
        guard let failed = state.withLock({ $0.failedAt }),
            now.milliseconds(since: failed) >= Self.retryMilliseconds
        else { return }
        do {
            try open()
        } catch {
            state.withLock { $0.failedAt = now }
        }
    }

    private static func entries(
        _ batch: RecordingQueue.Batch, _ attachments: RecordedAttachments, _ now: Timestamp
    ) -> [MessageLogWriter.Entry] {
        var entries = batch.exchanges.map { waiting, key in
            let exchange = exchange(waiting, attachments)
            return key.map { MessageLogWriter.Entry.sealed(exchange, $0) } ?? .plain(exchange)
        }
        if batch.gap.count > 0 { entries.append(.gap(batch.gap, now)) }
        return entries
    }

    private static func exchange(
        _ waiting: RecordingQueue.Waiting, _ attachments: RecordedAttachments
    ) -> RecordedExchange {
        RecordedExchange(
            recordedTime: waiting.recordedTime, offsetNanoseconds: waiting.offset,
            client: waiting.client, request: waiting.request.frames(),
            reply: waiting.reply.frames(),
            summary: RecordedExchange.Summary(
                position: waiting.reply.fields.position,
                isComplete: waiting.reply.header.flags.contains(.complete),
                attachments: attachments))
    }
}
