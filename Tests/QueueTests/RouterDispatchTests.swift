import Messages
import Queue
import Testing

/// Which worker gets what, and what becomes of it when the worker goes.
@Suite struct RouterDispatchTests {
    @Test func theLeastLoadedThenTheLeastRecentlyUsedIsChosen() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let (first, second) = (
            bench.joinWorker(1, credit: 8), bench.joinWorker(2, credit: 8)
        )
        var order: [Peer] = []
        var ids: [RequestID] = []
        for id in UInt64(1)...4 {
            let sent = bench.receive(.request(id), from: client).of(.request)
            order += sent.map(\.peer)
            ids += sent.map(\.id)
        }
        #expect(order == [first, second, first, second])
        _ = bench.receive(.result(.final, ids[1], []), from: second)
        #expect(bench.receive(.request(5), from: client).of(.request).map(\.peer) == [second])
    }

    @Test func aWorkerThatHasTheLeastPositionGoesBeforeOneWithLessToDo() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let (ahead, behind) = (bench.joinWorker(1, credit: 8), bench.joinWorker(2, credit: 8))
        for (worker, sequence) in [(ahead, UInt64(9)), (behind, 7)] {
            var ping = Message(Header(.ping))
            ping.fields.position = Position(epoch: 1, sequence: sequence)
            ping.fields.set(.credit, integer: UInt32(8))
            _ = bench.receive(ping, from: worker)
        }
        func chosen(_ id: UInt64, at sequence: UInt64?) -> [Peer] {
            var request = Message.request(id)
            request.fields.leastPosition = sequence.map { Position(epoch: 1, sequence: $0) }
            return bench.receive(request, from: client).of(.request).map(\.peer)
        }
        #expect((1...3).map { chosen($0, at: 8) } == [[ahead], [ahead], [ahead]])
        #expect(chosen(4, at: nil) == [behind])
        // Nobody has it yet: whoever has less to do waits for it.
        #expect(chosen(5, at: 12) == [behind])
    }

    @Test func whatIsKeptOfAnEndedAccountIsDropped() {
        var bench = RouterBench()
        let worker = bench.joinWorker(1)
        var ping = Message(Header(.ping))
        ping.fields.set(.account, text: "ada")
        let sent = bench.receive(ping, from: worker)
        #expect(sent.map(\.message.command) == [.pong])
        #expect(bench.endedAccounts == ["ada"])
    }

    @Test func creditIsNeverExceeded() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1, credit: 2)
        var ids: [RequestID] = []
        for id in UInt64(1)...5 {
            ids += bench.receive(.request(id), from: client).of(.request).map(\.id)
        }
        #expect(ids.count == 2)
        let next = bench.receive(.result(.final, ids[0], []), from: worker)
        #expect(next.of(.request, to: worker).count == 1)
        #expect(bench.router.waitingCount == 2)
    }

    @Test func aWorkerThatIsNotReadyGetsNothing() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1, credit: 0)
        #expect(bench.receive(.request(1), from: client).of(.request).isEmpty)
        var ready = Message(Header(.ready))
        ready.fields.set(.credit, integer: UInt32(1))
        #expect(bench.receive(ready, from: worker).of(.request, to: worker).count == 1)
    }

    @Test func whoWaitsGoesByPriorityThenArrival() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        var running = try #require(bench.receive(.request(1), from: client).of(.request).first?.id)
        for (id, priority) in [(UInt64(2), UInt8(0)), (3, 9), (4, 4), (5, 9)] {
            let message = Message.request(id, priority: priority, body: "\(id)")
            _ = bench.receive(message, from: client)
        }
        var order: [String] = []
        for _ in 0..<4 {
            let sent = bench.receive(.result(.final, running, []), from: worker).of(.request)
            let next = try #require(sent.first)
            order.append(text(next.message.body))
            running = next.id
        }
        #expect(order == ["3", "5", "4", "2"])
    }

    @Test func eachPartIsAskedOnce() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let first = bench.joinWorker(1, offers: [search("a"), search("b")], credit: 4)
        let second = bench.joinWorker(2, offers: [search("b"), search("c")], credit: 4)
        let sent = bench.receive(.request(1), from: client).of(.request)
        #expect(sent.map { $0.message.fields.text(.part) } == ["a", "b", "c"])
        #expect(sent.map(\.peer) == [first, second, second] || sent.map(\.peer)[0] == first)
        #expect(Set(sent.map(\.id)).count == 3)
    }

    @Test func theBudgetShrinksByWaitingAndMargin() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        let first = try #require(
            bench.receive(.request(1), from: client).of(.request).first?.message)
        #expect(first.header.budgetMilliseconds == 995)
        _ = bench.receive(.request(2, budget: 500), from: client)
        _ = bench.pass(120, living: [worker])
        let next = bench.receive(
            .result(.final, first.header.requestID, []), from: worker)
        #expect(next.of(.request).first?.message.header.budgetMilliseconds == 375)
    }

    @Test func anExpiredRequestIsNeverDispatched() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        let first = try #require(
            bench.receive(.request(1, budget: 5_000), from: client).of(.request).first?.id)
        _ = bench.receive(.request(2, budget: 50), from: client)
        let reply = bench.pass(50, living: [worker]).of(.final, to: client)
        #expect(reply.map(\.id) == [RequestID(high: 1, low: 2)])
        let next = bench.receive(.result(.final, first, []), from: worker)
        #expect(next.of(.request).isEmpty)
        #expect(bench.router.waitingCount == 0)
    }

    @Test func whatIsHandedBackGoesElsewhereAndIsNoAttempt() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let (first, second) = (bench.joinWorker(1), bench.joinWorker(2))
        var holder = first
        var id = try #require(bench.receive(.request(1), from: client).of(.request).first?.id)
        for _ in 0..<4 {
            let error = Message.error(.handedBack, "stops", requestID: id)
            let next = try #require(bench.receive(error, from: holder).of(.request).first)
            #expect(next.message.header.attempt == 1)
            #expect(next.peer != holder)
            holder = next.peer
            id = next.id
        }
        #expect(holder == first || holder == second)
    }

    @Test func aFailedPartIsTriedOnceMoreAtAnotherWorker() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let (first, second) = (bench.joinWorker(1, credit: 9), bench.joinWorker(2, credit: 9))
        let id = try #require(bench.receive(.request(1), from: client).of(.request).first?.id)
        let again = bench.receive(.error(.internalFault, "x", requestID: id), from: first)
        let attempt = try #require(again.of(.request, to: second).first)
        #expect(attempt.message.header.attempt == 2)
        let over = bench.receive(
            .error(.internalFault, "y", requestID: attempt.id), from: second)
        #expect(over.of(.error, to: client).first?.message.errorCode == .workerFailed)
        #expect(over.of(.request).isEmpty)
    }

    @Test func theSecondDeathEndsARequest() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let (first, second) = (bench.joinWorker(1), bench.joinWorker(2))
        bench.joinWorker(3)
        _ = bench.receive(.request(1), from: client)
        #expect(bench.handle(.undeliverable(first)).of(.request).map(\.peer) == [second])
        let sent = bench.handle(.undeliverable(second))
        #expect(sent.of(.error, to: client).first?.message.errorCode == .workerFailed)
        #expect(sent.of(.request).isEmpty)
    }

    @Test(arguments: UInt64(0)..<20)
    func aSilentWorkerIsNoticedWithin750Milliseconds(phase: UInt64) {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let (silent, living) = (bench.joinWorker(1, credit: 4), bench.joinWorker(2, credit: 4))
        _ = bench.pass(1_000 + phase * 11, living: [client, silent, living])
        let before = bench.clock
        _ = bench.receive(.request(1, budget: 5_000), from: client)
        _ = bench.receive(.request(2, budget: 5_000), from: client)
        var moved: [Sent] = []
        while moved.isEmpty, bench.clock < before + 2_000 {
            moved = bench.pass(10, living: []).of(.request, to: living)
            _ = bench.receive(Message(Header(.ping)), from: living)
        }
        #expect(moved.first?.message.header.attempt == 2)
        #expect(bench.clock - before <= 750)
        #expect(bench.router.workerCount == 1)
    }

    @Test func aLivingWorkerIsNeverLost() {
        var bench = RouterBench()
        let worker = bench.joinWorker(1)
        let sent = bench.pass(20_000, living: [worker])
        #expect(bench.router.workerCount == 1)
        // It pings as often itself: PONG says as much.
        #expect(sent.of(.pong, to: worker).count > 90)
        #expect(sent.of(.ping, to: worker).count < 10)
    }

    @Test func silenceIsNotJudgedAfterTheRoutersOwnLag() {
        var bench = RouterBench()
        let worker = bench.joinWorker(1)
        _ = bench.pass(400, living: [worker])
        bench.clock += 5_000
        _ = bench.handle(.tick)
        #expect(bench.router.workerCount == 1)
        _ = bench.receive(Message(Header(.ping)), from: worker)
        _ = bench.pass(300, living: [worker])
        #expect(bench.router.workerCount == 1)
        #expect(bench.facts.contains { if case .lagged = $0 { true } else { false } })
        _ = bench.pass(900)
        #expect(bench.router.workerCount == 0)
    }

    @Test func aStalledWorkerGetsNothingUntilItIsHeard() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let (first, second) = (bench.joinWorker(1, credit: 9), bench.joinWorker(2, credit: 9))
        let sent = try #require(bench.receive(.request(1), from: client).of(.request).first)
        let moved = bench.handle(.stalled(first, unsent: sent.message))
        #expect(moved.of(.request).map(\.peer) == [second])
        #expect(bench.receive(.request(2), from: client).of(.request).map(\.peer) == [second])
        _ = bench.receive(Message(Header(.pong)), from: first)
        #expect(bench.receive(.request(3), from: client).of(.request).map(\.peer) == [first])
    }

    @Test func aDrainingWorkerGetsNothingNewAndFinishes() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1, credit: 4)
        let id = try #require(bench.receive(.request(1), from: client).of(.request).first?.id)
        _ = bench.receive(Message(Header(.draining)), from: worker)
        #expect(bench.receive(.request(2), from: client).of(.request).isEmpty)
        let reply = bench.receive(.result(.final, id, []), from: worker)
        #expect(reply.of(.final, to: client).count == 1)
        _ = bench.receive(Message(Header(.bye)), from: worker)
        #expect(bench.router.workerCount == 0)
        let other = bench.joinWorker(2, credit: 0)
        var ready = Message(Header(.ready))
        ready.fields.set(.credit, integer: UInt32(2))
        #expect(bench.receive(ready, from: other).of(.request, to: other).count == 1)
    }

    @Test func aCancelledDispatchHoldsItsCreditUntilTheWorkerAnswers() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        let id = try #require(
            bench.receive(.request(1, budget: 50), from: client).of(.request).first?.id)
        let over = bench.pass(50, living: [worker])
        #expect(over.of(.cancel, to: worker).map(\.id) == [id])
        #expect(bench.receive(.request(2, budget: 5_000), from: client).of(.request).isEmpty)
        let again = bench.pass(700, living: [worker])
        #expect(again.of(.cancel, to: worker).map(\.id) == [id])
        let next = bench.receive(.error(.cancelled, "stopped", requestID: id), from: worker)
        #expect(next.of(.request, to: worker).count == 1)
        #expect(bench.router.counters.late == 1)
    }

    @Test func aReconnectedWorkerGivesItsRequestsToOthersWithoutAnAttempt() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        let other = bench.joinWorker(2)
        _ = bench.receive(.request(1), from: client)
        var hello = Message.hello(1)
        hello.fields.offers = [search()]
        let sent = bench.receive(hello, from: Peer(side: .worker, routingID: [3, 3]))
        #expect(sent.of(.request, to: other).first?.message.header.attempt == 1)
        #expect(sent.of(.bye).isEmpty)
    }

    @Test func helloAgainOnTheSameConnectionChangesNothing() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        _ = bench.receive(.request(1), from: client)
        var hello = Message.hello(1)
        hello.fields.offers = [search()]
        let sent = bench.receive(hello, from: worker)
        #expect(sent.map(\.command) == [.welcome])
        #expect(bench.router.dispatchCount == 1)
    }

    @Test func aPartIsRememberedForAWhileAfterItsWorkerLeft() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let living = bench.joinWorker(1, offers: [search("a")], credit: 9)
        let leaving = bench.joinWorker(2, offers: [search("b")], credit: 9)
        _ = bench.receive(Message(Header(.bye)), from: leaving)
        _ = bench.receive(.request(1, budget: 60_000), from: client)
        #expect(bench.router.waitingCount == 1)
        let back = bench.joinWorker(3, offers: [search("b")])
        #expect(bench.router.waitingCount == 0)
        _ = bench.receive(Message(Header(.bye)), from: back)
        _ = bench.receive(
            Message(Header(.cancel, requestID: RequestID(high: 1, low: 1))), from: client)
        _ = bench.pass(31_000, living: [client, living])
        let later = bench.receive(.request(2), from: client).of(.request)
        #expect(later.map { $0.message.fields.text(.part) } == ["a"])
    }
}
