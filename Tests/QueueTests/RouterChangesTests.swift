import Messages
import Queue
import Testing

/// Changes on their way to the journal and back.
@Suite struct RouterChangesTests {
    private func bench(
        _ change: (inout RouterConfiguration) -> Void = { _ in }
    ) -> (RouterBench, Peer) {
        var bench = RouterBench {
            $0.hasJournal = true
            change(&$0)
        }
        let client = bench.joinClient(1)
        return (bench, client)
    }

    private func welcome(_ incarnation: UInt64 = 1) -> Message {
        var message = Message.hello(99, incarnation: incarnation)
        message.header.command = .welcome
        return message
    }

    private func ack(_ id: RequestID, body: [UInt8] = []) -> Message {
        var message = Message(Header(.ack, requestID: id), body: body)
        message.fields.position = Position(epoch: 3, sequence: 4)
        return message
    }

    @Test func aChangeGoesToTheJournalAndItsAckBack() throws {
        var (bench, client) = bench()
        _ = bench.receive(welcome(), from: .journal)
        let sent = bench.receive(.change(1), from: client)
        let forwarded = try #require(sent.of(.record, to: .journal).first)
        #expect(forwarded.id != RequestID(high: 1, low: 1))
        #expect(forwarded.message.fields.text(.changeID) == "1")
        let reply = bench.receive(ack(forwarded.id, body: [7]), from: .journal)
        #expect(reply.map(\.command) == [.ack])
        #expect(reply.first?.id == RequestID(high: 1, low: 1))
        #expect(reply.first?.message.fields.position == Position(epoch: 3, sequence: 4))
        #expect(reply.first?.message.body == [7])
        #expect(bench.receive(ack(forwarded.id), from: .journal).isEmpty)
    }

    @Test func aRefusalGoesBackAsItIs() throws {
        var (bench, client) = bench()
        _ = bench.receive(welcome(), from: .journal)
        let id = try #require(bench.receive(.change(1), from: client).of(.record).first?.id)
        let error = Message.error(
            .refused, "why", requestID: id, retryAfterMilliseconds: 9)
        let reply = try #require(bench.receive(error, from: .journal).first?.message)
        #expect(reply.errorCode == .refused)
        #expect(reply.fields.text(.errorText) == "why")
        #expect(reply.fields.integer(.retryAfter, as: UInt32.self) == 9)
    }

    @Test func changesWaitForTheJournalsWelcome() {
        var (bench, client) = bench()
        #expect(bench.receive(.change(1), from: client).of(.record).isEmpty)
        let sent = bench.receive(welcome(), from: .journal)
        #expect(sent.of(.record, to: .journal).count == 1)
    }

    @Test func aSilentJournalRefusesWhatWaitsAndWhatComes() {
        var (bench, client) = bench()
        _ = bench.receive(.change(1, budget: 60_000), from: client)
        let sent = bench.pass(700, living: [client])
        #expect(sent.of(.error, to: client).map(\.message.errorCode) == [.journalUnavailable])
        let next = bench.receive(.change(2), from: client)
        #expect(next.first?.message.errorCode == .journalUnavailable)
        _ = bench.receive(welcome(), from: .journal)
        #expect(bench.receive(.change(3), from: client).of(.record).count == 1)
    }

    @Test func theBudgetEndsAChange() {
        var (bench, client) = bench()
        _ = bench.receive(welcome(), from: .journal)
        _ = bench.receive(.change(1, budget: 100), from: client)
        let sent = bench.pass(100)
        #expect(sent.of(.error, to: client).map(\.message.errorCode) == [.journalUnavailable])
        #expect(bench.router.pendingChangeCount == 0)
    }

    @Test func aRestartedJournalGetsWhatItNeverAcknowledged() throws {
        var (bench, client) = bench()
        _ = bench.receive(welcome(), from: .journal)
        let first = try #require(bench.receive(.change(1), from: client).of(.record).first)
        let stranger = Message.error(.wrongState, "HELLO comes first")
        #expect(bench.receive(stranger, from: .journal).of(.hello, to: .journal).count == 1)
        let again = bench.receive(welcome(2), from: .journal).of(.record)
        #expect(again.map(\.id) == [first.id])
        #expect(bench.receive(welcome(2), from: .journal).of(.record).isEmpty)
    }

    @Test func changesThatWaitAreBounded() {
        var (bench, client) = bench { $0.pendingChangesMax = 2 }
        for id in UInt64(1)...2 { _ = bench.receive(.change(id), from: client) }
        let sent = bench.receive(.change(3), from: client)
        #expect(sent.first?.message.errorCode == .overloaded)
        #expect(sent.first?.message.fields.integer(.retryAfter, as: UInt32.self) == 100)
    }

    @Test func aDuplicateChangeIsForwardedOnce() {
        var (bench, client) = bench()
        _ = bench.receive(welcome(), from: .journal)
        #expect(bench.receive(.change(1), from: client).of(.record).count == 1)
        #expect(bench.receive(.change(1), from: client).isEmpty)
    }

    @Test func withoutAJournalChangesAreRefused() {
        var bench = RouterBench()
        let client = bench.joinClient(1)
        let sent = bench.receive(.change(1), from: client)
        #expect(sent.first?.message.errorCode == .journalUnavailable)
    }

    @Test func theJournalIsGreetedAndPinged() {
        var (bench, _) = bench()
        let greeting = bench.pass(500)
        #expect(greeting.of(.hello, to: .journal).count >= 2)
        _ = bench.receive(welcome(), from: .journal)
        #expect(bench.pass(500).of(.ping, to: .journal).count >= 2)
        let pong = bench.receive(Message(Header(.ping)), from: .journal)
        #expect(pong.of(.pong, to: .journal).count == 1)
    }
}
