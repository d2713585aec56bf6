import Messages
import Queue
import Testing

/// Who and what a router lets in.
@Suite struct RouterAdmissionTests {
    @Test func welcomeNamesTheRouter() throws {
        var bench = RouterBench()
        let peer = Peer(side: .client, routingID: [0, 255])
        let sent = bench.receive(.hello(1), from: peer)
        let welcome = try #require(sent.of(.welcome, to: peer).first?.message)
        #expect(welcome.fields.identity == Identity(high: 1, low: 1))
        #expect(welcome.fields.integer(.incarnation, as: UInt64.self) == 5)
        #expect(welcome.fields.integer(.pingInterval, as: UInt32.self) == 200)
    }

    @Test(arguments: [Peer.Side.client, .worker])
    func anythingBeforeHelloIsToldSo(side: Peer.Side) {
        var bench = RouterBench()
        let peer = Peer(side: side, routingID: [1])
        for command in Command.allCases
        where ![.hello, .error, .bye].contains(command) {
            let message = Message(Header(command, requestID: RequestID(high: 0, low: 9)))
            let sent = bench.receive(message, from: peer)
            #expect(sent.count == 1)
            #expect(sent.first?.message.errorCode == .wrongState)
            #expect(sent.first?.id == RequestID(high: 0, low: 9))
        }
        #expect(bench.receive(Message(Header(.error)), from: peer).isEmpty)
        #expect(bench.router.counters.wrongState > 10)
    }

    @Test func strangersAreAnsweredAtABoundedRate() {
        var bench = RouterBench()
        var answers = 0
        for number in 0..<3_000 {
            let peer = Peer(side: .client, routingID: bigEndianBytes(UInt32(number)))
            answers += bench.receive(Message(Header(.ping)), from: peer).count
        }
        #expect(answers == Limits.rejectionsPerSecondMax)
    }

    @Test func malformedMessagesAreToldOnceToEachPeer() {
        var bench = RouterBench()
        let peer = bench.joinClient(1)
        let fault = WireError(.badMagic, "no Sightline message")
        let first = bench.handle(.malformed(fault, from: peer))
        #expect(first.first?.message.errorCode == .malformed)
        #expect(bench.handle(.malformed(fault, from: peer)).isEmpty)
        #expect(bench.router.counters.malformed == 2)
    }

    @Test func anotherVersionIsToldSo() {
        var bench = RouterBench()
        let peer = Peer(side: .client, routingID: [1])
        let sent = bench.handle(.malformed(WireError(.unsupportedVersion, "2"), from: peer))
        #expect(sent.first?.message.errorCode == .unsupportedVersion)
    }

    @Test func helloWithoutIdentityIsRefused() {
        var bench = RouterBench()
        let peer = Peer(side: .client, routingID: [1])
        let sent = bench.receive(Message(Header(.hello)), from: peer)
        #expect(sent.first?.message.errorCode == .badRequest)
        #expect(bench.router.clientCount == 0)
    }

    @Test func unknownServiceIsRefusedAtOnce() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let sent = bench.receive(.request(1, service: "no.such"), from: client)
        #expect(sent.first?.message.errorCode == .unknownService)
        #expect(sent.first?.id == RequestID(high: 1, low: 1))
    }

    @Test(arguments: [UInt32(0), 600_001, UInt32.max])
    func aBudgetOutsideItsRangeIsRefused(budget: UInt32) {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        let sent = bench.receive(.request(1, budget: budget), from: client)
        #expect(sent.of(.error, to: client).first?.message.errorCode == .badRequest)
        #expect(sent.of(.request).isEmpty)
    }

    @Test(arguments: [UInt32(0), 10_001])
    func aLimitOutsideItsRangeIsRefused(limit: UInt32) {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        let sent = bench.receive(.request(1, limit: limit), from: client)
        #expect(sent.first?.message.errorCode == .badRequest)
    }

    @Test func aRequestWithoutAnIDOrServiceIsRefused() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        var nameless = Message.request(1)
        nameless.fields.set(.service, text: nil)
        var zero = Message.request(1)
        zero.header.requestID = .zero
        for message in [nameless, zero] {
            let sent = bench.receive(message, from: client)
            #expect(sent.first?.message.errorCode == .badRequest)
        }
    }

    @Test func aClientBeyondItsShareIsOverloadedAndAnotherIsNot() {
        var bench = RouterBench { $0.inFlightPerClientMax = 2 }
        let (greedy, modest) = (bench.joinClient(1), bench.joinClient(2))
        bench.joinWorker(1)
        for id in UInt64(1)...2 { _ = bench.receive(.request(id), from: greedy) }
        let error = bench.receive(.request(3), from: greedy).first?.message
        #expect(error?.errorCode == .overloaded)
        #expect(error?.fields.integer(.retryAfter, as: UInt32.self) == 100)
        #expect(bench.receive(.request(1), from: modest).isEmpty)
        #expect(bench.router.inFlightCount == 3)
    }

    @Test func requestsInFlightAreBoundedByCountAndBytes() {
        var byCount = RouterBench { $0.inFlightMax = 1 }
        let first = byCount.joinClient(1)
        byCount.joinWorker(1)
        _ = byCount.receive(.request(1), from: first)
        #expect(
            byCount.receive(.request(2), from: first).first?.message.errorCode == .overloaded)
        var byBytes = RouterBench { $0.inFlightBytesMax = 100 }
        let second = byBytes.joinClient(1)
        byBytes.joinWorker(1)
        let body = String(repeating: "x", count: 60)
        _ = byBytes.receive(.request(1, body: body), from: second)
        let sent = byBytes.receive(.request(2, body: body), from: second)
        #expect(sent.first?.message.errorCode == .overloaded)
    }

    @Test func aFullQueueRefusesAtOnce() {
        var bench = RouterBench { $0.waitingPerPartMax = 2 }
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        for id in UInt64(1)...3 { #expect(bench.receive(.request(id), from: client).count < 2) }
        let sent = bench.receive(.request(4), from: client)
        #expect(sent.of(.error, to: client).first?.message.errorCode == .overloaded)
        #expect(bench.router.waitingCount == 2)
    }

    @Test func asOfIsStampedUnlessAClientMayState() throws {
        for allows in [false, true] {
            var bench = RouterBench { $0.allowsClientAsOf = allows }
            let client = bench.joinClient(1)
            let worker = bench.joinWorker(1)
            var message = Message.request(1)
            message.fields.asOf = Timestamp(milliseconds: 5)
            let sent = bench.receive(message, from: client)
            let asOf = try #require(sent.of(.request, to: worker).first).message.fields.asOf
            #expect(asOf == Timestamp(milliseconds: allows ? 5 : 77_000))
        }
    }

    @Test func aDuplicateJoinsTheRequestInFlight() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1, credit: 4)
        let first = bench.receive(.request(1), from: client)
        #expect(bench.receive(.request(1), from: client).isEmpty)
        let id = try #require(first.of(.request).first?.id)
        let reply = bench.receive(.result(.final, id, []), from: worker)
        #expect(reply.of(.final, to: client).count == 1)
        #expect(bench.receive(.request(1), from: client).isEmpty)
        #expect(bench.router.counters.duplicates == 2)
    }

    @Test func idsOfTwoClientsAreNoDuplicates() {
        var bench = RouterBench()
        let (first, second) = (bench.joinClient(1), bench.joinClient(2))
        bench.joinWorker(1, credit: 4)
        #expect(bench.receive(.request(1), from: first).of(.request).count == 1)
        #expect(bench.receive(.request(1), from: second).of(.request).count == 1)
    }

    @Test func theReplyGoesToTheConnectionThatTheClientHasThen() throws {
        var bench = RouterBench()
        let old = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        let sent = bench.receive(.request(1), from: old)
        _ = bench.handle(.undeliverable(old))
        let new = Peer(side: .client, routingID: [9, 9])
        _ = bench.receive(.hello(1), from: new)
        _ = bench.receive(.request(1), from: new)
        let id = try #require(sent.of(.request).first?.id)
        let reply = bench.receive(.result(.final, id, []), from: worker)
        #expect(reply.of(.final).map(\.peer) == [new])
    }

    @Test func aClientThatDoesNotComeBackIsForgottenWithItsRequests() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        let id = try #require(
            bench.receive(.request(1, budget: 60_000), from: client).of(.request).first?.id)
        _ = bench.handle(.undeliverable(client))
        let sent = bench.pass(1_000, living: [worker])
        #expect(sent.of(.cancel, to: worker).first?.id == id)
        #expect(bench.router.clientCount == 0)
        #expect(bench.router.inFlightCount == 0)
    }

    @Test func aNewerIncarnationReplacesTheOlderAndSaysSo() {
        var bench = RouterBench()
        let old = bench.joinClient(1, incarnation: 1)
        let new = Peer(side: .client, routingID: [8])
        let sent = bench.receive(.hello(1, incarnation: 2), from: new)
        #expect(sent.of(.bye, to: old).first?.message.errorCode == .replaced)
        #expect(sent.of(.welcome, to: new).count == 1)
        let late = bench.receive(.hello(1, incarnation: 1), from: old)
        #expect(late.first?.message.errorCode == .replaced)
        #expect(bench.router.clientCount == 1)
    }

    @Test func idleClientsMakeRoomAndBusyOnesStay() {
        var bench = RouterBench { $0.clientsMax = 4 }
        let busy = bench.joinClient(1)
        bench.joinWorker(1)
        _ = bench.receive(.request(1), from: busy)
        for number in UInt8(2)..<40 {
            bench.joinClient(number)
            #expect(bench.router.clientCount <= 4)
        }
        #expect(bench.router.inFlightCount == 1)
        let pong = bench.receive(Message(Header(.ping)), from: busy)
        #expect(pong.first?.command == .pong)
    }

    @Test func commandsOfAnotherRoleAreRefused() {
        var bench = RouterBench()
        let (client, worker) = (bench.joinClient(1), bench.joinWorker(1))
        let final = bench.receive(Message(Header(.final)), from: client)
        #expect(final.first?.message.errorCode == .wrongState)
        let request = bench.receive(.request(1), from: worker)
        #expect(request.first?.message.errorCode == .wrongState)
    }

    @Test func requestsWaitWhileARouterIsNew() {
        var bench = RouterBench { $0.settleMilliseconds = 600 }
        let client = bench.joinClient(1)
        let first = bench.joinWorker(1, offers: [search("a")])
        #expect(bench.receive(.request(1), from: client).of(.request).isEmpty)
        #expect(bench.receive(.request(2, service: "none"), from: client).isEmpty)
        let second = bench.joinWorker(2, offers: [search("b")])
        let sent = bench.pass(600, living: [first, second])
        #expect(sent.of(.request).map(\.peer) == [first, second])
        #expect(sent.of(.error, to: client).map(\.message.errorCode) == [.unknownService])
    }

    @Test func aNewRouterStillRepliesInTime() throws {
        var bench = RouterBench { $0.settleMilliseconds = 600 }
        let client = bench.joinClient(1)
        _ = bench.receive(.request(1, budget: 100), from: client)
        let final = try #require(bench.pass(100).of(.final, to: client).first?.message)
        #expect(!final.header.flags.contains(.complete))
        #expect(final.fields.missing == ["image.search"])
    }
}
