import Messages
import Queue
import Testing

/// Detached requests that outlive their router.
@Suite struct KeptJobTests {
    private static func keeping(_ jobs: [DetachedRequest] = []) -> RouterBench {
        RouterBench {
            $0.keepsJobs = true
            $0.jobs = jobs
            $0.incarnation = 6
        }
    }

    /// Says that everything is kept that was to be.
    private func keepAll(_ bench: inout RouterBench) -> [Sent] {
        let kept = bench.keptJobs
        bench.keptJobs = []
        return kept.flatMap {
            bench.handle(.jobKept($0.job.id, write: $0.write, failure: nil))
        }
    }

    @Test func itIsAcceptedOnceItIsKept() throws {
        var bench = Self.keeping()
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        #expect(bench.receive(.detached(1), from: client).isEmpty)
        let sent = keepAll(&bench)
        let accepted = try #require(sent.of(.final, to: client).first?.message)
        #expect(text(accepted.body).contains("\"durable\":true"))
        // Begun once the beginning is kept too.
        #expect(sent.of(.request).isEmpty)
        #expect(bench.keptJobs.map(\.job.starts) == [1])
        #expect(keepAll(&bench).of(.request).count == 1)
    }

    @Test func whatCannotBeKeptIsNotAccepted() {
        var bench = Self.keeping()
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        _ = bench.receive(.detached(1), from: client)
        let (job, write) = bench.keptJobs[0]
        let sent = bench.handle(.jobKept(job.id, write: write, failure: "no space"))
        #expect(sent.first?.message.errorCode == .internalFault)
        #expect(sent.first?.message.fields.text(.errorText)?.contains("no space") == true)
        #expect(bench.router.jobCount == 0)
    }

    @Test func aResultOutlivesTheRouter() throws {
        var bench = Self.keeping()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        _ = bench.receive(.detached(1, key: "nightly"), from: client)
        let id = try #require(keepAll(&bench).of(.final).first?.message.fields.job)
        let dispatch = try #require(keepAll(&bench).of(.request, to: worker).first)
        _ = bench.receive(
            .result(.final, dispatch.id, [item([1], [1], "{\"a\":1}")]), from: worker)
        let last = try #require(bench.keptJobs.last?.job)
        #expect(last.request.body.isEmpty)
        // Nobody is told before it is kept.
        let early = bench.receive(.jobResult(4, id), from: client)
        #expect(early.first?.message.errorCode == .jobUnfinished)

        var next = Self.keeping([last])
        let again = next.joinClient(1)
        let told = next.receive(.jobResult(5, id), from: again)
        #expect(told.of(.final).first.map { text($0.message.body) } == "[{\"a\":1}]")
        // The key still names it.
        next.joinWorker(1)
        let same = next.receive(.detached(6, key: "nightly"), from: again)
        #expect(same.of(.final).first?.message.fields.job == id)
        #expect(same.of(.request).isEmpty)
    }

    @Test func whatWaitedIsComputedByTheNextRouter() throws {
        var bench = Self.keeping()
        let client = bench.joinClient(1)
        bench.joinWorker(1, credit: 0)
        _ = bench.receive(.detached(1), from: client)
        let job = try #require(bench.keptJobs.last?.job)
        _ = keepAll(&bench)
        var next = Self.keeping([job])
        let worker = next.joinWorker(1)
        #expect(keepAll(&next).of(.request, to: worker).count == 1)
    }

    @Test func whatWaitedIsBegunInTheOrderOfItsSubmission() {
        var bench = Self.keeping()
        let client = bench.joinClient(1)
        bench.joinWorker(1, credit: 0)
        for number in 1...4 {
            bench.wallMilliseconds += 1
            _ = bench.receive(.detached(UInt64(number)), from: client)
        }
        let jobs = bench.keptJobs.map(\.job)
        #expect(jobs.count == 4)
        var next = Self.keeping(jobs.sorted { $0.id.low > $1.id.low })
        next.joinWorker(1, credit: 8)
        // Half of the credit at a time.
        #expect(next.keptJobs.map(\.job.id) == jobs.map(\.id))
    }

    @Test func whatWasAcceptedIsTakenUpWhateverTheBoundIsNow() throws {
        var bench = Self.keeping()
        let client = bench.joinClient(1)
        bench.joinWorker(1, credit: 0)
        for number in 1...4 { _ = bench.receive(.detached(UInt64(number)), from: client) }
        let jobs = bench.keptJobs.map(\.job)
        var next = RouterBench {
            $0.keepsJobs = true
            $0.jobs = jobs
            $0.incarnation = 6
            $0.jobsPerClientMax = 2
        }
        let again = next.joinClient(1)
        next.joinWorker(1, credit: 0)
        #expect(next.router.jobCount == 4)
        let refused = next.receive(.detached(5), from: again)
        #expect(refused.first?.message.errorCode == .overloaded)
    }

    @Test func whatEndsItsRouterTwiceIsNotBegunAThirdTime() throws {
        var bench = Self.keeping()
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        _ = bench.receive(.detached(1), from: client)
        let id = try #require(keepAll(&bench).of(.final).first?.message.fields.job)
        let first = try #require(bench.keptJobs.last?.job)
        #expect(first.starts == 1)

        var second = Self.keeping([first])
        second.joinWorker(1)
        let again = try #require(second.keptJobs.last?.job)
        #expect(again.starts == 2)

        var third = Self.keeping([again])
        let peer = third.joinClient(1)
        third.joinWorker(1)
        _ = keepAll(&third)
        let told = third.receive(.jobResult(2, id), from: peer)
        #expect(told.first?.message.errorCode == .workerFailed)
        #expect(third.router.dispatchCount == 0)
    }

    @Test func aRouterThatIsStoppedGivesBackWhatItBegan() throws {
        var bench = Self.keeping()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        _ = bench.receive(.detached(1), from: client)
        _ = keepAll(&bench)
        _ = keepAll(&bench)
        let sent = bench.handle(.drain)
        #expect(sent.of(.cancel, to: worker).count == 1)
        #expect(!bench.isDrained)
        #expect(bench.keptJobs.map(\.job.starts) == [0])
        _ = keepAll(&bench)
        #expect(bench.isDrained)
    }

    @Test func whatIsTooOldIsForgottenAtTheStart() throws {
        var bench = Self.keeping()
        let client = bench.joinClient(1)
        bench.joinWorker(1, credit: 0)
        _ = bench.receive(.detached(1), from: client)
        let job = try #require(bench.keptJobs.last?.job)
        var next = Self.keeping([job])
        next.wallMilliseconds += Int64(Limits.jobWaitMilliseconds)
        _ = next.handle(.tick)
        #expect(next.forgottenJobs == [job.id])
        #expect(next.router.jobCount == 0)
    }
}
