import Messages
import Queue
import Testing

/// Detached requests: accepted at once, computed when there is room, fetched by id.
@Suite struct DetachedRequestTests {
    @Test func itIsAcceptedAtOnceAndItsResultFetchedLater() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        let sent = bench.receive(.detached(1), from: client)
        let accepted = try #require(sent.of(.final, to: client).first?.message)
        let id = try #require(accepted.fields.job)
        #expect(text(accepted.body).contains("\"durable\":false"))
        let dispatch = try #require(sent.of(.request, to: worker).first)
        #expect(dispatch.message.header.priority == 0)
        #expect(!dispatch.message.header.flags.contains(.detached))
        #expect(dispatch.message.fields[.jobKey] == nil)

        let early = bench.receive(.jobResult(2, id), from: client)
        #expect(early.first?.message.errorCode == .jobUnfinished)
        _ = bench.receive(
            .result(.final, dispatch.id, [item([1], [1], "{\"a\":1}")]), from: worker)
        for question in UInt64(3)...4 {
            let final = try #require(
                bench.receive(.jobResult(question, id), from: client).of(.final).first?.message)
            #expect(text(final.body) == "[{\"a\":1}]")
            #expect(final.fields.job == id)
            #expect(final.header.flags.contains(.complete))
            #expect(final.header.requestID == RequestID(high: 1, low: question))
        }
    }

    @Test func anotherClientFetchesItToo() throws {
        var bench = RouterBench()
        let id = try bench.submit()
        let other = bench.joinClient(2)
        let sent = bench.receive(.jobResult(1, id), from: other)
        #expect(sent.first?.message.errorCode == .jobUnfinished)
    }

    @Test func whoWaitsIsToldAsSoonAsItIsOver() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        let sent = bench.receive(.detached(1), from: client)
        let id = try #require(sent.of(.final).first?.message.fields.job)
        let dispatch = try #require(sent.of(.request, to: worker).first)
        #expect(bench.receive(.jobResult(2, id, waits: true), from: client).isEmpty)
        let told = bench.receive(.result(.final, dispatch.id, []), from: worker)
        #expect(told.of(.final, to: client).map(\.id) == [RequestID(high: 1, low: 2)])
        #expect(bench.router.inFlightCount == 0)
    }

    @Test func whoWaitsForTooLongIsToldSoAtTheEndOfItsBudget() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let id = try bench.submit(from: client)
        _ = bench.receive(.jobResult(2, id, budget: 300, waits: true), from: client)
        #expect(bench.pass(250, living: [client]).of(.error).isEmpty)
        let late = bench.pass(100, living: [client]).of(.error, to: client)
        #expect(late.map(\.message.errorCode) == [.jobUnfinished])
    }

    @Test func cancelEndsTheWaitAndNotTheJob() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let id = try bench.submit(from: client)
        _ = bench.receive(.jobResult(2, id, waits: true), from: client)
        let cancel = Message(Header(.cancel, requestID: RequestID(high: 1, low: 2)))
        #expect(bench.receive(cancel, from: client).first?.message.errorCode == .cancelled)
        #expect(bench.router.jobCount == 1)
    }

    @Test func oneKeyIsOneJobAndOneQuestion() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let other = bench.joinClient(2)
        let worker = bench.joinWorker(1)
        let first = bench.receive(.detached(1, key: "nightly"), from: client)
        let again = bench.receive(.detached(1, key: "nightly"), from: other)
        let id = try #require(first.of(.final).first?.message.fields.job)
        #expect(again.of(.final).first?.message.fields.job == id)
        #expect(first.of(.request, to: worker).count + again.of(.request, to: worker).count == 1)
        let wrong = bench.receive(.detached(2, key: "nightly", body: "{\"x\":1}"), from: client)
        #expect(wrong.first?.message.errorCode == .badRequest)
        #expect(bench.router.jobCount == 1)
    }

    @Test func whatRepliesItselfCannotBeDetached() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        for (number, service) in ["search.continue", "dead.list", "job.result", "status"]
            .enumerated()
        {
            let sent = bench.receive(
                .detached(UInt64(number + 1), service: service), from: client)
            #expect(sent.first?.message.errorCode == .badRequest)
        }
        let unknown = bench.receive(.detached(9, service: "no.such"), from: client)
        #expect(unknown.first?.message.errorCode == .unknownService)
    }

    @Test func itBeginsOnlyWhereNobodyElseWaits() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        let busy = try #require(bench.receive(.request(1), from: client).of(.request).first)
        _ = bench.receive(.request(2), from: client)
        #expect(bench.receive(.detached(3), from: client).of(.request).isEmpty)
        let next = bench.receive(.result(.final, busy.id, []), from: worker).of(.request)
        #expect(next.count == 1)
        #expect(next.first?.message.header.priority == 4)
        let last = bench.receive(
            .result(.final, try #require(next.first).id, []), from: worker
        ).of(.request)
        #expect(last.map(\.message.header.priority) == [0])
    }

    @Test func theyTakeAtMostHalfOfTheCredit() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1, credit: 8)
        var begun = 0
        for number in UInt64(1)...10 {
            begun += bench.receive(.detached(number), from: client).of(.request, to: worker).count
        }
        #expect(begun == 4)
        #expect(bench.router.jobCount == 10)
    }

    @Test func countAndBytesAreBounded() throws {
        var bench = RouterBench {
            $0.jobsPerClientMax = 2
            $0.jobsMax = 3
            $0.jobRequestBytesMax = 1_000
        }
        bench.joinWorker(1, credit: 1)
        let one = bench.joinClient(1)
        let two = bench.joinClient(2)
        _ = bench.receive(.detached(1), from: one)
        _ = bench.receive(.detached(2), from: one)
        #expect(bench.receive(.detached(3), from: one).first?.message.errorCode == .overloaded)
        let long = String(repeating: " ", count: 2_000)
        let big = bench.receive(.detached(1, body: "{\(long)}"), from: two)
        #expect(big.first?.message.errorCode == .overloaded)
        #expect(bench.receive(.detached(2), from: two).of(.final).count == 1)
        #expect(bench.receive(.detached(3), from: two).first?.message.errorCode == .overloaded)
        #expect(bench.router.jobCount == 3)
    }

    @Test func aResultThatIsTooLargeIsAnError() throws {
        var bench = RouterBench { $0.jobResultBytesMax = 16 }
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        let sent = bench.receive(.detached(1), from: client)
        let id = try #require(sent.of(.final).first?.message.fields.job)
        let dispatch = try #require(sent.of(.request).first)
        _ = bench.receive(
            .result(.final, dispatch.id, [item([1], [1], "{\"text\":\"0123456789\"}")]),
            from: worker)
        let told = bench.receive(.jobResult(2, id), from: client)
        #expect(told.first?.message.errorCode == .tooLarge)
    }

    @Test func whatIsTooLateIsTriedAgainAndThenKept() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        let sent = bench.receive(.detached(1, budget: 100), from: client)
        let id = try #require(sent.of(.final).first?.message.fields.job)
        var begun = sent.of(.request, to: worker)
        for _ in 0..<50 where bench.router.jobCount == 1 {
            let more = bench.pass(100, living: [client, worker])
            // The worker says that it stopped, which gives its credit back.
            for cancel in more.of(.cancel, to: worker) {
                begun += bench.receive(
                    .error(.cancelled, "", requestID: cancel.id), from: worker
                ).of(.request, to: worker)
            }
            begun += more.of(.request, to: worker)
        }
        #expect(begun.count == Limits.jobTriesMax)
        let told = bench.receive(.jobResult(2, id), from: client)
        #expect(told.of(.final).first?.message.fields.missing == ["image.search"])
    }

    @Test func resultsAreKeptForTheirTimeAndNoLonger() throws {
        var bench = RouterBench { $0.jobKeptMilliseconds = 5_000 }
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        let sent = bench.receive(.detached(1), from: client)
        let id = try #require(sent.of(.final).first?.message.fields.job)
        let dispatch = try #require(sent.of(.request).first)
        _ = bench.receive(.result(.final, dispatch.id, []), from: worker)
        _ = bench.pass(4_900, living: [client, worker])
        #expect(bench.receive(.jobResult(2, id), from: client).of(.final).count == 1)
        _ = bench.pass(200, living: [client, worker])
        let gone = bench.receive(.jobResult(3, id), from: client)
        #expect(gone.first?.message.errorCode == .notFound)
    }

    @Test func dropForgetsItAndStopsWhatComputesIt() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        let sent = bench.receive(.detached(1), from: client)
        let id = try #require(sent.of(.final).first?.message.fields.job)
        let dropped = bench.receive(.jobResult(2, id, service: "job.drop"), from: client)
        #expect(dropped.of(.final, to: client).count == 1)
        #expect(dropped.of(.cancel, to: worker).count == 1)
        #expect(
            bench.receive(.jobResult(3, id), from: client).first?.message.errorCode == .notFound)
        #expect(bench.router.jobCount == 0)
    }

    @Test func whatIsOfAnAccountGoesWithIt() throws {
        var bench = RouterBench { $0.keepsJobs = true }
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        var request = Message.detached(1)
        request.fields.set(.account, text: "ada")
        let sent = bench.receive(request, from: client)
        let id = try #require(sent.of(.final).first?.message.fields.job)
        // Never kept beyond the router's memory.
        #expect(bench.keptJobs.isEmpty)
        var ping = Message(Header(.ping))
        ping.fields.set(.account, text: "ada")
        _ = bench.receive(ping, from: worker)
        #expect(
            bench.receive(.jobResult(2, id), from: client).first?.message.errorCode == .notFound)
    }
}

extension RouterBench {
    /// A detached request that no worker has room for.
    mutating func submit(from client: Peer? = nil) throws -> RequestID {
        let peer = client ?? joinClient(1)
        joinWorker(9, credit: 0)
        let sent = receive(.detached(1), from: peer)
        return try #require(sent.of(.final).first?.message.fields.job)
    }
}

extension Message {
    static func detached(
        _ id: UInt64, service: String = "image.search", budget: UInt32 = 1_000,
        key: String? = nil, body: String = "{}"
    ) -> Message {
        var message = Message.request(id, service: service, budget: budget, body: body)
        message.header.flags.insert(.detached)
        message.fields.set(.jobKey, text: key)
        return message
    }

    static func jobResult(
        _ id: UInt64, _ job: RequestID, budget: UInt32 = 1_000, waits: Bool = false,
        service: String = "job.result"
    ) -> Message {
        var message = Message.request(id, service: service, budget: budget)
        message.fields.job = job
        if waits { message.header.flags.insert(.wait) }
        return message
    }
}
