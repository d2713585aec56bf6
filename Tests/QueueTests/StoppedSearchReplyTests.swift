import Messages
import Queue
import Testing

/// Replies to searches that workers stopped at the deadline.
@Suite struct StoppedSearchReplyTests {
    private static func final(_ sent: [Sent]) -> Message? { sent.of(.final).first?.message }

    /// What a worker sends of a search that it stopped.
    private static func stopped(
        _ id: RequestID, _ items: [MergeItem], _ checked: CheckedCandidates
    ) -> Message {
        var message = Message.result(.final, id, items)
        message.fields.checked = checked
        return message
    }

    @Test func whatAStoppedSearchFoundIsShownAndItsPartIsMissing() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        let request = try #require(bench.receive(.request(1), from: client).of(.request).first)
        let sent = bench.receive(
            Self.stopped(
                request.id, [item([1], [1], "1")], CheckedCandidates(checked: 12, of: 30)),
            from: request.peer)
        let final = try #require(Self.final(sent))
        #expect(text(final.body) == "[1]")
        #expect(!final.header.flags.contains(.complete))
        #expect(final.fields.missing == ["image.search"])
        #expect(final.fields.checked == CheckedCandidates(checked: 12, of: 30))
        #expect(final.fields.integer(.partsTotal, as: UInt32.self) == 1)
        #expect(final.fields.integer(.partsAnswered, as: UInt32.self) == 0)
        #expect(bench.router.inFlightCount == 0)
    }

    @Test func aStoppedSearchWithoutMatchesIsNoError() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        let request = try #require(bench.receive(.request(1), from: client).of(.request).first)
        let sent = bench.receive(
            Self.stopped(request.id, [], CheckedCandidates(checked: 1, of: 30)),
            from: request.peer)
        let final = try #require(Self.final(sent))
        #expect(text(final.body) == "[]")
        #expect(final.fields.checked?.checked == 1)
    }

    @Test(arguments: [nil, 50, 51] as [UInt32?])
    func partsAreAddedUpAndCountAsNoShare(least: UInt32?) throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        bench.joinWorker(1, offers: [search("slots=0-31")])
        bench.joinWorker(2, offers: [search("slots=32-63")])
        var message = Message.request(1)
        message.fields.set(.leastShare, integer: least)
        let requests = bench.receive(message, from: client).of(.request)
        #expect(requests.count == 2)
        var sent: [Sent] = []
        for request in requests {
            let isLow = request.message.fields.text(.part) == "slots=0-31"
            let found = [item([isLow ? 1 : 2], [isLow ? 1 : 2], isLow ? "1" : "2")]
            sent += bench.receive(
                isLow
                    ? Self.stopped(request.id, found, CheckedCandidates(checked: 5, of: 9))
                    : .result(.final, request.id, found),
                from: request.peer)
        }
        guard least ?? 0 <= 50 else {
            #expect(sent.of(.error, to: client).first?.message.errorCode == .incomplete)
            return
        }
        let final = try #require(Self.final(sent))
        #expect(text(final.body) == "[1,2]")
        #expect(final.fields.missing == ["slots=0-31"])
        #expect(final.fields.checked == CheckedCandidates(checked: 5, of: 9))
        #expect(final.fields.integer(.partsAnswered, as: UInt32.self) == 1)
    }

    @Test func aCompleteSearchSaysNothingOfIt() throws {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        bench.joinWorker(1)
        let request = try #require(bench.receive(.request(1), from: client).of(.request).first)
        let sent = bench.receive(.result(.final, request.id, []), from: request.peer)
        let final = try #require(Self.final(sent))
        #expect(final.header.flags.contains(.complete))
        #expect(final.fields.checked == nil)
    }
}
