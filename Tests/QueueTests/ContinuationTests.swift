import Messages
import Queue
import Testing

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
