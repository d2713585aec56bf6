package import Journal
package import Messages

/// Exchanges on their way to the disk, within a bound of bytes.
///
/// Those of an account wait for its key. What does not fit, or waits too long for a key, is left
/// out and counted; the count becomes a gap in the log as soon as something can be written.
package struct RecordingQueue: Sendable {
    /// An exchange as it came.
    package struct Waiting: Sendable {
        let request: Message
        let reply: Message
        let client: Identity
        let recordedTime: Timestamp
        let offset: UInt64
        let since: MonotonicTime
        let bytes: Int

        /// From its parts; `since` is now.
        package init(
            request: Message, reply: Message, client: Identity, recordedTime: Timestamp,
            offset: UInt64, since: MonotonicTime
        ) {
            self.request = request
            self.reply = reply
            self.client = client
            self.recordedTime = recordedTime
            self.offset = offset
            self.since = since
            let attachments = (request.attachments + reply.attachments).reduce(0) { $0 + $1.count }
            bytes = 1_024 + request.body.count + reply.body.count + attachments
        }

        /// Whose exchange it is; nil for nobody's.
        var account: String? {
            request.fields.text(.account).flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// What is to be written next.
    package struct Batch: Sendable {
        /// In the order in which they became ready.
        package var exchanges: [(Waiting, AccountKey?)] = []
        /// What was left out before now; written behind the exchanges.
        package var gap = RecordingGap.none
        var bytes = 0
        /// Nothing is to be written.
        package var isEmpty: Bool { exchanges.isEmpty && gap.count == 0 }
    }

    private let bytesMax: Int
    private var bytes = 0
    private var ready: [(Waiting, AccountKey?)] = []
    private var held: [String: [Waiting]] = [:]
    private var keys: [String: AccountKey] = [:]
    private var gap = RecordingGap.none
    /// Exchanges left out since the start.
    package private(set) var dropped: UInt64 = 0

    /// Nothing waits.
    package init(bytesMax: Int = Limits.recordingBytesMax) { self.bytesMax = bytesMax }

    /// Accounts whose key is wanted.
    package var accountsWithoutKey: [String] { held.keys.sorted() }

    /// Takes an exchange, or leaves it out; true if the writer has to be woken for it.
    package mutating func add(_ waiting: Waiting) -> Bool {
        guard bytes + waiting.bytes <= bytesMax else {
            drop(waiting)
            return false
        }
        bytes += waiting.bytes
        guard let account = waiting.account else {
            ready.append((waiting, nil))
            return ready.count == 1
        }
        guard let key = keys[account] else {
            held[account, default: []].append(waiting)
            return held[account]?.count == 1
        }
        ready.append((waiting, key))
        return ready.count == 1
    }

    /// Uses a key for what waits for it, and from now on if it is kept.
    ///
    /// - Parameter isKept: False for a key that nobody has: what is sealed under it reads as
    ///   erased, and the account's own key is still wanted for what comes later.
    package mutating func offer(_ key: AccountKey, isKept: Bool = true) {
        if isKept { keys[key.account] = key }
        for waiting in held.removeValue(forKey: key.account) ?? [] { ready.append((waiting, key)) }
    }

    /// Forgets an account's key and what waits for it.
    package mutating func forget(account: String) {
        keys[account] = nil
        for waiting in held.removeValue(forKey: account) ?? [] { leaveOut(waiting) }
    }

    /// Forgets all keys; what waits for one goes on waiting.
    package mutating func forgetKeys() { keys.removeAll() }

    /// Leaves out what has waited too long for a key.
    package mutating func expire(at now: MonotonicTime) {
        for (account, list) in held {
            let expired = list.prefix {
                now.milliseconds(since: $0.since) >= Limits.recordingKeyMilliseconds
            }
            guard !expired.isEmpty else { continue }
            for waiting in expired { leaveOut(waiting) }
            held[account] = list.count == expired.count ? nil : Array(list[expired.count...])
        }
    }

    /// Leaves out everything that waits for a key.
    package mutating func expireAll() {
        for waiting in held.values.joined() { leaveOut(waiting) }
        held.removeAll()
    }

    /// Hands out what is ready; it counts as waiting until `finish`.
    package mutating func take() -> Batch {
        var batch = Batch(exchanges: ready, gap: gap)
        batch.bytes = ready.reduce(0) { $0 + $1.0.bytes }
        ready.removeAll()
        gap = .none
        return batch
    }

    /// The batch is written, or lost: then it is part of the next gap.
    package mutating func finish(_ batch: Batch, isWritten: Bool) {
        bytes -= batch.bytes
        guard !isWritten else { return }
        if batch.gap.count > 0 { gap.merge(batch.gap) }
        for (waiting, _) in batch.exchanges { drop(waiting) }
    }

    private mutating func leaveOut(_ waiting: Waiting) {
        bytes -= waiting.bytes
        drop(waiting)
    }

    private mutating func drop(_ waiting: Waiting) {
        dropped += 1
        gap.add(offset: waiting.offset)
    }
}

extension RecordingGap {
    /// Adds what another gap counts.
    fileprivate mutating func merge(_ other: RecordingGap) {
        firstOffset = count == 0 ? other.firstOffset : min(firstOffset, other.firstOffset)
        lastOffset = max(lastOffset, other.lastOffset)
        count += other.count
    }
}
