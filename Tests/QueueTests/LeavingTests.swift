import Messages
import Queue
import Testing

/// Workers that leave, and requests that workers die under.
@Suite struct LeavingTests {
    @Test("Report 22: the second death ends a request, which is put aside")
    func theSecondDeathPutsARequestAside() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let workers = (1...3).map { bench.joinWorker($0) }
        var request = Message.request(1, body: "{\"poison\":true}")
        request.fields.set(.account, text: "ada")
        _ = bench.receive(request, from: client)
        _ = bench.handle(.undeliverable(workers[0]))
        let sent = bench.handle(.undeliverable(workers[1]))
        let error = try #require(sent.of(.error, to: client).first?.message)
        #expect(error.errorCode == .workerFailed)
        let text = error.fields.text(.errorText) ?? ""
        #expect(text == "2 workers died under it (peer-1, peer-2); it is put aside as 1")
        #expect(sent.of(.request).isEmpty)
        #expect(bench.router.workerCount == 1)
        #expect(bench.router.deadCount == 1)
        #expect(bench.facts.contains(.putAside(RequestID(high: 1, low: 1), number: 1)))
    }

    private func putAside(_ bench: inout RouterBench, _ count: UInt64) {
        let client = bench.joinClient(1)
        // The service has been offered before.
        _ = bench.receive(Message(Header(.bye)), from: bench.joinWorker(99))
        for id in 1...count {
            _ = bench.receive(.request(id, body: "{\"n\":\(id)}"), from: client)
            for number in [UInt8(100), 101] {
                let worker = bench.joinWorker(number, incarnation: id)
                _ = bench.handle(.undeliverable(worker))
            }
        }
    }

    private func ask(
        _ bench: inout RouterBench, _ id: UInt64, _ service: String, _ name: String? = nil
    ) -> Message? {
        let client = bench.joinClient(1)
        var message = Message.request(id, service: service)
        message.fields.set(.name, text: name)
        return bench.receive(message, from: client).first { $0.peer == client }?.message
    }

    @Test func whatIsPutAsideIsListedShownAndDropped() {
        var bench = RouterBench()
        putAside(&bench, 3)
        let list = ask(&bench, 100, "dead.list").map { text($0.body) } ?? ""
        #expect(list.contains("\"number\":1,") && list.contains("\"number\":3,"))
        #expect(list.contains("\"workers\":[\"peer-100\",\"peer-101\"]"))
        let one = ask(&bench, 101, "dead.show", "2").map { text($0.body) } ?? ""
        #expect(one.contains("{\\\"n\\\":2}"))
        #expect(ask(&bench, 102, "dead.drop", "2")?.command == .final)
        #expect(ask(&bench, 103, "dead.show", "2")?.errorCode == .notFound)
        #expect(ask(&bench, 104, "dead.show", "x")?.errorCode == .notFound)
        #expect(ask(&bench, 105, "dead.show")?.errorCode == .badRequest)
        #expect(bench.router.deadCount == 2)
        #expect(ask(&bench, 106, "dead.drop")?.command == .final)
        #expect(bench.router.deadCount == 0)
    }

    @Test func theOldestThatIsPutAsideMakesRoom() {
        var bench = RouterBench { $0.deadRequestsMax = 2 }
        putAside(&bench, 4)
        #expect(bench.router.deadCount == 2)
        #expect(ask(&bench, 100, "dead.show", "2")?.errorCode == .notFound)
        #expect(ask(&bench, 101, "dead.show", "3")?.command == .final)
    }

    @Test("Report 4: a worker that dies between decision and send costs no attempt")
    func whatNeverReachedAWorkerDidNotKillIt() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let workers = (1...3).map { bench.joinWorker($0) }
        let first = try #require(bench.receive(.request(1), from: client).of(.request).first)
        var sent = bench.handle(.undeliverable(first.peer, unsent: first.message))
        var next = try #require(sent.of(.request).first)
        #expect(next.message.header.attempt == 1)
        sent = bench.handle(.undeliverable(next.peer, unsent: next.message))
        next = try #require(sent.of(.request).first)
        #expect(next.peer == workers[2])
        let reply = bench.receive(.result(.final, next.id, []), from: next.peer)
        #expect(reply.of(.final, to: client).count == 1)
        #expect(bench.router.counters.retried == 2)
        #expect(bench.router.deadCount == 0)
    }

    @Test("Report 8: a worker that says BYE costs no attempt and gets nothing more")
    func aGoodbyeIsHeard() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let (first, second) = (bench.joinWorker(1), bench.joinWorker(2))
        _ = bench.receive(Message(Header(.bye)), from: first)
        for id in UInt64(1)...3 {
            let sent = bench.receive(.request(id), from: client).of(.request)
            #expect(sent.allSatisfy { $0.peer == second })
            guard let one = sent.first else { continue }
            _ = bench.receive(.result(.final, one.id, []), from: second)
        }
        #expect(bench.router.counters.retried == 0)
    }

    @Test("Report 9: the dead behind a living worker are found")
    func onlyTheLivingWorkerIsLeft() {
        var bench = RouterBench()
        bench.joinClient(1)
        let workers = (1...3).map { bench.joinWorker($0) }
        _ = bench.pass(650, living: [workers[0]])
        #expect(bench.router.workerCount == 1)
    }

    @Test("Report 15: workers of one name come and go a thousand times")
    func manyComeAndGo() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        for turn in UInt64(1)...1_000 {
            let worker = bench.joinWorker(7, incarnation: turn)
            guard turn % 3 == 0 else { continue }
            _ = bench.receive(Message(Header(.bye)), from: worker)
        }
        let worker = bench.joinWorker(7, incarnation: 2_000)
        #expect(bench.router.workerCount == 1)
        #expect(bench.receive(.request(1), from: client).of(.request, to: worker).count == 1)
        #expect(bench.router.timerCount < 10_000)
    }
}
