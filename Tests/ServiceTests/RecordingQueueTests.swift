import Bytes
import Journal
import Messages
import Service
import Testing

/// What a recorder keeps, holds and leaves out.
@Suite(.timeLimit(.minutes(1)))
struct RecordingQueueTests {
    private func waiting(
        _ offset: UInt64, account: String? = nil, bytes: Int = 0, at milliseconds: UInt64 = 0,
        service: String? = nil
    ) -> RecordingQueue.Waiting {
        var request = Message(Header(.request), body: [UInt8](repeating: 0, count: bytes))
        request.fields.set(.account, text: account)
        request.fields.set(.service, text: service)
        return RecordingQueue.Waiting(
            request: request, reply: Message(Header(.final)),
            client: Identity(high: 1, low: 1), recordedTime: Timestamp(milliseconds: 0),
            offset: offset, since: MonotonicTime(nanoseconds: milliseconds * 1_000_000))
    }

    private func key(_ account: String) throws -> AccountKey {
        AccountKey(
            id: try #require(KeyID(bytes: [UInt8](repeating: 7, count: KeyID.byteCount))),
            account: account,
            secret: [UInt8](repeating: 1, count: AccountKey.secretByteCount))
    }

    @Test func whatDoesNotFitIsCountedAndBecomesAGap() {
        var queue = RecordingQueue(bytesMax: 5_000)
        var taken = 0
        for offset: UInt64 in 1...8 where queue.add(waiting(offset, bytes: 1_000)) { taken += 1 }
        // The first one wakes the writer, the second fits too, the others do not.
        #expect(taken == 1)
        #expect(queue.dropped == 6)
        let first = queue.take()
        #expect(first.exchanges.count == 2)
        #expect(first.gap == RecordingGap(count: 6, firstOffset: 3, lastOffset: 8))
        // Nothing is free before the writer is done.
        _ = queue.add(waiting(9, bytes: 1_000))
        queue.finish(first, isWritten: true)
        _ = queue.add(waiting(10, bytes: 1_000))
        let second = queue.take()
        #expect(second.exchanges.count == 1)
        #expect(second.gap == RecordingGap(count: 1, firstOffset: 9, lastOffset: 9))
    }

    @Test func whatTheDiskRefusesBecomesPartOfTheNextGap() {
        var queue = RecordingQueue()
        for offset: UInt64 in 5...7 { _ = queue.add(waiting(offset)) }
        queue.finish(queue.take(), isWritten: false)
        queue.finish(queue.take(), isWritten: false)
        _ = queue.add(waiting(20))
        let batch = queue.take()
        #expect(batch.exchanges.count == 1)
        #expect(batch.gap == RecordingGap(count: 3, firstOffset: 5, lastOffset: 7))
        #expect(queue.dropped == 3)
    }

    private func small(_ offset: UInt64) -> RecordedExchange {
        RecordedExchange(
            recordedTime: Timestamp(milliseconds: 0), offsetNanoseconds: offset,
            client: Identity(high: 1, low: 1), request: [[1]], reply: [[2]])
    }

    @Test func smallExchangesOfNobodyAreCopiedUntilALargeOneIsKept() {
        var queue = RecordingQueue()
        let request = Message(Header(.request))
        let reply = Message(Header(.final))
        #expect(queue.canPrepare(request, reply))
        var large = request
        large.body = [UInt8](repeating: 0, count: RecordingQueue.preparedBytesMax)
        #expect(!queue.canPrepare(large, reply))
        var adas = request
        adas.fields.set(.account, text: "ada")
        #expect(!queue.canPrepare(adas, reply))
        let wakes = [
            queue.add(prepared: small(1), size: 100), queue.add(prepared: small(2), size: 100),
        ]
        #expect(wakes == [true, false])
        _ = queue.add(waiting(3))
        // Behind one that is kept, so that they stay in order.
        #expect(!queue.canPrepare(request, reply))
        let batch = queue.take()
        #expect(batch.exchanges.count == 1)
        #expect(!batch.isEmpty)
        #expect(queue.canPrepare(request, reply))
        queue.finish(batch, isWritten: false)
        #expect(queue.dropped == 3)
        let gap = queue.take()
        #expect(gap.gap == RecordingGap(count: 3, firstOffset: 1, lastOffset: 3))
    }

    @Test func copiesAreBoundedToo() {
        var queue = RecordingQueue(bytesMax: 1_000)
        for offset: UInt64 in 1...1_000 { _ = queue.add(prepared: small(offset), size: 100) }
        #expect(queue.dropped > 900)
        let batch = queue.take()
        queue.finish(batch, isWritten: true)
        let isFirst = queue.add(prepared: small(2_000), size: 100)
        #expect(isFirst)
        #expect(batch.gap.count == queue.dropped)
    }

    @Test func exchangesOfAnAccountWaitForItsKeyAndNoLongerThanAllowed() throws {
        var queue = RecordingQueue()
        let wakes = [
            queue.add(waiting(1, account: "ada")), queue.add(waiting(2, account: "ada")),
            queue.add(waiting(3, account: "ben", at: 5_000)), queue.add(waiting(4)),
        ]
        #expect(wakes == [true, false, true, true])
        #expect(queue.accountsWithoutKey == ["ada", "ben"])
        let plain = queue.take()
        #expect(plain.exchanges.count == 1)
        queue.offer(try key("ben"))
        let sealed = queue.take()
        #expect(sealed.exchanges.map { $0.1?.account } == ["ben"])
        queue.expire(at: MonotonicTime(nanoseconds: 9_999_000_000))
        #expect(queue.dropped == 0)
        queue.expire(at: MonotonicTime(nanoseconds: 10_000_000_000))
        let left = queue.take()
        #expect(left.gap == RecordingGap(count: 2, firstOffset: 1, lastOffset: 2))
        #expect(queue.accountsWithoutKey.isEmpty)
    }

    @Test func exchangesAreSealedUnderTheKeyOfTheStoreThatTheyTellOf() throws {
        var queue = RecordingQueue()
        let calendar = try key("ada")
        queue.offer(calendar)
        for (offset, service) in [
            (1, ServiceName.calendarUpcoming), (2, ServiceName.contactQuery),
            // What tells of several stores nobody can read: each may be erased alone.
            (3, ServiceName.healthQuery), (4, ServiceName.accountExport),
        ] { _ = queue.add(waiting(UInt64(offset), account: "ada", service: service)) }
        let first = queue.take()
        #expect(first.exchanges.map { $0.1?.id == calendar.id } == [true, false])
        #expect(queue.ownersWithoutKey.map(\.store) == [.contacts, .health])
        queue.offer(.random(for: "ada", .health))
        let second = queue.take()
        #expect(second.exchanges.map { $0.1?.store } == [.health])
        queue.forget(account: "ada")
        #expect(queue.ownersWithoutKey.isEmpty)
    }

    @Test func aForgottenKeyIsAskedForAgain() throws {
        var queue = RecordingQueue()
        queue.offer(try key("ada"))
        _ = queue.add(waiting(1, account: "ada"))
        let sealed = queue.take()
        #expect(sealed.exchanges.count == 1)
        queue.forget(account: "ada")
        _ = queue.add(waiting(2, account: "ada"))
        let none = queue.take()
        #expect(none.isEmpty)
        #expect(queue.accountsWithoutKey == ["ada"])
    }

    @Test func aKeyThatIsNotKeptServesOnlyWhatWaited() throws {
        var queue = RecordingQueue()
        _ = queue.add(waiting(1, account: "ada"))
        _ = queue.add(waiting(2, account: "ada"))
        queue.offer(try key("ada"), isKept: false)
        let sealed = queue.take()
        #expect(sealed.exchanges.map { $0.1?.account } == ["ada", "ada"])
        _ = queue.add(waiting(3, account: "ada"))
        let none = queue.take()
        #expect(none.isEmpty)
        #expect(queue.accountsWithoutKey == ["ada"])
        #expect(queue.dropped == 0)
    }

    @Test func aSampleIsChosenByIdAndAlwaysTheSame() {
        var options = RecordingOptions()
        options.sample = 0.25
        let ids = (0..<4_000).map { RequestID(high: 9, low: UInt64($0)) }
        let taken = ids.filter { options.takes($0) }
        #expect((900...1_100).contains(taken.count))
        #expect(taken == ids.filter { options.takes($0) })
        options.sample = 1
        #expect(ids.allSatisfy { options.takes($0) })
    }
}
