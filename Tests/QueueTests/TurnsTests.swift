import Messages
import Queue
import Testing

/// Who is next among those that wait, and who has to go.
@Suite struct TurnsTests {
    /// One worker of credit 1 that is busy; requests wait.
    private struct Busy {
        var bench: RouterBench
        let worker: Peer
        private var running: RequestID?
        private var next: UInt64 = 1

        init(_ change: (inout RouterConfiguration) -> Void = { _ in }) {
            bench = RouterBench(change)
            worker = bench.joinWorker(1)
            ask("busy")
        }
        @discardableResult
        mutating func ask(
            _ body: String, by client: UInt8 = 1, key: String? = nil, budget: UInt32 = 10_000,
            priority: UInt8 = 4
        ) -> [Sent] {
            let peer = bench.joinClient(client)
            next += 1
            var message = Message.request(next, budget: budget, priority: priority, body: body)
            message.fields.set(.fairnessKey, text: key)
            let sent = bench.receive(message, from: peer)
            if let id = sent.of(.request).first?.id { running = id }
            return sent
        }
        /// Ends what runs; what begins then.
        mutating func turn() -> String? {
            guard let id = running else { return nil }
            let sent = bench.receive(.result(.final, id, []), from: worker).of(.request)
            running = sent.first?.id
            return sent.first.map { text($0.message.body) }
        }
        mutating func order(_ count: Int) -> [String] {
            (0..<count).compactMap { _ in turn() }
        }
    }

    @Test func clientsTakeTurns() {
        var busy = Busy()
        for number in 1...4 { busy.ask("flood\(number)") }
        busy.ask("polite1", by: 2)
        busy.ask("polite2", by: 2)
        #expect(
            busy.order(6) == ["flood1", "polite1", "flood2", "polite2", "flood3", "flood4"])
    }

    @Test func aKeyThatComesAnewGoesNext() {
        var busy = Busy()
        for number in 1...20 { busy.ask("flood\(number)") }
        #expect(busy.order(5).last == "flood5")
        busy.ask("polite", by: 2)
        #expect(busy.turn() == "polite")
    }

    @Test func keysAreWhatSharesTurnsNotConnections() {
        var busy = Busy()
        for number in 1...3 { busy.ask("a\(number)", by: UInt8(number), key: "a") }
        for number in 1...3 { busy.ask("b\(number)", by: 1, key: "b") }
        #expect(busy.order(6) == ["a1", "b1", "a2", "b2", "a3", "b3"])
    }

    @Test func aWeightIsSoManyTurns() {
        var busy = Busy { $0.fairnessWeights = ["gold": 3] }
        for number in 1...9 {
            busy.ask("g", key: "gold")
            busy.ask("s\(number)", key: "silver")
        }
        let first = busy.order(8)
        #expect(first.count { $0 == "g" } == 6)
    }

    @Test func ofOneKeyTheEarliestDeadlineGoesFirst() {
        var busy = Busy()
        busy.ask("late", budget: 9_000)
        busy.ask("soon", budget: 1_000)
        busy.ask("middle", budget: 5_000)
        #expect(busy.order(3) == ["soon", "middle", "late"])
    }

    @Test func priorityGoesBeforeTurns() {
        var busy = Busy()
        busy.ask("last", by: 2, priority: 0)
        for number in 1...3 { busy.ask("first\(number)", priority: 9) }
        #expect(busy.order(4) == ["first1", "first2", "first3", "last"])
    }

    @Test func servicesOfOneWorkerTakeTurns() {
        var bench = RouterBench()
        let worker = bench.joinWorker(
            1, offers: [search(), ServiceOffer(service: "entity.get")])
        let client = bench.joinClient(1)
        var running = bench.receive(.request(1), from: client).of(.request).first?.id
        for id in UInt64(2)...5 { _ = bench.receive(.request(id), from: client) }
        for id in UInt64(6)...7 {
            _ = bench.receive(.request(id, service: "entity.get"), from: client)
        }
        var order: [String] = []
        while let id = running {
            let sent = bench.receive(.result(.final, id, []), from: worker).of(.request).first
            running = sent?.id
            if let sent { order.append(sent.message.fields.text(.service) ?? "") }
        }
        #expect(order.prefix(4).count { $0 == "entity.get" } == 2)
    }

    @Test func aFullQueueMakesRoomForWhoHasLess() throws {
        var busy = Busy { $0.waitingPerPartMax = 4 }
        for number in 1...4 { busy.ask("flood\(number)") }
        #expect(busy.ask("flood5").of(.error).first?.message.errorCode == .overloaded)
        let sent = busy.ask("polite", by: 2)
        let error = try #require(sent.of(.error).first)
        #expect(error.message.errorCode == .overloaded)
        #expect(error.peer.routingID[1] == 1, "the flood gives way")
        #expect(busy.order(2) == ["flood1", "polite"])
        #expect(busy.bench.router.counters.shed == 1)
    }

    @Test func aBurstIsServedAndAStandingQueueIsShed() {
        var busy = Busy()
        for number in 1...60 { busy.ask("\(number)", budget: 4_000) }
        // Served within a quarter of the budget: nobody has to go.
        for _ in 0..<9 {
            _ = busy.bench.pass(100, living: [busy.worker])
            _ = busy.turn()
        }
        #expect(busy.bench.router.counters.shed == 0)
        for _ in 0..<25 {
            _ = busy.bench.pass(100, living: [busy.worker])
            _ = busy.turn()
        }
        #expect(busy.bench.router.counters.shed >= 3)
        #expect(busy.bench.facts.contains { if case .shed = $0 { true } else { false } })
    }

    @Test("Report 28: nothing waits behind a slow worker while another one is free")
    func aSlowWorkerHoldsNobodyUp() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let slow = bench.joinWorker(1, credit: 8)
        let fast = bench.joinWorker(2, credit: 8)
        _ = bench.receive(.request(1), from: client)
        for id in UInt64(2)...20 {
            let sent = bench.receive(.request(id), from: client).of(.request).first
            #expect(sent?.peer == fast)
            guard let sent else { continue }
            _ = bench.receive(.result(.final, sent.id, []), from: sent.peer)
        }
        #expect(bench.router.workerLoads.map(\.inFlight) == [1, 0])
        _ = slow
    }
}
