import Journal
import Messages
import Queue
import Testing

/// Snapshots, keys and gathering, as the journal's machine handles them.
@Suite(.timeLimit(.minutes(1)))
struct JournalServerQuestionTests {
    private typealias Harness = ServerHarness
    private let replica: [UInt8] = [1]

    private func snapshot(_ sequence: UInt64) -> Snapshot {
        Snapshot(
            position: position(sequence),
            chunks: [
                Snapshot.Chunk(
                    stream: "catalog", byteCount: 1, hash: [UInt8](repeating: 1, count: 16)),
                Snapshot.Chunk(
                    stream: "calendar", byteCount: 1, hash: [UInt8](repeating: 2, count: 16)),
            ], blobs: [])
    }
    private func position(_ sequence: UInt64) -> Position {
        Position(epoch: Harness.epoch, sequence: sequence)
    }
    private func subscribe(at sequence: UInt64?) -> Message {
        var message = Message(Header(.subscribe, requestID: RequestID(high: 4, low: 4)))
        message.fields.streams = ["catalog"]
        message.fields.leastPosition = sequence.map { position($0) }
        return message
    }

    @Test func aReplicaWithoutWhatIsGoneIsSentToTheSnapshot() throws {
        let harness = Harness(head: 50)
        harness.connect(replica)
        let offered = snapshot(40)
        harness.handle(
            .holds(JournalHoldings(firstSequence: 31, snapshot: SnapshotOffer(offered))))
        for known in [nil, 12 as UInt64, 29] {
            harness.handle(.message(subscribe(at: known), from: replica))
            let tail = try #require(harness.takeOne())
            #expect(tail.command == .tail)
            #expect(tail.fields.snapshot == offered.id)
            #expect(tail.fields.leastPosition == position(40))
            #expect(tail.fields.integer(.chunksTotal, as: UInt32.self) == 2)
        }
        // Who has the record before the first that is kept goes on from there.
        harness.handle(.message(subscribe(at: 30), from: replica))
        #expect(harness.takeRead()?.after == 30)
    }

    @Test func withoutASnapshotWhatIsGoneIsSaidToBeGone() throws {
        let harness = Harness(head: 50)
        harness.connect(replica)
        harness.handle(.holds(JournalHoldings(firstSequence: 31, snapshot: nil)))
        harness.handle(.message(subscribe(at: 3), from: replica))
        #expect(harness.takeOne()?.errorCode == .journalUnavailable)
    }

    @Test func aChunkCarriesItsHashAndAMissingSnapshotIsNotFound() throws {
        let harness = Harness(head: 50)
        harness.connect(replica)
        var fetch = Message(Header(.fetch, requestID: RequestID(high: 6, low: 1)))
        fetch.fields.snapshot = snapshot(40).id
        fetch.fields.set(.chunk, integer: UInt32(0))
        fetch.fields.streams = ["calendar"]
        harness.handle(.message(fetch, from: replica))
        guard case .fetch(let id, 0, ["calendar"], let question)? = harness.questions.last else {
            Issue.record("no fetch")
            return
        }
        #expect(id == snapshot(40).id)
        let chunk = FetchedChunk(snapshot: snapshot(40), index: 1, bytes: [9, 9])
        harness.handle(.chunk(chunk, for: question))
        let answer = try #require(harness.takeOne())
        #expect(answer.command == .chunk)
        #expect(answer.header.requestID == RequestID(high: 6, low: 1))
        #expect(answer.fields[.chunkHash] == [UInt8](repeating: 2, count: 16))
        #expect(answer.fields.integer(.chunk, as: UInt32.self) == 1)
        #expect(answer.body == [9, 9])
        harness.handle(.message(fetch, from: replica))
        guard case .fetch(_, _, _, let second)? = harness.questions.last else { return }
        harness.handle(.chunk(nil, for: second))
        #expect(harness.takeOne()?.errorCode == .notFound)
    }

    @Test func keysComeInPagesAndTheLastOneSaysSo() throws {
        let harness = Harness()
        harness.connect(replica)
        harness.handle(.message(Message(Header(.keys)), from: replica))
        guard case .keys(nil, nil, let question)? = harness.questions.last else {
            Issue.record("no lookup")
            return
        }
        let key = AccountKey.random(for: "ada")
        harness.handle(.keys([key], isLast: true, for: question))
        let keyring = try #require(harness.takeOne())
        #expect(keyring.command == .keyring)
        #expect(keyring.fields.accountKeys == [key])
        #expect(keyring.header.flags.contains(.complete))
    }

    @Test func questionsOfOnePeerAreBounded() {
        let harness = Harness { $0.questionsMax = 2 }
        harness.connect(replica)
        for _ in 0..<3 { harness.handle(.message(Message(Header(.keys)), from: replica)) }
        #expect(harness.questions.count == 2)
        #expect(harness.takeOne()?.errorCode == .overloaded)
    }

    @Test func strangersGetNoKeys() {
        let harness = Harness()
        harness.handle(.message(Message(Header(.keys)), from: [77]))
        #expect(harness.questions.isEmpty)
        #expect(harness.takeOne()?.errorCode == .wrongState)
    }

    @Test func changesSideBySideAreGatheredForTwoMilliseconds() throws {
        let harness = Harness()
        harness.connect(replica)
        for number in 1...3 as ClosedRange<UInt64> {
            harness.handle(.message(Harness.change(number), from: replica))
        }
        let alone = try #require(harness.takeGroup())
        harness.handle(.appended([(alone[0].ticket, Harness.stored(1))], head: position(1)))
        let pair = try #require(harness.takeGroup())
        #expect(pair.count == 2)
        harness.handle(
            .appended(
                [(pair[0].ticket, Harness.stored(2)), (pair[1].ticket, Harness.stored(3))],
                head: position(3)))
        // The last group had company, so the next change waits for some.
        harness.handle(.message(Harness.change(4), from: replica))
        #expect(harness.takeGroup() == nil)
        harness.milliseconds += 2
        harness.handle(.tick)
        let late = try #require(harness.takeGroup())
        #expect(late.count == 1)
        harness.handle(.appended([(late[0].ticket, Harness.stored(4))], head: position(4)))
    }

    @Test func asManyAsLastTimeNeedNotWaitForMore() throws {
        let harness = Harness()
        harness.connect(replica)
        for number in 1...3 as ClosedRange<UInt64> {
            harness.handle(.message(Harness.change(number), from: replica))
        }
        let alone = try #require(harness.takeGroup())
        harness.handle(.appended([(alone[0].ticket, Harness.stored(1))], head: position(1)))
        let pair = try #require(harness.takeGroup())
        harness.handle(
            .appended(
                [(pair[0].ticket, Harness.stored(2)), (pair[1].ticket, Harness.stored(3))],
                head: position(3)))
        harness.handle(.message(Harness.change(4), from: replica))
        #expect(harness.takeGroup() == nil)
        harness.handle(.message(Harness.change(5), from: replica))
        #expect(harness.takeGroup()?.count == 2)
    }
}
