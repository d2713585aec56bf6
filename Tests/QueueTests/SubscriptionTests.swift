import Messages
import Queue
import Testing

/// A client hears of a list whenever it is another.
@Suite struct SubscriptionTests {
    private static let upcoming = ServiceOffer(service: "calendar.upcoming")

    private static func subscribe(
        _ id: UInt64 = 1, account: String? = "ada", catalog: String? = nil,
        known: ContentHash? = nil
    ) -> Message {
        var message = Message(Header(.subscribe, requestID: RequestID(high: 1, low: id)))
        message.fields.set(.service, text: "calendar.upcoming")
        message.fields.set(.account, text: account)
        message.fields.set(.catalog, text: catalog)
        message.fields.set(.listHash, known?.bytes)
        message.body = Array("{}".utf8)
        return message
    }

    /// A worker's answer: a list of one item, or of none.
    private static func list(
        _ id: RequestID, _ name: String?, at sequence: UInt64 = 1, holdsUntil: Int64? = nil
    ) -> Message {
        let items = name.map { [item([1], [1], "\"\($0)\"")] } ?? []
        var message = Message.result(
            .final, id, items, position: Position(epoch: 1, sequence: sequence))
        message.fields.set(.listHash, hash(of: name).bytes)
        message.fields.set(.holdsUntil, timestamp: holdsUntil.map { Timestamp(milliseconds: $0) })
        return message
    }

    private static func hash(of name: String?) -> ContentHash {
        QueueTests.hash(UInt64((name ?? "").utf8.reduce(7) { ($0 &* 31) &+ Int($1) }))
    }

    private static func changed(
        account: String? = nil, catalog: String? = nil, at sequence: UInt64
    ) -> Message {
        var message = Message(Header(.notify))
        message.fields.set(.account, text: account)
        message.fields.set(.catalog, text: catalog)
        message.fields.position = Position(epoch: 1, sequence: sequence)
        return message
    }

    /// A client with a subscription whose first list is `a`.
    private struct Bench {
        var router = RouterBench()
        let client: Peer
        let worker: Peer
        var asked: [Sent] = []

        init(known: ContentHash? = nil, holdsUntil: Int64? = nil) {
            worker = router.joinWorker(9, offers: [SubscriptionTests.upcoming], credit: 4)
            client = router.joinClient(1)
            let sent = router.receive(SubscriptionTests.subscribe(known: known), from: client)
            asked = sent.of(.request, to: worker)
        }

        mutating func answer(
            _ name: String?, at sequence: UInt64 = 1, holdsUntil: Int64? = nil
        ) -> [Sent] {
            guard let question = asked.popLast() else { return [] }
            let sent = router.receive(
                SubscriptionTests.list(question.id, name, at: sequence, holdsUntil: holdsUntil),
                from: worker)
            asked += sent.of(.request, to: worker)
            return sent.of(.notify, to: client)
        }

        mutating func change(
            account: String? = nil, catalog: String? = nil, at sequence: UInt64
        ) {
            asked += router.receive(
                SubscriptionTests.changed(account: account, catalog: catalog, at: sequence),
                from: worker
            ).of(.request, to: worker)
        }

        /// Time in which a subscription rests, and both sides say that they live.
        mutating func pass(_ milliseconds: UInt64 = 150) -> [Sent] {
            let sent = router.pass(milliseconds, living: [client, worker])
            asked += sent.of(.request, to: worker)
            return sent
        }
    }

    @Test func theListComesAtOnceWithPositionAndAsOf() throws {
        var bench = Bench()
        let question = try #require(bench.asked.first?.message)
        #expect(question.fields.text(.service) == "calendar.upcoming")
        #expect(question.fields.text(.account) == "ada")
        #expect(question.fields.asOf == Timestamp(milliseconds: 77_000))
        #expect(question.body == Array("{}".utf8))
        let notify = try #require(bench.answer("a", at: 5).first?.message)
        #expect(notify.header.requestID == RequestID(high: 1, low: 1))
        #expect(notify.fields.position == Position(epoch: 1, sequence: 5))
        #expect(notify.fields.asOf == Timestamp(milliseconds: 77_000))
        #expect(notify.fields[.listHash] == Self.hash(of: "a").bytes)
        #expect(text(notify.body) == "[\"a\"]")
    }

    @Test(arguments: ["contact.query", "health.query"])
    func otherListsAreAskedOfThoseWhoOfferThem(service: String) throws {
        var router = RouterBench()
        let other = router.joinWorker(8, offers: [Self.upcoming], credit: 4)
        let worker = router.joinWorker(9, offers: [ServiceOffer(service: service)], credit: 4)
        let client = router.joinClient(1)
        var message = Self.subscribe()
        message.fields.set(.service, text: service)
        let sent = router.receive(message, from: client)
        let question = try #require(sent.of(.request, to: worker).first)
        #expect(question.message.fields.text(.service) == service)
        #expect(sent.of(.request, to: other).isEmpty)
        let told = router.receive(Self.list(question.id, "a", at: 5), from: worker)
        #expect(told.of(.notify, to: client).count == 1)
    }

    @Test func aServiceWithoutAListIsNone() {
        var router = RouterBench()
        let client = router.joinClient(1)
        var message = Self.subscribe()
        message.fields.set(.service, text: "entity.get")
        let answer = router.receive(message, from: client).of(.error, to: client).first
        #expect(answer?.message.errorCode == .badRequest)
    }

    @Test func aListThatTheClientHasIsNotSentAgain() throws {
        var bench = Bench(known: Self.hash(of: "a"))
        let notify = try #require(bench.answer("a").first?.message)
        #expect(notify.body.isEmpty && notify.errorCode == nil)
        #expect(notify.fields[.listHash] == Self.hash(of: "a").bytes)
        // From now on it is compared with what was told.
        _ = bench.pass()
        bench.change(account: "ada", at: 2)
        let next = try #require(bench.answer("b", at: 2).first?.message)
        #expect(text(next.body) == "[\"b\"]")
    }

    @Test func onlyAnotherListIsTold() {
        var bench = Bench()
        #expect(bench.answer("a").count == 1)
        _ = bench.pass()
        bench.change(account: "ada", at: 2)
        #expect(bench.asked.last?.message.fields.leastPosition == Position(epoch: 1, sequence: 2))
        #expect(bench.answer("a", at: 2).isEmpty)
        _ = bench.pass()
        bench.change(account: "bob", at: 3)
        #expect(bench.asked.isEmpty)
        bench.change(catalog: "films", at: 4)
        #expect(bench.asked.isEmpty)
        bench.change(catalog: "main", at: 5)
        #expect(bench.answer("b", at: 5).count == 1)
    }

    @Test func changesWhileItRestsAreTakenTogether() {
        var bench = Bench()
        _ = bench.answer("a")
        for sequence in 2...40 as ClosedRange<UInt64> { bench.change(account: "ada", at: sequence) }
        #expect(bench.asked.isEmpty)
        _ = bench.pass()
        #expect(bench.asked.count == 1)
        #expect(bench.asked.last?.message.fields.leastPosition == Position(epoch: 1, sequence: 40))
        #expect(bench.answer("b", at: 40).count == 1)
    }

    @Test func aChangeDuringTheQuestionAsksAgain() {
        var bench = Bench()
        bench.change(account: "ada", at: 7)
        #expect(bench.asked.count == 1)
        #expect(bench.answer("a", at: 1).count == 1)
        _ = bench.pass()
        #expect(bench.asked.last?.message.fields.leastPosition == Position(epoch: 1, sequence: 7))
    }

    @Test func timeAloneAsksAgainAtTheInstant() {
        var bench = Bench()
        _ = bench.answer("a", holdsUntil: 77_000 + 5_000)
        for _ in 0..<49 {
            bench.router.wallMilliseconds += 100
            _ = bench.pass(100)
        }
        #expect(bench.asked.isEmpty)
        bench.router.wallMilliseconds += 100
        _ = bench.pass(100)
        bench.router.wallMilliseconds += 100
        _ = bench.pass(100)
        #expect(bench.asked.count == 1)
        #expect((bench.asked.last?.message.fields.asOf?.milliseconds ?? 0) >= 82_000)
        #expect(bench.answer(nil, holdsUntil: 99_000_000).count == 1)
    }

    @Test func losingAccessIsToldOnceAndGainingItToo() throws {
        var bench = Bench()
        _ = bench.answer("a")
        for round in 0..<2 {
            _ = bench.pass()
            bench.change(account: "ada", at: UInt64(2 + round))
            let popped = bench.asked.popLast()
            let question = try #require(popped)
            var refusal = Message.error(.accessRequired, "no access", requestID: question.id)
            refusal.body = Array("{\"access\":\"denied\"}".utf8)
            let told = bench.router.receive(refusal, from: bench.worker).of(.notify)
            #expect(told.count == (round == 0 ? 1 : 0))
            guard let notify = told.first?.message else { continue }
            #expect(notify.errorCode == .accessRequired)
            #expect(notify.fields[.listHash] == nil)
            #expect(text(notify.body) == "{\"access\":\"denied\"}")
        }
        _ = bench.pass()
        bench.change(account: "ada", at: 9)
        #expect(bench.answer("a", at: 9).count == 1)
    }

    @Test func whatNobodyCanAnswerIsNoChangeAndIsAskedAgain() throws {
        var bench = Bench()
        _ = bench.answer("a")
        _ = bench.pass()
        bench.change(account: "ada", at: 2)
        let popped = bench.asked.popLast()
        let question = try #require(popped)
        let failed = bench.router.receive(
            .error(.positionNotReached, "behind", requestID: question.id), from: bench.worker)
        #expect(failed.of(.notify).isEmpty && failed.of(.error).isEmpty)
        #expect(bench.pass(500).of(.request).isEmpty)
        _ = bench.pass(700)
        #expect(bench.answer("b", at: 2).count == 1)
    }

    @Test func anotherWorkerAnswersWhereOneIsLost() {
        var bench = Bench()
        _ = bench.answer("a")
        _ = bench.pass()
        bench.change(account: "ada", at: 2)
        let other = bench.router.joinWorker(8, offers: [Self.upcoming], credit: 4)
        let sent = bench.router.handle(.undeliverable(bench.worker))
        let question = sent.of(.request, to: other).first
        #expect(question?.message.fields.text(.account) == "ada")
        let told = bench.router.receive(
            Self.list(question?.id ?? .zero, "b", at: 2), from: other)
        #expect(told.of(.notify, to: bench.client).count == 1)
    }

    @Test func aWorkerThatBecomesReadyIsAsked() {
        var bench = Bench()
        _ = bench.answer("a")
        _ = bench.pass()
        let other = Peer(side: .worker, routingID: [4, 4])
        var hello = Message.hello(8)
        hello.fields.offers = [Self.upcoming]
        #expect(bench.router.receive(hello, from: other).of(.request).isEmpty)
        var ready = Message(Header(.ready))
        ready.fields.set(.credit, integer: UInt32(2))
        #expect(bench.router.receive(ready, from: other).of(.request).count == 1)
    }

    @Test func subscribingAgainSaysWhatIsNew() {
        var bench = Bench()
        _ = bench.answer("a")
        _ = bench.pass()
        bench.asked += bench.router.receive(
            Self.subscribe(known: Self.hash(of: "a")), from: bench.client
        ).of(.request)
        #expect(bench.answer("a").map(\.message.body) == [[]])
        _ = bench.pass()
        bench.asked += bench.router.receive(Self.subscribe(), from: bench.client).of(.request)
        #expect(bench.answer("a").map { text($0.message.body) } == ["[\"a\"]"])
        #expect(bench.router.router.subscriptionCount == 1)
    }

    @Test func aNotifyThatCouldNotBeSentIsMadeAgain() {
        var bench = Bench()
        let notify = bench.answer("a")
        _ = bench.router.handle(.stalled(bench.client, unsent: notify.first?.message))
        _ = bench.pass(1_200)
        #expect(bench.answer("a").count == 1)
    }

    @Test func endsByCancelByeSilenceAndReplacement() {
        for way in 0..<4 {
            var bench = Bench()
            _ = bench.answer("a")
            let id = RequestID(high: 1, low: 1)
            switch way {
            case 0:
                let sent = bench.router.receive(
                    Message(Header(.cancel, requestID: id)), from: bench.client)
                #expect(sent.of(.error).first?.message.errorCode == .cancelled)
            case 1: _ = bench.router.receive(Message(Header(.bye)), from: bench.client)
            case 2: _ = bench.router.pass(2_000, living: [bench.worker])
            default: bench.router.joinClient(1, incarnation: 2)
            }
            #expect(bench.router.router.subscriptionCount == 0, "\(way)")
            bench.change(account: "ada", at: 2)
            #expect(bench.asked.isEmpty, "\(way)")
        }
    }

    @Test func wrongOnesAndTooManyAreRefused() {
        var router = RouterBench()
        _ = router.joinWorker(9, offers: [Self.upcoming], credit: 100)
        let client = router.joinClient(1)
        func code(_ message: Message) -> ErrorCode? {
            router.receive(message, from: client).of(.error).first?.message.errorCode
        }
        #expect(code(Self.subscribe(1, account: nil)) == .badRequest)
        var other = Self.subscribe(2)
        other.fields.set(.service, text: "image.search")
        #expect(code(other) == .badRequest)
        var nameless = Self.subscribe(0)
        nameless.header.requestID = .zero
        #expect(code(nameless) == .badRequest)
        for number in 0..<UInt64(Limits.subscriptionsPerClientMax) {
            #expect(code(Self.subscribe(10 + number, account: "a\(number)")) == nil)
        }
        #expect(code(Self.subscribe(999)) == .overloaded)
        #expect(router.router.subscriptionCount == Limits.subscriptionsPerClientMax)
    }

    @Test func aQuestionThatIsWrongEndsTheSubscription() throws {
        var bench = Bench()
        let popped = bench.asked.popLast()
        let question = try #require(popped)
        let sent = bench.router.receive(
            .error(.badRequest, "days", requestID: question.id), from: bench.worker)
        #expect(sent.of(.error, to: bench.client).first?.message.errorCode == .badRequest)
        #expect(bench.router.router.subscriptionCount == 0)
    }

    @Test func manySubscriptionsAreAskedSomeAtATime() {
        var router = RouterBench()
        let worker = router.joinWorker(9, offers: [Self.upcoming], credit: 1_000)
        var asked = 0
        for number in 1...2 as ClosedRange<UInt8> {
            let client = router.joinClient(number)
            for id in 1...60 as ClosedRange<UInt64> {
                asked += router.receive(Self.subscribe(id), from: client).of(.request).count
            }
        }
        #expect(asked == Limits.subscriptionsAskedMax)
        _ = worker
    }

    @Test func withoutWorkersNobodyIsAskedUntilOneComes() {
        var router = RouterBench()
        let client = router.joinClient(1)
        for id in 1...20 as ClosedRange<UInt64> {
            #expect(router.receive(Self.subscribe(id), from: client).isEmpty)
        }
        #expect(router.pass(1_500, living: [client]).of(.error).isEmpty)
        let worker = router.joinWorker(9, offers: [Self.upcoming], credit: 100)
        let sent = router.pass(1_500, living: [client, worker])
        #expect(sent.of(.request, to: worker).count == 20)
        #expect(router.router.subscriptionCount == 20)
    }

    // MARK: The worker's and the client's sides

    @Test func aWorkerTellsEachRouterWhatChanged() {
        var bench = WorkerBench(routers: 2)
        let sent = bench.handle(
            .changed(
                WorkerChange(accounts: ["bob", "ada"], catalogs: ["main"]),
                at: Position(epoch: 1, sequence: 4)))
        #expect(sent.map(\.link) == [0, 0, 0, 1, 1, 1])
        #expect(sent.allSatisfy { $0.message.command == .notify })
        #expect(
            sent.prefix(3).map {
                $0.message.fields.text(.account) ?? $0.message.fields.text(.catalog)
            } == ["ada", "bob", "main"])
        #expect(
            sent.allSatisfy { $0.message.fields.position == Position(epoch: 1, sequence: 4) })
    }

    @Test func aClientSubscribesAgainWithWhatItHas() throws {
        var bench = ClientBench()
        _ = bench.handle(.tick)
        _ = bench.welcome()
        var sent = bench.handle(.subscribe(ticket: 3, Self.subscribe(0)))
        let first = try #require(sent.first)
        #expect(first.command == .subscribe && first.fields[.listHash] == nil)
        var notify = Message(Header(.notify, requestID: first.header.requestID))
        notify.fields.set(.listHash, Self.hash(of: "a").bytes)
        _ = bench.handle(.message(notify))
        #expect(bench.notices.map(\.ticket) == [3])
        // Another incarnation of the router knows nothing of it.
        sent = bench.welcome(incarnation: 2).filter { $0.command == .subscribe }
        #expect(sent.map(\.header.requestID) == [first.header.requestID])
        #expect(sent.first?.fields[.listHash] == Self.hash(of: "a").bytes)
        sent = bench.handle(.cancel(ticket: 3))
        #expect(sent.map(\.command) == [.cancel])
        #expect(bench.outcomes.map(\.ticket) == [3])
        _ = bench.handle(.message(notify))
        #expect(bench.notices.count == 1)
    }

    @Test func aClientTriesAgainWhereARouterIsFullAndEndsWhereItIsRefused() throws {
        var bench = ClientBench()
        _ = bench.handle(.tick)
        _ = bench.welcome()
        let sent = bench.handle(.subscribe(ticket: 1, Self.subscribe(0)))
        let first = try #require(sent.first)
        let id = first.header.requestID
        _ = bench.handle(
            .message(.error(.overloaded, "full", requestID: id, retryAfterMilliseconds: 300)))
        #expect(bench.pass(250).filter { $0.command == .subscribe }.isEmpty)
        #expect(bench.pass(450).filter { $0.command == .subscribe }.count == 1)
        #expect(bench.outcomes.isEmpty)
        _ = bench.handle(.message(.error(.badRequest, "no", requestID: id)))
        #expect(bench.outcomes.map(\.ticket) == [1])
    }
}
