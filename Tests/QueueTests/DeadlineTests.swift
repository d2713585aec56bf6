import Messages
import Queue
import Testing

/// Enough time or a quick no: the door, what is dropped before dispatch, and when replies leave.
@Suite struct DeadlineTests {
    /// A router whose service has just needed so many milliseconds for each of 40 requests.
    private struct Slow {
        var bench = RouterBench()
        let client: Peer
        let worker: Peer
        var next: UInt64 = 1_000

        init(milliseconds: UInt64) {
            client = bench.joinClient(1)
            worker = bench.joinWorker(1, credit: 4)
            for _ in 0..<40 { _ = answer(budget: 5_000, after: milliseconds) }
        }

        mutating func ask(budget: UInt32) -> [Sent] {
            next += 1
            return bench.receive(.request(next, budget: budget), from: client)
        }
        mutating func answer(budget: UInt32, after milliseconds: UInt64) -> Bool {
            let sent = ask(budget: budget)
            guard let id = sent.of(.request, to: worker).first?.id else { return false }
            _ = bench.pass(milliseconds, living: [client, worker])
            for peer in [client, worker] { _ = bench.receive(Message(Header(.ping)), from: peer) }
            return bench.receive(.result(.final, id, []), from: worker).of(.final).count == 1
        }
    }

    @Test func tooLittleTimeIsRefusedAtTheDoorWithWhatIsNeeded() throws {
        var slow = Slow(milliseconds: 80)
        _ = slow.ask(budget: 20)  // the probe of this second
        let sent = slow.ask(budget: 20)
        let error = try #require(sent.of(.error, to: slow.client).first?.message)
        #expect(error.errorCode == .deadlineExceeded)
        #expect(error.fields.text(.errorText)?.contains("lately needed 80 ms") == true)
        #expect(sent.of(.request).isEmpty)
        #expect(slow.bench.router.counters.tooLate == 1)
        #expect(slow.ask(budget: 200).of(.request).count == 1)
    }

    @Test func oneRequestASecondIsTriedAllTheSame() {
        var slow = Slow(milliseconds: 80)
        var admitted = 0
        for _ in 0..<50 {
            admitted += slow.ask(budget: 20).of(.request).count
            _ = slow.bench.pass(100, living: [slow.client, slow.worker])
        }
        #expect((4...6).contains(admitted), "\(admitted) in 5 s")
    }

    @Test func aServiceThatHasRecoveredIsFoundOut() {
        var slow = Slow(milliseconds: 400)
        let start = slow.bench.clock
        var refused = 0
        while slow.bench.clock < start + 20_000 {
            if slow.answer(budget: 60, after: 5) {
                guard refused > 0 else { continue }
                // Two in a row are no probes.
                if slow.answer(budget: 60, after: 5), slow.answer(budget: 60, after: 5) { break }
            } else {
                refused += 1
                _ = slow.bench.pass(100, living: [slow.client, slow.worker])
            }
        }
        #expect(refused > 0)
        #expect(slow.bench.clock - start < 8_000, "\(slow.bench.clock - start) ms")
    }

    @Test func whatIsGivenUpCountsWithTheTimeThatItHad() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1, credit: 100)
        for id in UInt64(1)...40 {
            _ = bench.receive(.request(id, budget: 300), from: client)
            _ = bench.pass(300, living: [client, worker])
        }
        _ = bench.receive(.request(100, budget: 100), from: client)
        let sent = bench.receive(.request(101, budget: 100), from: client)
        #expect(sent.of(.error).first?.message.errorCode == .deadlineExceeded)
    }

    @Test func theMarginFollowsTheLatenessOfTheRouter() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1, credit: 100)
        func budgetAtWorker(_ id: UInt64) -> UInt32? {
            bench.receive(.request(id, budget: 100), from: client).of(.request).first?.message
                .header.budgetMilliseconds
        }
        #expect(budgetAtWorker(1) == 95)
        // The loop comes back 20 ms after the reply was due.
        bench.clock += 115
        _ = bench.handle(.tick)
        #expect(budgetAtWorker(2) == 78)
        _ = bench.receive(Message(Header(.bye)), from: worker)
        for id in UInt64(3)...1_500 {
            _ = bench.receive(.request(id, budget: 10), from: client)
            _ = bench.pass(12)
        }
        _ = bench.joinWorker(2, credit: 100)
        let later = try #require(budgetAtWorker(2_000))
        #expect(later >= 97)
    }

    @Test("T13: a wall clock that jumps an hour moves no deadline")
    func theWallClockMovesNoDeadline() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1, credit: 9)
        for (id, jump) in [(UInt64(1), Int64(0)), (2, 3_600_000), (3, -3_600_000)] {
            bench.wallMilliseconds = 77_000 + jump
            let start = bench.clock
            let sent = bench.receive(.request(id, budget: 200), from: client)
            #expect(sent.of(.request).first?.message.header.budgetMilliseconds == 195)
            bench.wallMilliseconds -= 2 * jump
            var reply = bench.pass(194, living: [client, worker]).of(.final)
            #expect(reply.isEmpty)
            reply = bench.pass(1, living: [client, worker]).of(.final)
            #expect(reply.count == 1)
            #expect(bench.clock == start + 195)
        }
    }
}
