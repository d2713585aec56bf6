internal import Bytes
package import Journal
package import Messages

/// Exchanges on their way to the disk, within a bound of bytes.
///
/// Those of an account wait for the key of the store that they tell of. What does not fit, or waits too long for a key, is left
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
            bytes = RecordingQueue.size(of: request, reply)
        }

        /// Whose exchange it is; nil for nobody's.
        var account: String? {
            request.fields.text(.account).flatMap { $0.isEmpty ? nil : $0 }
        }
        /// The store whose key it is sealed under; nil if it tells of several stores, each of
        /// which may be erased alone.
        var store: StoreKind? {
            let stores = ServiceName.stores(of: request.fields.text(.service) ?? "")
            return stores.count > 1 ? nil : stores.first ?? .calendar
        }
    }

    /// One store of one account, whose exchanges wait for its key.
    package struct Owner: Hashable, Comparable, Sendable {
        /// The account.
        package let account: String
        /// The kind of store.
        package let store: StoreKind

        /// By account, then store.
        package static func < (left: Self, right: Self) -> Bool {
            (left.account, left.store.rawValue) < (right.account, right.store.rawValue)
        }
    }

    /// What is to be written next.
    package struct Batch: Sendable {
        /// Small exchanges of nobody's account, as they will stand in the log; before the others.
        var prepared = MessageLogBatch()
        /// How many these are and when they came; as a gap, which they become if they are lost.
        var preparedCame = RecordingGap.none
        /// In the order in which they became ready.
        package var exchanges: [(Waiting, AccountKey?)] = []
        /// What was left out before now; written behind the exchanges.
        package var gap = RecordingGap.none
        var bytes = 0
        /// Nothing is to be written.
        package var isEmpty: Bool { prepared.isEmpty && exchanges.isEmpty && gap.count == 0 }
    }

    /// Bytes of an exchange that is copied as it comes: keeping the messages would cost more, since
    /// their memory is then given back by another thread, much later. Larger ones are kept.
    package static let preparedBytesMax = 16_384
    /// Bytes of memory that is kept for what comes next.
    private static let spareBytesMax = 4 << 20

    private let bytesMax: Int
    private var bytes = 0
    private var prepared = MessageLogBatch()
    private var preparedCame = RecordingGap.none
    /// Memory of a batch that is written.
    private var spare = MessageLogBatch()
    private var ready: [(Waiting, AccountKey?)] = []
    private var held: [Owner: [Waiting]] = [:]
    private var keys: [Owner: AccountKey] = [:]
    private var gap = RecordingGap.none
    /// Exchanges left out since the start.
    package private(set) var dropped: UInt64 = 0

    /// Nothing waits.
    package init(bytesMax: Int = Limits.recordingBytesMax) { self.bytesMax = bytesMax }

    /// Stores whose key is wanted.
    package var ownersWithoutKey: [Owner] { held.keys.sorted() }
    /// Accounts of which a key is wanted.
    package var accountsWithoutKey: [String] { Set(held.keys.map(\.account)).sorted() }

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
        guard let store = waiting.store else {
            // Under a key that nobody has.
            ready.append((waiting, .random(for: account)))
            return ready.count == 1
        }
        let owner = Owner(account: account, store: store)
        guard let key = keys[owner] else {
            held[owner, default: []].append(waiting)
            return held[owner]?.count == 1
        }
        ready.append((waiting, key))
        return ready.count == 1
    }

    /// Whether an exchange can be added as `add(prepared:)` does.
    package func canPrepare(_ request: Message, _ reply: Message) -> Bool {
        // Behind those that are kept, it is kept too, so that all stay in order.
        ready.isEmpty && Self.size(of: request, reply) <= Self.preparedBytesMax
            && request.fields.slice(.account)?.isEmpty ?? true
    }

    /// Copies a small exchange of nobody's account, or leaves it out; true if the writer has to be
    /// woken for it.
    ///
    /// - Parameter size: As `size(of:_:)` of its messages.
    package mutating func add(prepared exchange: RecordedExchange, size: Int) -> Bool {
        let before = prepared.byteCount
        guard bytes + size <= bytesMax else {
            dropped += 1
            gap.add(offset: exchange.offsetNanoseconds)
            return false
        }
        prepared.add(.plain(exchange))
        preparedCame.add(offset: exchange.offsetNanoseconds)
        bytes += prepared.byteCount - before
        return before == 0
    }

    /// Bytes that an exchange counts for.
    package static func size(of request: Message, _ reply: Message) -> Int {
        let attachments =
            request.sharedAttachments.reduce(0) { $0 + $1.count }
            + reply.sharedAttachments.reduce(0) { $0 + $1.count }
        return 1_024 + request.sharedBody.count + reply.sharedBody.count + attachments
    }

    /// Uses a key for what waits for it, and from now on if it is kept.
    ///
    /// - Parameter isKept: False for a key that nobody has: what is sealed under it reads as
    ///   erased, and the account's own key is still wanted for what comes later.
    package mutating func offer(_ key: AccountKey, isKept: Bool = true) {
        let owner = Owner(account: key.account, store: key.store)
        if isKept { keys[owner] = key }
        for waiting in held.removeValue(forKey: owner) ?? [] { ready.append((waiting, key)) }
    }

    /// Forgets an account's keys and what waits for them.
    package mutating func forget(account: String) {
        for store in StoreKind.allCases {
            let owner = Owner(account: account, store: store)
            keys[owner] = nil
            for waiting in held.removeValue(forKey: owner) ?? [] { leaveOut(waiting) }
        }
    }

    /// Forgets all keys; what waits for one goes on waiting.
    package mutating func forgetKeys() { keys.removeAll() }

    /// Leaves out what has waited too long for a key.
    package mutating func expire(at now: MonotonicTime) {
        for (owner, list) in held {
            let expired = list.prefix {
                now.milliseconds(since: $0.since) >= Limits.recordingKeyMilliseconds
            }
            guard !expired.isEmpty else { continue }
            for waiting in expired { leaveOut(waiting) }
            held[owner] = list.count == expired.count ? nil : Array(list[expired.count...])
        }
    }

    /// Leaves out everything that waits for a key.
    package mutating func expireAll() {
        for waiting in held.values.joined() { leaveOut(waiting) }
        held.removeAll()
    }

    /// Hands out what is ready; it counts as waiting until `finish`.
    package mutating func take() -> Batch {
        var batch = Batch(
            prepared: prepared, preparedCame: preparedCame, exchanges: ready, gap: gap)
        batch.bytes = ready.reduce(prepared.byteCount) { $0 + $1.0.bytes }
        prepared = spare
        spare = MessageLogBatch()
        preparedCame = .none
        ready.removeAll()
        gap = .none
        return batch
    }

    /// The batch is written, or lost: then it is part of the next gap.
    ///
    /// - Parameter isWritten: False if what is still in the batch is lost.
    package mutating func finish(_ batch: Batch, isWritten: Bool) {
        bytes -= batch.bytes
        guard !isWritten else { return }
        if batch.gap.count > 0 { gap.merge(batch.gap) }
        if batch.preparedCame.count > 0 {
            gap.merge(batch.preparedCame)
            dropped += batch.preparedCame.count
        }
        for (waiting, _) in batch.exchanges { drop(waiting) }
    }

    /// Uses the memory of a batch that is written again; leaves an empty one.
    package mutating func reuse(_ used: inout MessageLogBatch) {
        used.removeAll(keepingBytesMax: Self.spareBytesMax)
        swap(&spare, &used)
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
