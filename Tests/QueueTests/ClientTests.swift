import Messages
import Queue
import Testing

/// A client on a table.
struct ClientBench {
    var client: Client
    var clock: UInt64 = 10_000
    var outcomes: [(ticket: Int, outcome: Outcome)] = []
    var reconnects = 0
    var isClosed = false
    var facts: [ClientFact] = []

    init(_ change: (inout ClientConfiguration) -> Void = { _ in }) {
        var configuration = ClientConfiguration(
            identity: Identity(high: 4, low: 4), incarnation: 6, name: "c")
        configuration.graceMilliseconds = 0
        change(&configuration)
        client = Client(configuration)
    }

    var notices: [(ticket: Int, message: Message)] = []

    mutating func handle(_ event: ClientEvent) -> [Message] {
        let now = Now(
            monotonic: MonotonicTime(nanoseconds: clock * 1_000_000),
            wall: Timestamp(milliseconds: 0))
        var actions: [ClientAction] = []
        client.handle(event, at: now, into: &actions)
        var sent: [Message] = []
        for action in actions {
            switch action {
            case .send(let message): sent.append(message)
            case .finished(let ticket, let outcome): outcomes.append((ticket, outcome))
            case .notified(let ticket, let message): notices.append((ticket, message))
            case .reconnect: reconnects += 1
            case .closed: isClosed = true
            case .fact(let fact): facts.append(fact)
            }
        }
        return sent
    }
    mutating func welcome(incarnation: UInt64 = 1) -> [Message] {
        var message = Message.hello(60, incarnation: incarnation)
        message.header.command = .welcome
        return handle(.message(message))
    }
    mutating func pass(_ milliseconds: UInt64, isAnswered: Bool = true) -> [Message] {
        let end = clock + milliseconds
        var sent: [Message] = []
        while clock < end {
            clock = min(end, clock + 10)
            if isAnswered, clock % 100 == 0 { sent += handle(.message(Message(Header(.pong)))) }
            sent += handle(.tick)
        }
        return sent
    }
}

@Suite struct ClientTests {
    @Test func aRequestFollowsHelloAtOnce() {
        var bench = ClientBench()
        let sent = bench.handle(.submit(ticket: 1, .request(0)))
        #expect(sent.map(\.command) == [.hello, .request])
        #expect(sent.last?.header.requestID == RequestID(high: 6, low: 1))
        #expect(bench.welcome().isEmpty)
    }

    @Test func theAnswerIsTheOutcomeOnce() throws {
        var bench = ClientBench()
        let sent = bench.handle(.submit(ticket: 7, .request(0)))
        let id = try #require(sent.last?.header.requestID)
        let final = Message(Header(.final, requestID: id))
        _ = bench.handle(.message(final))
        _ = bench.handle(.message(final))
        #expect(bench.outcomes.count == 1)
        #expect(bench.outcomes.first?.ticket == 7)
        #expect(bench.outcomes.first?.outcome == .final(final))
        #expect(bench.facts.contains(.late(id)))
    }

    @Test func anErrorCarriesCodeTextRetryAfterAndBody() throws {
        var bench = ClientBench()
        let id = try #require(
            bench.handle(.submit(ticket: 1, .request(0))).last?.header.requestID)
        var error = Message.error(
            .overloaded, "full", requestID: id, retryAfterMilliseconds: 30)
        error.body = [9]
        _ = bench.handle(.message(error))
        let expected = Outcome.error(
            .overloaded, text: "full", retryAfterMilliseconds: 30, body: [9])
        #expect(bench.outcomes.map(\.outcome) == [expected])
    }

    @Test func aChangeIsAcknowledgedWithItsPosition() throws {
        var bench = ClientBench()
        let sent = bench.handle(.submit(ticket: 1, .change(0, budget: 0)))
        let record = try #require(sent.last)
        #expect(record.header.budgetMilliseconds == Limits.changeBudgetMilliseconds)
        var ack = Message(Header(.ack, requestID: record.header.requestID), body: [7])
        ack.fields.position = Position(epoch: 1, sequence: 2)
        _ = bench.handle(.message(ack))
        #expect(
            bench.outcomes.map(\.outcome) == [.ack(Position(epoch: 1, sequence: 2), body: [7])])
    }

    @Test func withoutAnAnswerTheDeadlineIsTheEnd() {
        var bench = ClientBench()
        _ = bench.handle(.submit(ticket: 1, .request(0, budget: 50)))
        _ = bench.pass(40)
        #expect(bench.outcomes.isEmpty)
        _ = bench.pass(10)
        #expect(bench.outcomes.map(\.outcome) == [.timedOut])
    }

    @Test func aReplyOnItsWayIsWaitedForALittle() throws {
        var bench = ClientBench { $0.graceMilliseconds = 100 }
        let id = try #require(
            bench.handle(.submit(ticket: 1, .request(0, budget: 50))).last?.header.requestID)
        _ = bench.pass(120)
        #expect(bench.outcomes.isEmpty)
        _ = bench.handle(.message(Message(Header(.final, requestID: id))))
        #expect(bench.outcomes.count == 1)
    }

    @Test func cancelEndsAtOnceAndTellsTheRouter() throws {
        var bench = ClientBench()
        let id = try #require(
            bench.handle(.submit(ticket: 1, .request(0))).last?.header.requestID)
        let sent = bench.handle(.cancel(ticket: 1))
        #expect(sent.map(\.command) == [.cancel])
        #expect(sent.first?.header.requestID == id)
        _ = bench.handle(.message(.error(.cancelled, "x", requestID: id)))
        #expect(bench.outcomes.count == 1)
    }

    @Test func aRestartedRouterGetsEverythingAgainWithWhatIsLeft() {
        var bench = ClientBench()
        let sent = bench.handle(.submit(ticket: 1, .request(0, budget: 1_000)))
        _ = bench.welcome()
        _ = bench.pass(100)
        let id = sent.last?.header.requestID ?? .zero
        let hello = bench.handle(.message(.error(.wrongState, "HELLO first", requestID: id)))
        #expect(hello.map(\.command) == [.hello])
        let again = bench.welcome(incarnation: 2)
        #expect(again.map(\.command) == [.request])
        #expect(again.first?.header.requestID == id)
        #expect(again.first?.header.budgetMilliseconds == 900)
        #expect(bench.welcome(incarnation: 2).isEmpty)
    }

    @Test func aSilentRouterIsReachedAnewAndAskedAgain() {
        var bench = ClientBench()
        _ = bench.handle(.submit(ticket: 1, .request(0, budget: 5_000)))
        _ = bench.welcome()
        let sent = bench.pass(700, isAnswered: false)
        #expect(bench.reconnects == 1)
        #expect(sent.contains { $0.command == .hello })
        #expect(bench.welcome().map(\.command) == [.request])
    }

    @Test func whatCouldNotBeSentIsSentAgain() {
        var bench = ClientBench()
        let sent = bench.handle(.submit(ticket: 1, .request(0, budget: 5_000)))
        #expect(bench.handle(.unsent(sent[1])).isEmpty)
        #expect(bench.welcome().map(\.command) == [.request])
        _ = bench.handle(.unsent(sent[1]))
        #expect(bench.pass(250).contains { $0.command == .request })
    }

    @Test func aCallerThatGivesUpAfterTheEndChangesNothing() {
        var bench = ClientBench()
        _ = bench.handle(.submit(ticket: 1, .request(0, budget: 10)))
        _ = bench.pass(10)
        #expect(bench.handle(.cancel(ticket: 1)).isEmpty)
        #expect(bench.outcomes.count == 1)
    }

    @Test func moreThanItsShareIsOverloaded() {
        var bench = ClientBench { $0.inFlightMax = 1 }
        _ = bench.handle(.submit(ticket: 1, .request(0)))
        #expect(bench.handle(.submit(ticket: 2, .request(0))).isEmpty)
        #expect(bench.outcomes.map(\.ticket) == [2])
    }

    @Test func closeSaysByeAndEndsEverything() {
        var bench = ClientBench()
        _ = bench.handle(.submit(ticket: 2, .request(0)))
        _ = bench.handle(.submit(ticket: 1, .request(0)))
        #expect(bench.handle(.close).map(\.command) == [.bye])
        #expect(bench.outcomes.map(\.ticket) == [1, 2])
        #expect(bench.isClosed)
        _ = bench.handle(.submit(ticket: 3, .request(0)))
        #expect(bench.outcomes.map(\.ticket) == [1, 2, 3])
        #expect(bench.client.nextWake == nil)
    }

    @Test func aReplacedClientIsClosed() {
        var bench = ClientBench()
        _ = bench.handle(.submit(ticket: 1, .request(0)))
        var bye = Message(Header(.bye))
        bye.fields.set(.errorCode, text: ErrorCode.replaced.rawValue)
        _ = bench.handle(.message(bye))
        #expect(bench.isClosed)
        guard case .error(.replaced, _, _, _) = bench.outcomes.first?.outcome else {
            Issue.record("the request ends as replaced")
            return
        }
    }
}

@Suite struct RefusedClientTests {
    @Test func whatWaitsAndWhatComesLaterEndsWithTheReason() {
        var bench = ClientBench()
        _ = bench.handle(.submit(ticket: 1, Message(Header(.request, budgetMilliseconds: 500))))
        let sent = bench.handle(.refused(.keyRefused, "because"))
        _ = bench.handle(.submit(ticket: 2, Message(Header(.request, budgetMilliseconds: 500))))
        #expect(bench.isClosed)
        #expect(sent.allSatisfy { $0.command == .bye })
        #expect(bench.outcomes.map(\.ticket) == [1, 2])
        for (_, outcome) in bench.outcomes {
            let expected = Outcome.error(
                .keyRefused, text: "because", retryAfterMilliseconds: nil, body: [])
            #expect(outcome == expected)
        }
        #expect(bench.pass(2_000, isAnswered: false).isEmpty)
    }

    @Test func theWordOfARevokedKeyEndsAConnection() {
        var bench = ClientBench()
        _ = bench.handle(.tick)
        _ = bench.welcome()
        _ = bench.handle(.submit(ticket: 1, Message(Header(.request, budgetMilliseconds: 500))))
        _ = bench.handle(.message(.error(.keyRefused, "revoked")))
        #expect(bench.isClosed)
        #expect(bench.outcomes.count == 1)
    }
}
