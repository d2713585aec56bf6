import Messages
import Queue
import Testing

/// How much a worker takes, and how long it takes to leave.
@Suite struct WorkerCreditTests {
    /// Runs jobs of so many milliseconds; the credit that the next ping says.
    private func credit(afterJobsOf milliseconds: UInt64, concurrency: Int = 1) -> UInt32? {
        var bench = WorkerBench(credit: 16, concurrency: concurrency)
        for id in UInt64(1)...40 {
            _ = bench.receive(.request(id, budget: 60_000))
            bench.clock += milliseconds
            guard let job = bench.started.last?.id else { return nil }
            _ = bench.handle(.finished(job, .final(JobOutput(items: []))))
        }
        let pings = bench.pass(450).filter { $0.command == .ping }
        return pings.last?.fields.integer(.credit)
    }

    @Test func longJobsAreNotTakenBeforeTheirTurn() {
        #expect(credit(afterJobsOf: 100) == 1)
        #expect(credit(afterJobsOf: 100, concurrency: 3) == 3)
    }

    @Test func shortJobsFollowEachOtherWithoutAPause() {
        #expect(credit(afterJobsOf: 0) == 16)
        #expect(credit(afterJobsOf: 1) == 5)
        #expect(credit(afterJobsOf: 2) == 3)
    }

    @Test("Report 27: a draining worker gives back at once what has not begun, and hears CANCEL")
    func whatHasNotBegunComesBackAtOnce() {
        var bench = WorkerBench(credit: 16)
        for id in UInt64(1)...16 { _ = bench.receive(.request(id, budget: 60_000)) }
        let sent = bench.handle(.drain).map(\.message)
        #expect(sent.filter { $0.errorCode == .handedBack }.count == 15)
        let cancel = Message(Header(.cancel, requestID: RequestID(high: 1, low: 1)))
        _ = bench.receive(cancel)
        #expect(bench.cancelled == [bench.started[0].id])
    }

    @Test func whatRunsAtTheEndOfTheGraceIsStoppedAndHandedBack() throws {
        var bench = WorkerBench()
        _ = bench.receive(.request(1, budget: 60_000))
        _ = bench.handle(.drain)
        _ = bench.pass(9_900)
        #expect(bench.cancelled.isEmpty)
        _ = bench.pass(200)
        #expect(bench.cancelled == [bench.started[0].id])
        let sent = bench.handle(.finished(bench.started[0].id, .final(JobOutput(items: []))))
        #expect(sent.map(\.message.errorCode) == [.handedBack, nil])
        #expect(sent.last?.message.command == .bye)
        #expect(bench.isStopped)
    }

    @Test func aPushBackTravelsWithTheError() {
        var bench = WorkerBench()
        _ = bench.receive(.request(1))
        let failed = JobResult.failed(
            .internalFault, "no", body: [], retryAfterMilliseconds: Message.neverAgain)
        let sent = bench.handle(.finished(bench.started[0].id, failed))
        let stated: UInt32? = sent.first?.message.fields.integer(.retryAfter)
        #expect(stated == Message.neverAgain)
    }
}
