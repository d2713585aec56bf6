import Messages
import Queue
import Testing

/// Second attempts beside the first, and what workers say about trying again.
@Suite struct HedgingTests {
    /// Two workers that have answered 200 requests in 5 ms each.
    private struct Two {
        var bench: RouterBench
        let client: Peer
        let workers: [Peer]
        private var next: UInt64 = 10_000

        init(
            isIdempotent: Bool = true, _ change: (inout RouterConfiguration) -> Void = { _ in }
        ) {
            bench = RouterBench(change)
            client = bench.joinClient(1)
            var offers = [search()]
            offers[0].isIdempotent = isIdempotent
            workers = [
                bench.joinWorker(1, offers: offers, credit: 4),
                bench.joinWorker(2, offers: offers, credit: 4),
            ]
            for _ in 0..<200 {
                guard let sent = ask().of(.request).first else { continue }
                _ = bench.pass(5)
                _ = bench.receive(.result(.final, sent.id, []), from: sent.peer)
                if bench.clock % 100 < 6 { ping() }
            }
        }
        mutating func ping() {
            for peer in workers + [client] {
                _ = bench.receive(Message(Header(.ping)), from: peer)
            }
        }
        mutating func ask(budget: UInt32 = 1_000) -> [Sent] {
            next += 1
            return bench.receive(.request(next, budget: budget), from: client)
        }
    }

    @Test func aSlowAttemptGetsASecondOneElsewhere() throws {
        var two = Two()
        let first = try #require(two.ask().of(.request).first)
        let hedge = try #require(two.bench.pass(8).of(.request).first)
        #expect(hedge.peer != first.peer)
        #expect(hedge.message.header.attempt == 2)
        #expect(hedge.message.body == first.message.body)
        // One id but for its last byte.
        #expect(hedge.id.bytes.dropLast() == first.id.bytes.dropLast())
        #expect(hedge.id != first.id)
        #expect(two.bench.router.counters.hedged == 1)
    }

    @Test func theFirstFinalCountsAndTheOtherIsCancelled() throws {
        var two = Two()
        let first = try #require(two.ask().of(.request).first)
        let hedge = try #require(two.bench.pass(8).of(.request).first)
        let partial = Message.result(.partial, first.id, [item([1], [1], "\"slow\"")])
        _ = two.bench.receive(partial, from: first.peer)
        let sent = two.bench.receive(
            .result(.final, hedge.id, [item([2], [2], "\"fast\"")]), from: hedge.peer)
        #expect(sent.of(.final, to: two.client).first.map { text($0.message.body) } == "[\"fast\"]")
        #expect(sent.of(.cancel, to: first.peer).map(\.id) == [first.id])
        let late = two.bench.receive(.result(.final, first.id, []), from: first.peer)
        #expect(late.of(.final).isEmpty)
        #expect(two.bench.router.dispatchCount == 0)
        #expect(two.bench.router.counters.hedgesWon == 1)
    }

    @Test func theLossOfOneAttemptLeavesTheOther() throws {
        var two = Two()
        let first = try #require(two.ask().of(.request).first)
        let hedge = try #require(two.bench.pass(8).of(.request).first)
        #expect(two.bench.handle(.undeliverable(first.peer)).of(.error).isEmpty)
        let sent = two.bench.receive(.result(.final, hedge.id, []), from: hedge.peer)
        #expect(sent.of(.final, to: two.client).count == 1)
    }

    @Test func whatIsNotIdempotentIsNeverTriedTwiceAtATime() {
        var two = Two(isIdempotent: false)
        _ = two.ask()
        #expect(two.bench.pass(500, living: two.workers + [two.client]).of(.request).isEmpty)
    }

    @Test(arguments: [(UInt32(50), UInt64(14)...16), (10, 3...6), (0, 0...0)])
    func theBudgetBoundsSecondAttempts(perThousand: UInt32, expected: ClosedRange<UInt64>) {
        var two = Two {
            $0.hedgesSavedMax = 1
            $0.hedgesPerThousand = perThousand
        }
        let before = two.bench.router.counters.dispatched
        for turn in 0..<400 {
            let first = two.ask().of(.request).first
            // One in 25 takes longer.
            let hedge = two.bench.pass(turn % 25 == 24 ? 12 : 5).of(.request).first
            for sent in [first, hedge].compactMap(\.self) {
                _ = two.bench.receive(.result(.final, sent.id, []), from: sent.peer)
            }
            two.ping()
        }
        let counters = two.bench.router.counters
        #expect(counters.dispatched - before - counters.hedged == 400)
        #expect(expected.contains(counters.hedged), "\(counters.hedged)")
    }

    @Test func aWorkerMayForbidAnotherTry() {
        var two = Two()
        let first = two.ask().of(.request).first
        let error = Message.error(
            .internalFault, "it is the picture", requestID: first?.id ?? .zero,
            retryAfterMilliseconds: Message.neverAgain)
        let sent = two.bench.receive(error, from: first?.peer ?? two.client)
        #expect(sent.of(.request).isEmpty)
        #expect(sent.of(.error, to: two.client).first?.message.errorCode == .internalFault)
    }

    @Test func aWorkerMayPutOffAnotherTry() throws {
        var two = Two()
        let first = try #require(two.ask().of(.request).first)
        let error = Message.error(
            .overloaded, "later", requestID: first.id, retryAfterMilliseconds: 60)
        #expect(two.bench.receive(error, from: first.peer).of(.request).isEmpty)
        #expect(two.bench.pass(59).of(.request).isEmpty)
        #expect(two.bench.pass(1).of(.request).count == 1)
    }

    @Test func itIsPutOffAlsoWhereAnotherAttemptGoesOnMeanwhile() throws {
        var two = Two()
        let first = try #require(two.ask().of(.request).first)
        let hedge = try #require(two.bench.pass(8).of(.request).first)
        let error = Message.error(
            .overloaded, "later", requestID: first.id, retryAfterMilliseconds: 60)
        #expect(two.bench.receive(error, from: first.peer).of(.request).isEmpty)
        let back = Message.error(.handedBack, "", requestID: hedge.id)
        #expect(two.bench.receive(back, from: hedge.peer).of(.request).isEmpty)
        #expect(two.bench.pass(59).of(.request).isEmpty)
        #expect(two.bench.pass(1).of(.request).count == 1)
    }

    @Test func itIsForbiddenAlsoWhereAnotherAttemptGoesOnMeanwhile() throws {
        var two = Two()
        let first = try #require(two.ask().of(.request).first)
        let hedge = try #require(two.bench.pass(8).of(.request).first)
        let error = Message.error(
            .internalFault, "it is the picture", requestID: first.id,
            retryAfterMilliseconds: Message.neverAgain)
        #expect(two.bench.receive(error, from: first.peer).of(.error).isEmpty)
        let sent = two.bench.receive(
            .error(.handedBack, "", requestID: hedge.id), from: hedge.peer)
        #expect(sent.of(.request).isEmpty)
        #expect(sent.of(.error, to: two.client).first?.message.errorCode == .internalFault)
    }
}
