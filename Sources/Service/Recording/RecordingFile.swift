import Journal
import Locking
import Messages
import Sodium

/// The message log that a recorder's thread writes; opened again some time after a fault.
final class RecordingFile: Sendable {
    private static let retryMilliseconds: UInt64 = 5_000
    /// Tells damage from a torn end, and bounds what a crash of the machine costs.
    private static let syncMilliseconds: UInt64 = 5_000
    private static let groupBytes = 256 << 10
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

    /// Writes a batch with its gap, and removes what is too much or too old; false if what the
    /// batch still holds is lost.
    func write(
        _ batch: inout RecordingQueue.Batch, attachments: RecordedAttachments, at now: Now
    ) -> Bool {
        reopen(at: now.monotonic)
        guard let writer = state.withLock({ $0.writer }) else { return batch.isEmpty }
        let gap = batch.gap
        do {
            try append(&batch, to: writer, attachments, now.wall)
            try writer.removeOldest(now: now.wall)
            try sync(writer, at: now.monotonic)
        } catch {
            log.error("message log cannot be written", ["error": "\(error)"])
            state.withLock { $0 = State(failedAt: now.monotonic) }
            return false
        }
        if gap.count > 0 { log.warning("exchanges left out", ["count": "\(gap.count)"]) }
        return true
    }

    /// What is written leaves the batch. In groups that the caches of a core hold: each byte of
    /// them is read twice more, for its checksum and by the system.
    private func append(
        _ batch: inout RecordingQueue.Batch, to writer: MessageLogWriter,
        _ attachments: RecordedAttachments, _ now: Timestamp
    ) throws {
        try writer.append(&batch.prepared)
        batch.preparedCame = .none
        var group = MessageLogBatch()
        var written = 0
        defer { batch.exchanges.removeFirst(written) }
        for (waiting, key) in batch.exchanges {
            let exchange = RecordedExchange(waiting, attachments)
            group.add(key.map { .sealed(exchange, $0) } ?? .plain(exchange))
            guard group.byteCount >= Self.groupBytes else { continue }
            try writer.append(&group)
            written += group.count
            group.removeAll(keepingBytesMax: .max)
        }
        let exchanges = group.count
        if batch.gap.count > 0 { group.add(.gap(batch.gap, now)) }
        try writer.append(&group)
        written += exchanges
        batch.gap = .none
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
}

extension RecordedExchange {
    /// An exchange that waited.
    init(_ waiting: RecordingQueue.Waiting, _ attachments: RecordedAttachments) {
        self.init(
            request: waiting.request, reply: waiting.reply, client: waiting.client,
            recordedTime: waiting.recordedTime, offset: waiting.offset, attachments: attachments)
    }

    /// A request with its reply, whose attachments are as they are recorded.
    init(
        request: Message, reply: Message, client: Identity, recordedTime: Timestamp,
        offset: UInt64, attachments: RecordedAttachments
    ) {
        self.init(
            recordedTime: recordedTime, offsetNanoseconds: offset, client: client,
            request: request.sharedFrames(), reply: reply.sharedFrames(),
            summary: Summary(
                position: reply.fields.position,
                isComplete: reply.header.flags.contains(.complete), attachments: attachments))
    }
}
