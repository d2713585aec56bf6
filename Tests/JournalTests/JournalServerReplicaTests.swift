import Journal
import Messages
import Testing

/// How the server serves replicas.
@Suite(.timeLimit(.minutes(5)))
struct JournalServerReplicaTests {
    private typealias Harness = ServerHarness
    private let replica: [UInt8] = [0, 2]

    private func connected(head: UInt64) -> ServerHarness {
        let harness = Harness(head: head)
        harness.connect(replica)
        return harness
    }
    private func position(_ sequence: UInt64) -> Position {
        Position(epoch: Harness.epoch, sequence: sequence)
    }

    @Test func replicaGetsWhatStandsBehindItsPosition() throws {
        let harness = connected(head: 9)
        harness.handle(.message(Harness.subscribe(1, after: 4), from: replica))
        let read = try #require(harness.takeRead())
        #expect(read.after == 4)
        #expect(read.streams == ["catalog"])
        #expect(harness.take().isEmpty)
        let records = (5...7).map { Harness.record($0, stream: "catalog") }
        let hash = try Make.hash([1])
        harness.handle(.read(read.ticket, TailPart(records: records, blobs: [(hash, [1])])))
        let tail = try #require(harness.takeOne())
        #expect(tail.command == .tail)
        #expect(tail.header.requestID == RequestID(high: 2, low: 1))
        #expect(tail.fields.position == position(9))
        #expect(tail.fields.leastPosition == position(7))
        #expect(tail.fields.attachmentHashes == [hash])
        #expect(tail.attachments == [[1]])
        #expect(try Record.decodeList(tail.body) == records)
    }

    @Test func replicaWithoutPositionBeginsAtTheStart() throws {
        let harness = connected(head: 9)
        harness.handle(.message(Harness.subscribe(1), from: replica))
        #expect(harness.takeRead()?.after == 0)
    }

    @Test func positionOfAnotherEpochBeginsAtTheStart() throws {
        let harness = connected(head: 9)
        harness.handle(.message(Harness.subscribe(1, after: 700, epoch: 51), from: replica))
        let read = try #require(harness.takeRead())
        #expect(read.after == 0)
        let records = [Harness.record(1, stream: "catalog")]
        harness.handle(.read(read.ticket, TailPart(records: records, blobs: [])))
        #expect(harness.takeOne()?.fields.position?.epoch == Harness.epoch)
    }

    @Test(arguments: [nil, 7])
    func emptyJournalTellsItsEpochAtOnceToWhoDoesNotKnowIt(after: UInt64?) throws {
        let harness = connected(head: 0)
        harness.handle(.message(Harness.subscribe(1, after: after, epoch: 51), from: replica))
        let tail = try #require(harness.takeOne())
        #expect(tail.fields.position == position(0))
        #expect(tail.fields.leastPosition == position(0))
        harness.handle(.message(Harness.subscribe(2, after: 0), from: replica))
        #expect(harness.take().isEmpty)
    }

    @Test func positionAheadOfTheJournalIsRefused() throws {
        let harness = connected(head: 9)
        harness.handle(.message(Harness.subscribe(1, after: 10), from: replica))
        #expect(harness.takeOne()?.errorCode == .refused)
        #expect(harness.takeRead() == nil)
    }

    @Test func currentReplicaWaitsForSomethingNew() throws {
        let harness = connected(head: 9)
        harness.handle(.message(Harness.subscribe(1, after: 9), from: replica))
        #expect(harness.take().isEmpty)
        #expect(harness.takeRead() == nil)
        harness.handle(.appended([], head: position(10)))
        let read = try #require(harness.takeRead())
        #expect(read.after == 9)
        let records = [Harness.record(10, stream: "catalog")]
        harness.handle(.read(read.ticket, TailPart(records: records, blobs: [])))
        #expect(harness.takeOne()?.fields.leastPosition == position(10))
        harness.handle(.appended([], head: position(11)))
        #expect(harness.takeRead() == nil)
    }

    @Test func replicaThatDoesNotWaitGetsAnEmptyTail() throws {
        let harness = connected(head: 9)
        harness.handle(.message(Harness.subscribe(1, after: 9, waits: false), from: replica))
        let tail = try #require(harness.takeOne())
        #expect(tail.body.isEmpty)
        #expect(tail.fields.position == position(9))
        #expect(tail.fields.leastPosition == position(9))
    }

    @Test func otherStreamsAreLeftOutButThePositionMoves() throws {
        let harness = connected(head: 3)
        harness.handle(.message(Harness.subscribe(1, after: 0), from: replica))
        let read = try #require(harness.takeRead())
        let records = [
            Harness.record(1, stream: "calendar"), Harness.record(2, stream: "catalog"),
            Harness.record(3, stream: "calendar"),
        ]
        harness.handle(.read(read.ticket, TailPart(records: records, blobs: [])))
        let tail = try #require(harness.takeOne())
        #expect(try Record.decodeList(tail.body) == [records[1]])
        #expect(tail.fields.leastPosition == position(3))
    }

    @Test func serverReadsOnUntilItFindsAWantedStreamOrTheHead() throws {
        let harness = connected(head: 4)
        harness.handle(.message(Harness.subscribe(1, after: 0), from: replica))
        var read = try #require(harness.takeRead())
        for sequence in 1...4 as ClosedRange<UInt64> {
            #expect(read.after == sequence - 1)
            let records = [Harness.record(sequence, stream: "calendar")]
            harness.handle(.read(read.ticket, TailPart(records: records, blobs: [])))
            guard sequence < 4 else { break }
            #expect(harness.take().isEmpty)
            read = try #require(harness.takeRead())
        }
        let tail = try #require(harness.takeOne())
        #expect(tail.body.isEmpty)
        #expect(tail.fields.leastPosition == position(4))
    }

    @Test func noStreamMeansAllOfThem() throws {
        let harness = connected(head: 2)
        harness.handle(.message(Harness.subscribe(1, after: 0, streams: []), from: replica))
        let read = try #require(harness.takeRead())
        let records = [
            Harness.record(1, stream: "calendar"), Harness.record(2, stream: "catalog"),
        ]
        harness.handle(.read(read.ticket, TailPart(records: records, blobs: [])))
        #expect(try Record.decodeList(try #require(harness.takeOne()).body) == records)
    }

    @Test func subscriptionSentAgainDuringItsReadIsAnsweredOnce() throws {
        let harness = connected(head: 2)
        harness.handle(.message(Harness.subscribe(1, after: 0), from: replica))
        harness.handle(.message(Harness.subscribe(2, after: 0), from: replica))
        let read = try #require(harness.takeRead())
        #expect(harness.takeRead() == nil)
        harness.handle(
            .read(read.ticket, TailPart(records: [Harness.record(1, stream: "catalog")], blobs: []))
        )
        #expect(harness.takeOne()?.header.requestID.low == 2)
    }

    @Test func laterSubscriptionReplacesAnEarlierOne() throws {
        let harness = connected(head: 5)
        harness.handle(.message(Harness.subscribe(1, after: 0), from: replica))
        harness.handle(.message(Harness.subscribe(2, after: 3), from: replica))
        let old = try #require(harness.takeRead())
        let new = try #require(harness.takeRead())
        harness.handle(
            .read(old.ticket, TailPart(records: [Harness.record(1, stream: "catalog")], blobs: [])))
        #expect(harness.take().isEmpty)
        harness.handle(
            .read(new.ticket, TailPart(records: [Harness.record(4, stream: "catalog")], blobs: [])))
        #expect(harness.takeOne()?.fields.leastPosition == position(4))
    }

    @Test func readMayBeAheadOfWhatTheServerKnows() throws {
        let harness = connected(head: 5)
        harness.handle(.message(Harness.subscribe(1, after: 4), from: replica))
        let read = try #require(harness.takeRead())
        let records = (5...6).map { Harness.record($0, stream: "catalog") }
        harness.handle(.read(read.ticket, TailPart(records: records, blobs: [])))
        #expect(harness.takeOne()?.fields.position == position(6))
        harness.handle(.message(Harness.subscribe(2, after: 6), from: replica))
        #expect(harness.take().isEmpty)
    }

    @Test func failedReadIsSaidAndTheReplicaMayAskAgain() throws {
        let harness = connected(head: 5)
        harness.handle(.message(Harness.subscribe(1, after: 4), from: replica))
        let read = try #require(harness.takeRead())
        harness.handle(.readFailed(read.ticket, "damaged"))
        let error = try #require(harness.takeOne())
        #expect(error.errorCode == .journalUnavailable)
        #expect(error.header.requestID.low == 1)
        harness.handle(.message(Harness.subscribe(2, after: 4), from: replica))
        #expect(harness.takeRead() != nil)
    }

    @Test func replicaThatLeftGetsNothing() throws {
        let harness = connected(head: 5)
        harness.handle(.message(Harness.subscribe(1, after: 4), from: replica))
        let read = try #require(harness.takeRead())
        harness.handle(.undeliverable(replica))
        harness.handle(
            .read(read.ticket, TailPart(records: [Harness.record(5, stream: "catalog")], blobs: []))
        )
        #expect(harness.take().isEmpty)
    }
}
