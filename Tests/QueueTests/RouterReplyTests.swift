import Messages
import Queue
import Testing

/// The one reply of each request.
@Suite struct RouterReplyTests {
    /// A router with parts `a` and `b`, and a request at both.
    struct TwoParts {
        var bench: RouterBench
        let client: Peer
        let first: Peer
        let second: Peer
        var ids: [RequestID] = []

        init(
            _ request: Message = .request(1),
            _ change: (inout RouterConfiguration) -> Void = { _ in }
        ) {
            bench = RouterBench(change)
            client = bench.joinClient(1)
            first = bench.joinWorker(1, offers: [search("a")])
            second = bench.joinWorker(2, offers: [search("b")])
            ids = bench.receive(request, from: client).of(.request).map(\.id)
        }
        mutating func answerFirst(_ items: [MergeItem], at sequence: UInt64 = 5) -> [Sent] {
            let position = Position(epoch: 1, sequence: sequence)
            return bench.receive(
                .result(.final, ids[0], items, position: position), from: first)
        }
        mutating func answerSecond(
            _ items: [MergeItem], at sequence: UInt64 = 5, epoch: UInt64 = 1
        ) -> [Sent] {
            let position = Position(epoch: epoch, sequence: sequence)
            return bench.receive(
                .result(.final, ids[1], items, position: position), from: second)
        }
    }

    @Test func partsAreMergedWhenAllHaveAnswered() throws {
        var two = TwoParts()
        #expect(two.answerFirst([item([3], [3], "3")], at: 9).isEmpty)
        let sent = two.answerSecond([item([1], [1], "1")], at: 7)
        let final = try #require(sent.of(.final, to: two.client).first?.message)
        #expect(text(final.body) == "[1,3]")
        #expect(final.header.flags.contains(.complete))
        #expect(final.header.requestID == RequestID(high: 1, low: 1))
        #expect(final.fields.position == Position(epoch: 1, sequence: 7))
        #expect(final.fields.integer(.partsTotal, as: UInt32.self) == 2)
        #expect(final.fields.integer(.partsAnswered, as: UInt32.self) == 2)
        #expect(final.fields.missing.isEmpty)
        #expect(final.fields[.layout] == [0])
    }

    @Test func oneResultFillsTheWidth() throws {
        var two = TwoParts()
        _ = two.answerFirst([item([1], [1], "1")])
        let final = try #require(two.answerSecond([]).of(.final).first?.message)
        #expect(final.fields[.layout] == [1])
    }

    @Test func partsOfTwoEpochsHaveNoCommonPosition() throws {
        var two = TwoParts()
        _ = two.answerFirst([])
        let final = try #require(two.answerSecond([], epoch: 2).of(.final).first?.message)
        #expect(final.fields.position == nil)
    }

    @Test func atTheDeadlineTheReplySaysWhatIsMissing() throws {
        var two = TwoParts(.request(1, budget: 200))
        _ = two.answerFirst([item([1], [1], "1")])
        let before = two.bench.clock
        let sent = two.bench.pass(195, living: [two.first, two.second])
        let final = try #require(sent.of(.final, to: two.client).first?.message)
        #expect(two.bench.clock == before + 195)
        #expect(text(final.body) == "[1]")
        #expect(!final.header.flags.contains(.complete))
        #expect(final.fields.missing == ["b"])
        #expect(final.fields.integer(.partsAnswered, as: UInt32.self) == 1)
        #expect(sent.of(.cancel, to: two.second).map(\.id) == [two.ids[1]])
    }

    @Test func atTheDeadlineWithNothingTheReplyIsAnEmptyFinal() throws {
        var two = TwoParts(.request(1, budget: 200))
        let sent = two.bench.pass(200, living: [two.first, two.second])
        let final = try #require(sent.of(.final, to: two.client).first?.message)
        #expect(text(final.body) == "[]")
        #expect(final.fields.missing == ["a", "b"])
        #expect(sent.of(.error, to: two.client).isEmpty)
    }

    @Test func partialResultsCountAtTheDeadline() throws {
        var two = TwoParts(.request(1, budget: 200))
        let partial = Message.result(.partial, two.ids[0], [item([1], [1], "1")])
        #expect(two.bench.receive(partial, from: two.first).isEmpty)
        let sent = two.bench.pass(200, living: [two.first, two.second])
        let final = try #require(sent.of(.final, to: two.client).first?.message)
        #expect(text(final.body) == "[1]")
        #expect(final.fields.missing == ["a", "b"])
    }

    @Test func partialResultsOfALostWorkerAreForgotten() throws {
        var two = TwoParts()
        let partial = Message.result(.partial, two.ids[0], [item([1], [1], "\"lost\"")])
        _ = two.bench.receive(partial, from: two.first)
        _ = two.answerSecond([])
        _ = two.bench.handle(.undeliverable(two.first))
        let other = two.bench.joinWorker(3, offers: [search("a")], credit: 0)
        var ready = Message(Header(.ready))
        ready.fields.set(.credit, integer: UInt32(1))
        let id = try #require(two.bench.receive(ready, from: other).of(.request).first?.id)
        let final = two.bench.receive(.result(.final, id, []), from: other).of(.final).first
        #expect(final.map { text($0.message.body) } == "[]")
    }

    @Test func aLateResultIsCountedAndDropped() {
        var two = TwoParts(.request(1, budget: 100))
        _ = two.bench.pass(100, living: [two.first, two.second])
        #expect(two.answerFirst([item([1], [1], "1")]).of(.final).isEmpty)
        #expect(two.answerSecond([]).of(.final).isEmpty)
        #expect(two.bench.router.counters.late == 2)
        #expect(two.bench.router.dispatchCount == 0)
    }

    @Test func aResultOfAnotherWorkersDispatchIsDropped() {
        var two = TwoParts()
        let stolen = Message.result(.final, two.ids[0], [item([1], [1], "1")])
        #expect(two.bench.receive(stolen, from: two.second).isEmpty)
        #expect(two.bench.router.inFlightCount == 1)
    }

    @Test(arguments: [
        ErrorCode.badRequest, .notFound, .accessRequired, .epochChanged, .printVersion,
        .badPicture, .tooLarge,
    ])
    func aFaultOfTheRequestEndsItAtOnce(code: ErrorCode) throws {
        var two = TwoParts()
        var error = Message.error(code, "why", requestID: two.ids[0])
        error.body = Array("{\"access\":\"denied\"}".utf8)
        let sent = two.bench.receive(error, from: two.first)
        let reply = try #require(sent.of(.error, to: two.client).first?.message)
        #expect(reply.errorCode == code)
        #expect(reply.fields.text(.errorText) == "why")
        #expect(text(reply.body) == "{\"access\":\"denied\"}")
        #expect(sent.of(.cancel, to: two.second).map(\.id) == [two.ids[1]])
    }

    @Test func aPartBehindThePositionIsMissing() throws {
        var two = TwoParts()
        let error = Message.error(.positionNotReached, "behind", requestID: two.ids[0])
        _ = two.bench.receive(error, from: two.first)
        let final = try #require(two.answerSecond([]).of(.final).first?.message)
        #expect(final.fields.missing == ["a"])
    }

    @Test func theOnlyPartBehindThePositionIsAnError() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1)
        let id = try #require(bench.receive(.request(1), from: client).of(.request).first?.id)
        let sent = bench.receive(
            .error(.positionNotReached, "behind", requestID: id), from: worker)
        #expect(sent.of(.error, to: client).first?.message.errorCode == .positionNotReached)
    }

    @Test func aResultThatCannotBeReadIsAFailure() throws {
        var two = TwoParts()
        var broken = Message.result(.final, two.ids[0], [])
        broken.fields.set(.items, [0, 9])
        let sent = two.bench.receive(broken, from: two.first)
        #expect(sent.of(.request).first?.message.header.attempt == 2)
        #expect(two.bench.router.counters.malformed == 1)
    }

    @Test func onlyNamedAttachmentsTravelAndEachOnce() throws {
        var two = TwoParts(.request(1, limit: 2))
        func shown(_ key: UInt8, _ number: UInt64) -> MergeItem {
            var item = item([key], [key], "\(key)")
            item.attachments = [hash(number)]
            return item
        }
        let brought = (1...3).map { (hash($0), [UInt8($0)]) }
        _ = two.bench.receive(
            .result(.final, two.ids[0], [shown(1, 2), shown(3, 3)], attachments: brought),
            from: two.first)
        let sent = two.bench.receive(
            .result(.final, two.ids[1], [shown(2, 2)], attachments: [brought[1]]),
            from: two.second)
        let final = try #require(sent.of(.final).first?.message)
        #expect(text(final.body) == "[1,2]")
        #expect(final.fields.attachmentHashes == [hash(2)])
        #expect(final.attachments == [[2]])
    }

    @Test func cancelEndsARequestEverywhere() {
        var two = TwoParts()
        let cancel = Message(Header(.cancel, requestID: RequestID(high: 1, low: 1)))
        let sent = two.bench.receive(cancel, from: two.client)
        #expect(sent.of(.error, to: two.client).first?.message.errorCode == .cancelled)
        #expect(sent.of(.cancel).map(\.peer) == [two.first, two.second])
        #expect(two.bench.receive(cancel, from: two.client).isEmpty)
    }

    @Test func diagnosticsNameWorkersAndAttempts() throws {
        var two = TwoParts()
        _ = two.bench.pass(30, living: [])
        _ = two.answerFirst([])
        let final = try #require(two.answerSecond([]).of(.final).first?.message)
        let json = try JSONValue(parsing: try #require(final.diagnostics))
        #expect(json["elapsedMilliseconds"]?.integer == 30)
        #expect(json["parts"]?.array?.count == 2)
        #expect(json["parts"]?.array?.first?["worker"]?.text == "peer-1")
        #expect(json["parts"]?.array?.first?["attempt"]?.integer == 1)
    }

    @Test func anExchangeIsRecordedWithItsAsOf() {
        var two = TwoParts(.request(1)) { $0.records = true }
        _ = two.answerFirst([])
        _ = two.answerSecond([])
        #expect(two.bench.exchanges.count == 1)
        #expect(two.bench.exchanges.first?.request.fields.asOf != nil)
        #expect(two.bench.exchanges.first?.reply.header.requestID == RequestID(high: 1, low: 1))
    }

    @Test func expectedPartsAreMissedEvenIfNobodyEverOfferedThem() throws {
        var bench = RouterBench { $0.expectedParts = [search("a"), search("b")] }
        let client = bench.joinClient(1)
        let worker = bench.joinWorker(1, offers: [search("a")])
        let id = try #require(
            bench.receive(.request(1, budget: 100), from: client).of(.request).first?.id)
        #expect(bench.receive(.result(.final, id, []), from: worker).isEmpty)
        let final = try #require(bench.pass(100).of(.final, to: client).first?.message)
        #expect(final.fields.missing == ["b"])
    }

    @Test func answeredRequestsWithLongBudgetsLeaveNothingBehind() throws {
        var bench = RouterBench()
        let (client, worker) = (bench.joinClient(1), bench.joinWorker(1))
        for id in UInt64(1)...12_000 {
            let sent = bench.receive(.request(id, budget: 600_000), from: client)
            let dispatch = try #require(sent.of(.request).first?.id)
            _ = bench.receive(.result(.final, dispatch, []), from: worker)
        }
        #expect(bench.router.counters.complete == 12_000)
        #expect(bench.router.inFlightCount + bench.router.dispatchCount == 0)
        #expect(bench.router.timerCount < 5_000)
    }

    @Test func statusAnswersWithoutWorkersAndWithThem() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let alone = bench.receive(.request(1, service: "status"), from: client)
        let own = try JSONValue(parsing: try #require(alone.of(.final).first).message.body)
        #expect(own.array?.first?["role"]?.text == "router")
        let worker = bench.joinWorker(1, offers: [ServiceOffer(service: "status", part: "w")])
        let id = try #require(
            bench.receive(.request(2, service: "status"), from: client).of(.request).first?.id)
        let sent = bench.receive(
            .result(.final, id, [item([1], [1], "{\"role\":\"worker\"}")]), from: worker)
        let both = try JSONValue(parsing: try #require(sent.of(.final).first).message.body)
        #expect(both.array?.map { $0["role"]?.text } == ["router", "worker"])
        #expect(both.array?.first?["workers"]?.array?.first?["credit"]?.integer == 1)
        _ = bench.receive(Message(Header(.bye)), from: worker)
        let after = bench.receive(.request(3, service: "status"), from: client)
        #expect(after.of(.final).first?.message.header.flags.contains(.complete) == true)
    }

    @Test func drainFinishesWhatIsInFlightAndRefusesTheRest() throws {
        var two = TwoParts()
        #expect(two.bench.handle(.drain).isEmpty)
        let refused = two.bench.receive(.request(2), from: two.client)
        #expect(refused.first?.message.errorCode == .draining)
        _ = two.answerFirst([])
        #expect(!two.bench.isDrained)
        let sent = two.answerSecond([])
        #expect(sent.of(.final, to: two.client).count == 1)
        #expect(sent.of(.bye).count == 3)
        #expect(two.bench.isDrained)
        #expect(two.bench.router.nextWake == nil)
    }
}

/// Kept results and the tokens that name them.
@Suite struct ContinuationTests {
    private func searched(
        _ bench: inout RouterBench, _ client: Peer, _ worker: Peer, id: UInt64 = 1
    ) throws -> Message {
        let sent = bench.receive(.request(id, limit: 1), from: client)
        let dispatch = try #require(sent.of(.request).first?.id)
        let items = [item([1], [1], "1"), item([2], [2], "2"), item([3], [3], "3")]
        let reply = bench.receive(.result(.final, dispatch, items), from: worker)
        return try #require(reply.of(.final, to: client).first?.message)
    }

    private func continuation(_ id: UInt64, _ token: String, limit: UInt32 = 10) -> Message {
        .request(id, service: "search.continue", limit: limit, body: "{\"token\":\"\(token)\"}")
    }

    @Test func theSameResultsComeAgainWithALargerLimit() throws {
        var bench = RouterBench { $0.continueRoute = "app://more/{token}?x" }
        let (client, worker) = (bench.joinClient(1), bench.joinWorker(1))
        let first = try searched(&bench, client, worker)
        #expect(text(first.body) == "[1]")
        let token = try #require(first.fields.continueToken)
        #expect(first.fields.text(.continueRoute) == "app://more/\(token)?x")
        let sent = bench.receive(continuation(2, "\(token)"), from: client)
        let more = try #require(sent.of(.final, to: client).first?.message)
        #expect(text(more.body) == "[1,2,3]")
        #expect(more.header.flags.contains(.complete))
        #expect(sent.of(.request).isEmpty)
    }

    @Test func anotherClientsTokenIsNotKept() throws {
        var bench = RouterBench()
        let (client, worker) = (bench.joinClient(1), bench.joinWorker(1))
        let stranger = bench.joinClient(2)
        let first = try searched(&bench, client, worker)
        let token = try #require(first.fields.continueToken)
        let sent = bench.receive(continuation(1, "\(token)"), from: stranger)
        #expect(sent.first?.message.errorCode == .notKept)
    }

    @Test func resultsAreKeptForAStatedTimeAndNumber() throws {
        var bench = RouterBench {
            $0.keptResultsMax = 1
            $0.keptMilliseconds = 1_000
        }
        let (client, worker) = (bench.joinClient(1), bench.joinWorker(1))
        let first = try #require(try searched(&bench, client, worker).fields.continueToken)
        _ = bench.pass(500, living: [client, worker])
        var other = Message.request(2)
        other.body = Array("{\"x\":1}".utf8)
        let id = try #require(bench.receive(other, from: client).of(.request).first?.id)
        let reply = bench.receive(.result(.final, id, []), from: worker).of(.final).first
        let second = try #require(reply?.message.fields.continueToken)
        #expect(second != first)
        let gone = bench.receive(continuation(3, "\(first)"), from: client)
        #expect(gone.first?.message.errorCode == .notKept)
        #expect(bench.receive(continuation(4, "\(second)"), from: client).of(.final).count == 1)
        _ = bench.pass(1_000, living: [client, worker])
        let old = bench.receive(continuation(5, "\(second)"), from: client)
        #expect(old.first?.message.errorCode == .notKept)
    }

    @Test(arguments: ["", "[]", "{}", "{\"token\":\"xyz\"}", "{\"token\":7}"])
    func aBodyWithoutATokenIsRefused(body: String) {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let sent = bench.receive(
            .request(1, service: "search.continue", body: body), from: client)
        #expect(sent.first?.message.errorCode == .badRequest)
    }
}
