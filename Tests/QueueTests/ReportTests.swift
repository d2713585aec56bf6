import Bytes
import Messages
import Queue
import TestSupport
import Testing

/// Tests that research names, at the machines themselves.
@Suite struct ReportTests {
    @Test("T7: with some parts stalled the reply holds exactly the others", arguments: 0..<24)
    func theRestIsWhatTheOthersFound(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let count = Int.random(in: 2...6, using: &random)
        let stalled = Set((0..<count).filter { _ in Bool.random(using: &random) })
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let workers = (0..<count).map {
            bench.joinWorker(UInt8($0 + 1), offers: [search("part-\($0)")])
        }
        let sent = bench.receive(.request(1, budget: 300, limit: 50), from: client).of(.request)
        #expect(sent.count == count)
        var lists: [[MergeItem]] = []
        for dispatch in sent {
            let part = try #require(workers.firstIndex(of: dispatch.peer))
            guard !stalled.contains(part) else { continue }
            let items = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                // Parts find the same things at different distances.
                let name = UInt8.random(in: 0..<9, using: &random)
                let distance = UInt8.random(in: 0...255, using: &random)
                return item([distance, name], [name], "{\"n\":\(name),\"d\":\(distance)}")
            }
            lists.append(items)
            _ = bench.receive(.result(.final, dispatch.id, items), from: dispatch.peer)
        }
        var finals = bench.pass(300, living: workers + [client]).of(.final, to: client)
        if stalled.isEmpty { finals = [] }
        guard let final = finals.first?.message else {
            #expect(stalled.isEmpty)
            return
        }
        #expect(final.sharedBody == Merge.body(of: Merge.merge(lists, limit: 50)))
        #expect(final.fields.missing == stalled.sorted().map { "part-\($0)" })
        #expect(!final.header.flags.contains(.complete))
    }

    @Test(
        "Report 30: routing ids are any bytes",
        arguments: [[0], [0, 0], [255], [UInt8](repeating: 0, count: 255), [0, 255, 0, 10, 13]])
    func routingIDsAreAnyBytes(id: [UInt8]) throws {
        var bench = RouterBench()
        let client = Peer(side: .client, routingID: id)
        let worker = Peer(side: .worker, routingID: id)
        _ = bench.receive(.hello(1), from: client)
        var hello = Message.hello(2)
        hello.fields.offers = [search()]
        _ = bench.receive(hello, from: worker)
        var ready = Message(Header(.ready))
        ready.fields.set(.credit, integer: UInt32(1))
        _ = bench.receive(ready, from: worker)
        let sent = try #require(bench.receive(.request(1), from: client).of(.request).first)
        #expect(sent.peer == worker)
        let reply = bench.receive(.result(.final, sent.id, []), from: worker)
        #expect(reply.of(.final, to: client).count == 1)
    }

    @Test("Report 24: what is left of the budget travels, and CANCEL follows who gave up")
    func whoGivesUpStopsTheWorkers() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let workers = [
            bench.joinWorker(1, offers: [search("a")]), bench.joinWorker(2, offers: [search("b")]),
        ]
        let sent = bench.receive(.request(1, budget: 800), from: client).of(.request)
        #expect(sent.map(\.message.header.budgetMilliseconds) == [795, 795])
        let cancel = Message(Header(.cancel, requestID: RequestID(high: 1, low: 1)))
        let stopped = bench.receive(cancel, from: client).of(.cancel)
        #expect(Set(stopped.map(\.peer)) == Set(workers))
        #expect(Set(stopped.map(\.id)) == Set(sent.map(\.id)))
    }

    @Test("Report 6: a client whose queue is full costs its own replies only")
    func aFullClientCostsItsOwnReplies() throws {
        var bench = RouterBench()
        let (full, other) = (bench.joinClient(1), bench.joinClient(2))
        let worker = bench.joinWorker(1, credit: 4)
        let sent = bench.receive(.request(1), from: full).of(.request)
        let final = try #require(
            bench.receive(.result(.final, sent[0].id, []), from: worker).of(.final).first)
        #expect(bench.handle(.stalled(full, unsent: final.message)).isEmpty)
        #expect(bench.router.counters.unsent == 1)
        let next = bench.receive(.request(1), from: other).of(.request)
        let reply = bench.receive(.result(.final, next[0].id, []), from: worker)
        #expect(reply.of(.final, to: other).count == 1)
    }

    @Test func aTraceTravelsToTheWorker() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        var request = Message.request(1)
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        request.fields.set(.traceparent, text: trace)
        let sent = bench.receive(request, from: client).of(.request)
        #expect(sent.first?.message.fields.text(.traceparent) == trace)
    }

    @Test func statusSaysWhatHappenedByServiceAndWhetherMoreIsWanted() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        for id in UInt64(1)...3 { _ = bench.receive(.request(id), from: client) }
        _ = bench.pass(50, living: [client, worker])
        let sent = bench.receive(.request(9, service: "status"), from: client)
        let body = try #require(sent.of(.final, to: client).first?.message.body)
        let router = try #require(JSONValue(parsing: body).array?.first)
        #expect(router["scaling"]?["oldestWaitingMilliseconds"]?.integer == 50)
        #expect(router["scaling"]?["backlog"]?.integer == 3)
        #expect(router["scaling"]?["credit"]?.integer == 1)
        #expect(router["scaling"]?["backlogPerHundredCredits"]?.integer == 300)
        let services = router["services"]?.array ?? []
        let search = try #require(services.first { $0["service"]?.text == "image.search" })
        #expect(search["requests"]?.integer == 3)
        #expect(search["queueMicroseconds"]?["count"]?.integer == 1)
    }
}
