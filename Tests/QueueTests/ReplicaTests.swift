import Messages
import Queue
import Testing

/// A replica on a table.
struct ReplicaBench {
    var replica: Replica
    var clock: UInt64 = 10_000
    var applied: [(sequences: [UInt64], through: Position)] = []
    var resets: [UInt64] = []
    var caughtUp: [Position] = []
    var reconnects = 0
    var facts: [ReplicaFact] = []
    var loads: [SnapshotChunk] = []
    var finished: [Position] = []
    var keyrings: [[AccountKey]] = []
    var addedKeys: [AccountKey] = []
    /// The last SUBSCRIBE.
    var question: Message?

    init(position: Position? = nil) {
        replica = Replica(
            ReplicaConfiguration(
                identity: Identity(high: 5, low: 5), incarnation: 1, streams: ["catalog"],
                position: position))
        _ = handle(.tick)
        _ = welcome()
    }

    mutating func handle(_ event: ReplicaEvent) -> [Message] {
        let now = Now(
            monotonic: MonotonicTime(nanoseconds: clock * 1_000_000),
            wall: Timestamp(milliseconds: 0))
        var actions: [ReplicaAction] = []
        replica.handle(event, at: now, into: &actions)
        var sent: [Message] = []
        for action in actions {
            switch action {
            case .send(let message):
                sent.append(message)
                if message.command == .subscribe { question = message }
            case .apply(let records, _, let through):
                applied.append((records.compactMap(\.position?.sequence), through))
            case .reset(let epoch): resets.append(epoch)
            case .load(let chunk): loads.append(chunk)
            case .finishSnapshot(let through): finished.append(through)
            case .replaceKeys(let keys): keyrings.append(keys)
            case .addKeys(let keys): addedKeys += keys
            case .reconnect: reconnects += 1
            case .caughtUp(let position): caughtUp.append(position)
            case .fact(let fact): facts.append(fact)
            }
        }
        return sent
    }
    mutating func welcome(incarnation: UInt64 = 1) -> [Message] {
        var message = Message.hello(70, incarnation: incarnation)
        message.header.command = .welcome
        return handle(.message(message))
    }
    /// The journal answers the last question.
    mutating func tail(
        _ sequences: [UInt64], through: UInt64, head: UInt64, epoch: UInt64 = 1,
        answers id: RequestID? = nil
    ) -> [Message] {
        var message = Message(Header(.tail, requestID: id ?? question?.header.requestID ?? .zero))
        message.fields.position = Position(epoch: epoch, sequence: head)
        message.fields.leastPosition = Position(epoch: epoch, sequence: through)
        message.body = Record.encodeList(
            sequences.map { sequence in
                var record = Record(fields: Fields(), body: [])
                record.fields.position = Position(epoch: epoch, sequence: sequence)
                return record
            })
        return handle(.message(message))
    }
    mutating func pass(_ milliseconds: UInt64, isAnswered: Bool = true) -> [Message] {
        let end = clock + milliseconds
        var sent: [Message] = []
        while clock < end {
            clock = min(end, clock + 10)
            if isAnswered, clock % 100 == 0 { sent += handle(.message(Message(Header(.pong)))) }
            sent += handle(.tick)
        }
        return sent
    }
}

@Suite struct ReplicaTests {
    private func at(_ sequence: UInt64, epoch: UInt64 = 1) -> Position {
        Position(epoch: epoch, sequence: sequence)
    }

    @Test func anEmptyReplicaAsksFromTheStart() throws {
        let bench = ReplicaBench()
        let question = try #require(bench.question)
        #expect(question.fields.leastPosition == nil)
        #expect(question.fields.streams == ["catalog"])
        #expect(!question.header.flags.contains(.wait))
    }

    @Test func onlyAReplicaThatIsCaughtUpLetsTheJournalWait() {
        var bench = ReplicaBench(position: at(5))
        _ = bench.tail([], through: 5, head: 5)
        #expect(bench.question?.header.flags.contains(.wait) == true)
        _ = bench.tail([6], through: 6, head: 8)
        _ = bench.handle(.applied(through: at(6)))
        #expect(bench.question?.header.flags.contains(.wait) == false)
    }

    @Test func recordsAreAppliedAndTheNextOnesAskedFor() throws {
        var bench = ReplicaBench()
        #expect(bench.tail([1, 3], through: 4, head: 9).isEmpty)
        #expect(bench.applied.map(\.sequences) == [[1, 3]])
        #expect(bench.applied.first?.through == at(4))
        #expect(bench.resets.isEmpty)
        let next = bench.handle(.applied(through: at(4)))
        #expect(next.map(\.fields.leastPosition) == [at(4)])
        #expect(bench.caughtUp.isEmpty)
        _ = bench.tail([], through: 9, head: 9)
        #expect(bench.applied.last?.sequences == [])
        _ = bench.handle(.applied(through: at(9)))
        #expect(bench.caughtUp == [at(9)])
        #expect(bench.replica.position == at(9))
    }

    @Test func recordsKnownAlreadyAreLeftOut() {
        var bench = ReplicaBench(position: at(5))
        _ = bench.tail([4, 5, 6], through: 6, head: 6)
        #expect(bench.applied.map(\.sequences) == [[6]])
    }

    @Test func aReplicaThatLacksNothingIsCaughtUpAtOnce() {
        var bench = ReplicaBench(position: at(5))
        let sent = bench.tail([], through: 5, head: 5)
        #expect(bench.applied.isEmpty)
        #expect(bench.caughtUp == [at(5)])
        #expect(sent.map(\.command) == [.subscribe])
    }

    @Test func theStoreLearnsOfAJournalThatHoldsNothing() {
        var bench = ReplicaBench()
        _ = bench.tail([], through: 0, head: 0)
        #expect(bench.applied.map(\.through) == [at(0)])
        _ = bench.handle(.applied(through: at(0)))
        #expect(bench.caughtUp == [at(0)])
    }

    @Test func anAnswerToAnEarlierQuestionIsDropped() {
        var bench = ReplicaBench()
        let old = bench.question?.header.requestID
        _ = bench.tail([1], through: 1, head: 2)
        _ = bench.handle(.applied(through: at(1)))
        _ = bench.tail([1], through: 1, head: 2, answers: old)
        #expect(bench.applied.count == 1)
        #expect(bench.facts.contains(.stale))
    }

    @Test func anotherEpochBeginsFromTheStart() {
        var bench = ReplicaBench(position: at(50))
        _ = bench.tail([1, 2], through: 2, head: 2, epoch: 8)
        #expect(bench.resets == [8])
        #expect(bench.applied.map(\.sequences) == [[1, 2]])
        _ = bench.handle(.applied(through: at(2, epoch: 8)))
        #expect(bench.caughtUp == [at(2, epoch: 8)])
    }

    @Test func theQuestionIsAskedAgainWhenNothingComes() throws {
        var bench = ReplicaBench()
        let first = try #require(bench.question?.header.requestID)
        let sent = bench.pass(650).filter { $0.command == .subscribe }
        #expect(sent.count == 1)
        #expect(bench.question?.header.requestID != first)
    }

    @Test func nothingIsAskedWhileTheStoreIsBusy() {
        var bench = ReplicaBench()
        _ = bench.tail([1], through: 1, head: 2)
        #expect(bench.pass(2_000).filter { $0.command == .subscribe }.isEmpty)
    }

    @Test func aSilentJournalIsReachedAnew() {
        var bench = ReplicaBench()
        let sent = bench.pass(700, isAnswered: false)
        #expect(bench.reconnects == 1)
        #expect(sent.contains { $0.command == .hello })
        #expect(bench.welcome().map(\.command) == [.subscribe])
    }

    @Test func aRestartedJournalIsAskedAgain() {
        var bench = ReplicaBench()
        let hello = bench.handle(.message(.error(.wrongState, "HELLO comes first")))
        #expect(hello.map(\.command) == [.hello])
        #expect(bench.welcome(incarnation: 2).map(\.command) == [.subscribe])
    }

    @Test func aListThatCannotBeReadIsReportedAndAskedForLater() {
        var bench = ReplicaBench()
        var message = Message(
            Header(.tail, requestID: bench.question?.header.requestID ?? .zero))
        message.fields.position = at(1)
        message.body = [0, 0, 0, 9, 1]
        #expect(bench.handle(.message(message)).isEmpty)
        #expect(bench.facts.contains { if case .malformed = $0 { true } else { false } })
        #expect(bench.pass(650).contains { $0.command == .subscribe })
    }
}

/// Snapshots and keys, as a replica takes them.
@Suite(.timeLimit(.minutes(1)))
struct ReplicaSnapshotTests {
    private func at(_ sequence: UInt64, epoch: UInt64 = 1) -> Position {
        Position(epoch: epoch, sequence: sequence)
    }
    private let snapshot = ContentHash(bytes: [UInt8](repeating: 7, count: 32))

    /// A replica that was told of a snapshot of 4 chunks at position 40, and its FETCHes.
    private func begun(from position: Position? = nil) -> (ReplicaBench, [Message]) {
        var bench = ReplicaBench(position: position)
        var tail = Message(Header(.tail, requestID: bench.question?.header.requestID ?? .zero))
        tail.fields.position = at(50)
        tail.fields.leastPosition = at(40)
        tail.fields.snapshot = snapshot
        tail.fields.set(.chunksTotal, integer: UInt32(4))
        let sent = bench.handle(.message(tail))
        return (bench, sent)
    }

    private func answer(_ fetch: Message, with index: UInt32) -> Message {
        var chunk = Message(
            Header(.chunk, requestID: fetch.header.requestID), body: [UInt8(index)])
        chunk.fields.position = at(50)
        chunk.fields.leastPosition = at(40)
        chunk.fields.snapshot = snapshot
        chunk.fields.set(.chunk, integer: index)
        chunk.fields.set(.chunksTotal, integer: UInt32(4))
        chunk.fields.set(.chunkHash, [UInt8](repeating: 3, count: 16))
        return chunk
    }

    @Test func chunksAreFetchedAheadAndAppliedInOrder() {
        var (bench, fetches) = begun(from: at(3))
        #expect(bench.resets == [1])
        #expect(fetches.map(\.command) == [.fetch, .fetch, .fetch])
        #expect(fetches.map { $0.fields.integer(.chunk, as: UInt32.self) } == [0, 1, 2])
        // The second one comes first and waits.
        fetches += bench.handle(.message(answer(fetches[1], with: 1)))
        #expect(bench.loads.isEmpty)
        fetches += bench.handle(.message(answer(fetches[0], with: 0)))
        #expect(bench.loads.map(\.index) == [0])
        fetches += bench.handle(.loaded(chunk: 0))
        #expect(bench.loads.map(\.index) == [0, 1])
        #expect(bench.loads.last?.snapshot.nextChunk == 2)
    }

    @Test func chunksOfUnwantedStreamsAreSkippedAndTheEndIsSaid() {
        var (bench, fetches) = begun()
        // Chunks 0 and 1 are of another stream; 3 is the last one.
        fetches += bench.handle(.message(answer(fetches[0], with: 2)))
        fetches += bench.handle(.loaded(chunk: 2))
        fetches += bench.handle(.message(answer(fetches[1], with: 2)))
        fetches += bench.handle(.message(answer(fetches[2], with: 2)))
        #expect(bench.loads.map(\.index) == [2])
        let third = fetches.first { $0.fields.integer(.chunk, as: UInt32.self) == 3 }
        guard let third else {
            Issue.record("chunk 3 is not asked for")
            return
        }
        fetches += bench.handle(.message(answer(third, with: 4)))
        #expect(bench.finished == [at(40)])
        let sent = bench.handle(.applied(through: at(40)))
        #expect(sent.map(\.command) == [.subscribe])
        #expect(sent.first?.fields.leastPosition == at(40))
    }

    @Test func aDamagedChunkIsFetchedAgain() {
        var (bench, fetches) = begun()
        fetches += bench.handle(.message(answer(fetches[0], with: 0)))
        let again = bench.handle(.loadFailed(chunk: 0, "its bytes do not have its hash"))
        #expect(again.first?.fields.integer(.chunk, as: UInt32.self) == 0)
        #expect(bench.facts.contains(.damagedChunk(0, "its bytes do not have its hash")))
    }

    @Test func aSnapshotThatIsGoneIsAskedForAnew() {
        var (bench, fetches) = begun()
        let sent = bench.handle(
            .message(.error(.notFound, "gone", requestID: fetches[0].header.requestID)))
        #expect(sent.map(\.command) == [.subscribe])
        fetches = []
    }

    @Test func anInterruptedSnapshotGoesOnWhereItWas() {
        let partial = PartialSnapshot(
            id: snapshot ?? ContentHash(bytes: [UInt8](repeating: 0, count: 32))!,
            position: at(40), nextChunk: 2)
        var replica = Replica(
            ReplicaConfiguration(
                identity: Identity(high: 5, low: 5), incarnation: 2, streams: ["catalog"],
                position: nil, partialSnapshot: partial))
        let now = Now(
            monotonic: MonotonicTime(nanoseconds: 9_000_000), wall: Timestamp(milliseconds: 0))
        var actions: [ReplicaAction] = []
        replica.handle(.tick, at: now, into: &actions)
        var welcome = Message.hello(70, incarnation: 1)
        welcome.header.command = .welcome
        replica.handle(.message(welcome), at: now, into: &actions)
        let chunks = actions.compactMap { action -> UInt32? in
            guard case .send(let message) = action, message.command == .fetch else { return nil }
            return message.fields.integer(.chunk)
        }
        #expect(chunks == [2, 3, 4])
    }

    @Test func keysComeBeforeAnythingElseWhereAccountsAreFollowed() throws {
        var replica = Replica(
            ReplicaConfiguration(
                identity: Identity(high: 5, low: 5), incarnation: 2,
                streams: ["account", "calendar"], position: at(3)))
        let now = Now(
            monotonic: MonotonicTime(nanoseconds: 9_000_000), wall: Timestamp(milliseconds: 0))
        func step(_ event: ReplicaEvent) -> [ReplicaAction] {
            var actions: [ReplicaAction] = []
            replica.handle(event, at: now, into: &actions)
            return actions
        }
        func commands(_ actions: [ReplicaAction]) -> [Message] {
            actions.compactMap { action in
                guard case .send(let message) = action else { return nil }
                return message
            }
        }
        _ = step(.tick)
        var welcome = Message.hello(70, incarnation: 1)
        welcome.header.command = .welcome
        let asked = commands(step(.message(welcome)))
        #expect(asked.map(\.command) == [.keys])
        let keys = (1...3).map { number in
            AccountKey(
                id: KeyID(bytes: [UInt8](repeating: UInt8(number), count: 16))!,
                account: "a\(number)", secret: [UInt8](repeating: 0, count: 32))
        }
        var page = Message(Header(.keyring, requestID: asked[0].header.requestID))
        page.fields.accountKeys = Array(keys[..<2])
        let next = commands(step(.message(page)))
        #expect(next.map(\.command) == [.keys])
        #expect(next.first?.fields.keyID == keys[1].id)
        var last = Message(
            Header(.keyring, requestID: next[0].header.requestID, flags: .complete))
        last.fields.accountKeys = [keys[2]]
        let actions = step(.message(last))
        #expect(commands(actions).map(\.command) == [.subscribe])
        guard case .replaceKeys(let all)? = actions.first else {
            Issue.record("the keys are not handed over")
            return
        }
        #expect(all == keys)

        // A snapshot holds what is under keys that no TAIL brought: they are asked for again.
        let subscribe = try #require(commands(actions).first)
        var tail = Message(Header(.tail, requestID: subscribe.header.requestID))
        tail.fields.position = at(50)
        tail.fields.leastPosition = at(40)
        tail.fields.snapshot = snapshot
        tail.fields.set(.chunksTotal, integer: UInt32(4))
        let again = commands(step(.message(tail)))
        #expect(again.map(\.command) == [.keys])
        #expect(again.first?.fields.keyID == nil)
        var whole = Message(
            Header(.keyring, requestID: again[0].header.requestID, flags: .complete))
        whole.fields.accountKeys = keys
        #expect(commands(step(.message(whole))).map(\.command) == [.fetch, .fetch, .fetch])
    }
}
