import Journal
import Messages
import Testing

/// How the server takes changes.
@Suite(.timeLimit(.minutes(5)))
struct JournalServerChangeTests {
    private typealias Harness = ServerHarness
    private let router: [UInt8] = [0, 1]

    @Test func changeIsAcknowledgedOnlyOnceItIsSynced() throws {
        let harness = Harness()
        harness.connect(router)
        harness.handle(.message(Harness.change(1), from: router))
        #expect(harness.take().isEmpty)
        let group = try #require(harness.takeGroup())
        #expect(group.count == 1)
        let entry = group[0].entry
        #expect(entry.recordedTime == Timestamp(milliseconds: 1_700_000_001_000))
        #expect(entry.record.fields.text(.changeID) == "c1")
        harness.handle(
            .appended(
                [(group[0].ticket, Harness.stored(1))],
                head: Position(epoch: Harness.epoch, sequence: 1)))
        let ack = try #require(harness.takeOne())
        #expect(ack.command == .ack)
        #expect(ack.header.requestID == RequestID(high: 1, low: 1))
        #expect(ack.fields.position == Position(epoch: Harness.epoch, sequence: 1))
        #expect(harness.server.head.sequence == 1)
    }

    @Test func changesThatComeMeanwhileAreTheNextGroup() throws {
        let harness = Harness { $0.groupRecordsMax = 3 }
        harness.connect(router)
        for number in 1...6 as ClosedRange<UInt64> {
            harness.handle(.message(Harness.change(number), from: router))
        }
        let first = try #require(harness.takeGroup())
        #expect(first.count == 1)
        #expect(harness.takeGroup() == nil)
        harness.handle(.appended([(first[0].ticket, Harness.stored(1))], head: position(1)))
        let second = try #require(harness.takeGroup())
        #expect(second.map { $0.entry.record.fields.text(.changeID) } == ["c2", "c3", "c4"])
        #expect(harness.takeGroup() == nil)
        let outcomes = zip(second, 2...4).map { ($0.ticket, Harness.stored($1)) }
        harness.handle(.appended(outcomes, head: position(4)))
        #expect(try #require(harness.takeGroup()).count == 2)
        let acks = harness.take().filter { $0.message.command == .ack }
        #expect(acks.map { $0.message.header.requestID.low } == [1, 2, 3, 4])
        #expect(harness.server.pendingCount == 2)
    }

    @Test func groupIsBoundedInBytesButHoldsAtLeastOne() throws {
        let harness = Harness { $0.groupBytesMax = 100 }
        harness.connect(router)
        let large = [UInt8](repeating: 1, count: 60)
        for number in 1...4 as ClosedRange<UInt64> {
            let blob = number == 4 ? [UInt8](repeating: 2, count: 500) : large
            harness.handle(.message(Harness.change(number, blobs: [blob]), from: router))
        }
        var sizes: [Int] = []
        var head: UInt64 = 0
        while let group = harness.takeGroup() {
            sizes.append(group.count)
            let outcomes = group.map { change in
                head += 1
                return (change.ticket, Harness.stored(head))
            }
            harness.handle(.appended(outcomes, head: position(head)))
        }
        #expect(sizes == [1, 1, 1, 1])
    }

    @Test func duplicateAndRefusedChangesAreAnsweredEachInItsWay() throws {
        let harness = Harness(head: 9)
        harness.connect(router)
        for number in 1...3 as ClosedRange<UInt64> {
            harness.handle(.message(Harness.change(number), from: router))
        }
        let first = try #require(harness.takeGroup())
        harness.handle(
            .appended([(first[0].ticket, .duplicate(position(4)))], head: position(9)))
        #expect(harness.takeOne()?.fields.position == position(4))
        let second = try #require(harness.takeGroup())
        harness.handle(
            .appended(
                [(second[0].ticket, .refused("no blob")), (second[1].ticket, Harness.stored(10))],
                head: position(10)))
        let answers = harness.take().map(\.message)
        #expect(answers.map(\.command) == [.error, .ack])
        #expect(answers[0].errorCode == .refused)
        #expect(answers[0].fields.text(.errorText) == "no blob")
        #expect(
            harness.facts.suffix(2) == [
                .stored(records: 0, duplicates: 1, refused: 0),
                .stored(records: 1, duplicates: 0, refused: 1),
            ])
    }

    @Test func acknowledgementHasTheBodyThatBelongsToIt() throws {
        let harness = Harness()
        harness.connect(router)
        harness.handle(.message(Harness.change(1), from: router))
        let first = try #require(harness.takeGroup())
        for number in 2...3 as ClosedRange<UInt64> {
            harness.handle(.message(Harness.change(number), from: router))
        }
        harness.handle(.appended([(first[0].ticket, Harness.stored(1))], head: position(1)))
        #expect(harness.takeOne()?.body == [])
        let second = try #require(harness.takeGroup())
        let outcomes = zip(second, 2...3).map { ($0.ticket, Harness.stored($1)) }
        harness.handle(
            .appended(outcomes, head: position(3), bodies: [second[1].ticket: [7, 8]]))
        #expect(harness.take().map(\.message.body) == [[], [7, 8]])
    }

    @Test func changeWithoutAccessIsAnsweredWithWhatWasRefused() throws {
        let harness = Harness {
            $0.parts = { record, most in
                Array(["a@x", "b@x"].prefix(most)) + [record.fields.text(.changeID) ?? ""]
            }
        }
        harness.connect(router)
        harness.handle(.message(Harness.change(1), from: router))
        let group = try #require(harness.takeGroup())
        harness.handle(
            .appended([(group[0].ticket, .accessRequired(.calendar, .denied))], head: position(0)))
        let answer = try #require(harness.takeOne())
        #expect(answer.errorCode == .accessRequired)
        #expect(answer.header.requestID.low == 1)
        #expect(
            AccessRefusal(parsing: answer.body)
                == AccessRefusal(store: .calendar, access: .denied, refused: ["a@x", "b@x", "c1"]))
        #expect(harness.facts.last == .stored(records: 0, duplicates: 0, refused: 1))
    }

    @Test func failedAppendEndsAllAcknowledging() throws {
        let harness = Harness()
        harness.connect(router)
        for number in 1...3 as ClosedRange<UInt64> {
            harness.handle(.message(Harness.change(number), from: router))
        }
        let group = try #require(harness.takeGroup())
        harness.handle(.appendFailed(group.map(\.ticket), "no space is left"))
        let errors = harness.take().map(\.message)
        #expect(errors.map { $0.header.requestID.low } == [1, 2, 3])
        #expect(errors.allSatisfy { $0.errorCode == .journalUnavailable })
        #expect(errors.allSatisfy { $0.fields.text(.errorText) == "no space is left" })
        harness.handle(.message(Harness.change(4), from: router))
        #expect(harness.takeOne()?.errorCode == .journalUnavailable)
        #expect(harness.takeGroup() == nil)
        #expect(harness.server.stopReason == "no space is left")
        #expect(harness.facts.contains(.stopped("no space is left")))
    }

    @Test func replicasAreStillServedAfterAFailedAppend() throws {
        let harness = Harness(head: 5)
        harness.connect(router)
        harness.handle(.message(Harness.change(1), from: router))
        let group = try #require(harness.takeGroup())
        harness.handle(.appendFailed(group.map(\.ticket), "no space is left"))
        _ = harness.take()
        harness.handle(.message(Harness.subscribe(1, after: 3), from: router))
        #expect(harness.takeRead()?.after == 3)
    }

    @Test func fullQueueSaysWhenToTryAgain() throws {
        let harness = Harness {
            $0.pendingMax = 2
            $0.retryAfterMilliseconds = 70
        }
        harness.connect(router)
        for number in 1...3 as ClosedRange<UInt64> {
            harness.handle(.message(Harness.change(number), from: router))
        }
        let error = try #require(harness.takeOne())
        #expect(error.errorCode == .overloaded)
        #expect(error.header.requestID.low == 3)
        #expect(error.fields.integer(.retryAfter) == UInt32(70))
    }

    @Test func fullQueueIsAlsoCountedInBytes() throws {
        let harness = Harness { $0.pendingBytesMax = 100 }
        harness.connect(router)
        let blob = [UInt8](repeating: 1, count: 80)
        for number in 1...3 as ClosedRange<UInt64> {
            harness.handle(.message(Harness.change(number, blobs: [blob]), from: router))
        }
        // The first one is with the backend, the second one waits.
        #expect(harness.takeOne()?.errorCode == .overloaded)
        #expect(harness.server.pendingCount == 2)
    }

    /// What is wrong with a change, and what the answer says.
    enum Fault: CaseIterable {
        case unknownKind, noSource, emptyChangeID, badBody, longBody, strangeAttachment
        case unknownRole, tooManyBlobs

        var expected: ErrorCode {
            switch self {
            case .noSource, .emptyChangeID: .badRequest
            case .longBody, .tooManyBlobs: .tooLarge
            case .unknownKind, .badBody, .strangeAttachment, .unknownRole: .refused
            }
        }

        func apply(to message: inout Message) throws {
            switch self {
            case .unknownKind: message.fields.set(.recordKind, text: "entity.paint")
            case .noSource: message.fields.set(.source, nil)
            case .emptyChangeID: message.fields.set(.changeID, text: "")
            case .badBody: message.body = Array("bad".utf8)
            case .longBody: message.body = [UInt8](repeating: 0x20, count: Limits.bodyBytesMax + 1)
            case .strangeAttachment:
                message.fields.attachmentHashes = [try Make.hash([1])]
                message.attachments = [[1]]
            case .unknownRole:
                message.fields.append(.blob, [99] + (try Make.hash([1])).bytes)
            case .tooManyBlobs:
                message.fields.blobs = try (0...Limits.blobsPerRecordMax).map {
                    BlobReference(role: .print, hash: try Make.hash([UInt8($0)]))
                }
            }
        }
    }

    @Test(arguments: Fault.allCases)
    func faultyChangeIsRefusedAtOnce(fault: Fault) throws {
        let harness = Harness()
        harness.connect(router)
        var change = Harness.change(1)
        try fault.apply(to: &change)
        harness.handle(.message(change, from: router))
        let error = try #require(harness.takeOne())
        #expect(error.errorCode == fault.expected)
        #expect(error.header.requestID == change.header.requestID)
        #expect(error.fields.text(.errorText)?.isEmpty == false)
        #expect(harness.takeGroup() == nil)
        #expect(harness.facts.contains(.refused(fault.expected)))
    }

    @Test func whatOnlyTheJournalMaySayIsTakenOff() throws {
        let harness = Harness()
        harness.connect(router)
        var change = Harness.change(1, blobs: [[1]])
        change.fields.position = position(99)
        change.fields.set(.recordedTime, timestamp: Timestamp(milliseconds: 1))
        change.fields.set(.stream, text: "calendar")
        change.fields.append(.producerTime, [0, 0, 0, 0, 0, 0, 0, 5])
        harness.handle(.message(change, from: router))
        let entry = try #require(harness.takeGroup()).first?.entry
        let fields = try #require(entry).record.fields
        #expect(fields.position == nil)
        #expect(fields[.recordedTime] == nil)
        #expect(fields[.stream] == nil)
        #expect(fields[.attachments] == nil)
        #expect(fields.timestamp(.producerTime) == Timestamp(milliseconds: 5))
        #expect(entry?.blobs == [[1]])
    }

    @Test func drainFinishesWhatWasTakenAndRefusesTheRest() throws {
        let harness = Harness()
        harness.connect(router)
        for number in 1...2 as ClosedRange<UInt64> {
            harness.handle(.message(Harness.change(number), from: router))
        }
        harness.handle(.drain)
        harness.handle(.message(Harness.change(3), from: router))
        #expect(harness.takeOne()?.errorCode == .draining)
        let first = try #require(harness.takeGroup())
        harness.handle(.appended([(first[0].ticket, Harness.stored(1))], head: position(1)))
        #expect(harness.facts.contains(.drained) == false)
        let second = try #require(harness.takeGroup())
        harness.handle(.appended([(second[0].ticket, Harness.stored(2))], head: position(2)))
        #expect(harness.take().map(\.message.command) == [.ack, .ack, .bye])
        #expect(harness.facts.last == .drained)
        harness.handle(.message(Harness.hello(8, 1), from: [5]))
        #expect(harness.takeOne()?.errorCode == .draining)
    }

    private func position(_ sequence: UInt64) -> Position {
        Position(epoch: Harness.epoch, sequence: sequence)
    }
}
