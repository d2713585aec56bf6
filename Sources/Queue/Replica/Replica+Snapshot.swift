internal import Messages

/// How far a snapshot is taken.
struct SnapshotLoad: Sendable {
    /// Chunks that are asked for or wait for the store, at most: the next ones travel while the
    /// store works.
    static let windowMax = 3
    /// Damaged chunks after which the journal is asked for another snapshot.
    private static let failuresMax = 3

    let id: ContentHash
    let position: Position
    /// The first chunk that the store does not have.
    var next: Int
    /// The first chunk that was not asked for.
    private var nextToAsk: Int
    /// FETCHes without an answer, and the chunk that each asks for.
    private(set) var asked: [RequestID: Int] = [:]
    /// What came, by the chunk that was asked for: chunks before the one that came are of streams
    /// that nobody here wants.
    private var arrived: [Int: Arrival] = [:]
    /// The chunk that the store works on.
    var loading: Int?
    private var failures = 0

    struct Arrival {
        let index: Int
        let bytes: [UInt8]
        let hash: [UInt8]
        /// There is no further chunk.
        let isEnd: Bool
    }

    init(_ partial: PartialSnapshot) {
        id = partial.id
        position = partial.position
        next = partial.nextChunk
        nextToAsk = partial.nextChunk
    }

    /// The chunk to ask for now; nil if enough is on its way.
    var wanted: Int? {
        let isEndKnown = arrived.values.contains(where: \.isEnd)
        return asked.count + arrived.count < Self.windowMax && !isEndKnown
            ? max(nextToAsk, next) : nil
    }

    mutating func ask(_ chunk: Int, as id: RequestID) {
        asked[id] = chunk
        nextToAsk = chunk + 1
    }

    /// False if nobody asked for it.
    mutating func take(_ arrival: Arrival, for id: RequestID) -> Bool {
        guard let chunk = asked.removeValue(forKey: id) else { return false }
        // An answer about a chunk that was skipped meanwhile says nothing new.
        if chunk >= next { arrived[chunk] = arrival }
        return true
    }

    /// What the store gets next; nil while it works or nothing is there.
    mutating func handOver() -> Arrival? {
        guard loading == nil, let arrival = arrived.removeValue(forKey: next) else { return nil }
        loading = arrival.index
        return arrival
    }

    mutating func finished(_ chunk: Int) {
        loading = nil
        next = chunk + 1
        // Answers about chunks that were skipped say nothing new.
        arrived = arrived.filter { $0.key >= next }
    }

    /// Asks again for everything that the store does not have; false if that is in vain.
    mutating func failed() -> Bool {
        failures += 1
        loading = nil
        forgetQuestions()
        return failures < Self.failuresMax
    }

    mutating func forgetQuestions() {
        asked = [:]
        arrived = [:]
        nextToAsk = max(next, (loading ?? next - 1) + 1)
    }
}

extension Replica {
    /// Begins to take the snapshot that a TAIL names, where the store does not have it in part.
    mutating func beginSnapshot(_ tail: Message, _ actions: inout [ReplicaAction]) {
        guard let id = tail.fields.snapshot, let through = tail.fields.leastPosition else {
            actions.append(.fact(.stale))
            return
        }
        startOver(in: through.epoch, &actions)
        // Accounts that came while this replica was behind: no TAIL brought their keys, and what is
        // under a key that is not here is skipped.
        if configuration.wantsKeys { keys = .needed }
        load = SnapshotLoad(PartialSnapshot(id: id, position: through, nextChunk: 0))
        actions.append(.fact(.loading(id, fromChunk: 0)))
    }

    /// Keeps some chunks on their way, and the store at work.
    mutating func askForChunks(_ now: MonotonicTime, _ actions: inout [ReplicaAction]) {
        handOverChunk(&actions)
        while let chunk = load?.wanted, let snapshot = load?.id {
            let id = makeQuestion(at: now)
            var message = Message(Header(.fetch, requestID: id))
            message.fields.snapshot = snapshot
            message.fields.set(.chunk, integer: UInt32(chunk))
            message.fields.streams = configuration.streams
            load?.ask(chunk, as: id)
            actions.append(.send(message))
        }
    }

    /// Takes a chunk, or the word that there is no further one.
    mutating func takeChunk(
        _ message: Message, _ now: MonotonicTime, _ actions: inout [ReplicaAction]
    ) {
        guard let index: UInt32 = message.fields.integer(.chunk),
            let total: UInt32 = message.fields.integer(.chunksTotal),
            message.fields.snapshot == load?.id,
            load?.take(
                SnapshotLoad.Arrival(
                    index: Int(index), bytes: message.body,
                    hash: message.fields[.chunkHash] ?? [], isEnd: index >= total),
                for: message.header.requestID) == true
        else {
            actions.append(.fact(.stale))
            return
        }
        askedAt = now
    }

    /// The store has a chunk.
    mutating func loaded(_ chunk: Int) {
        isStoreLoading = nil
        guard load?.loading == chunk else { return }
        load?.finished(chunk)
    }

    /// A chunk has to come again; if that is in vain, the journal names another snapshot.
    mutating func loadFailed(
        _ chunk: Int, _ reason: String, _ now: MonotonicTime, _ actions: inout [ReplicaAction]
    ) {
        isStoreLoading = nil
        guard load?.loading == chunk else { return }
        actions.append(.fact(.damagedChunk(chunk, reason)))
        guard load?.failed() == false else { return }
        load = nil
        // Not at once: the answer may be the same.
        asked = makeQuestion(at: now)
    }

    private mutating func handOverChunk(_ actions: inout [ReplicaAction]) {
        guard let arrival = load?.handOver(), let load else { return }
        isStoreEmpty = false
        guard !arrival.isEnd else {
            self.load = nil
            applying = load.position
            actions.append(.finishSnapshot(through: load.position))
            return
        }
        isStoreLoading = arrival.index
        let partial = PartialSnapshot(
            id: load.id, position: load.position, nextChunk: arrival.index + 1)
        actions.append(
            .load(
                SnapshotChunk(
                    snapshot: partial, index: arrival.index, bytes: arrival.bytes,
                    hash: arrival.hash)))
    }
}
