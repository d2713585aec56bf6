import Journal
import Messages
import Testing

/// How the server greets, watches and loses its peers.
@Suite(.timeLimit(.minutes(5)))
struct JournalServerPeerTests {
    private typealias Harness = ServerHarness
    private let route: [UInt8] = [0, 9, 255]

    @Test func helloIsWelcomed() throws {
        let harness = Harness(head: 4)
        harness.handle(.message(Harness.hello(7, 1), from: route))
        let welcome = try #require(harness.takeOne())
        #expect(welcome.command == .welcome)
        #expect(welcome.fields.identity == Identity(high: 0, low: 1))
        #expect(welcome.fields.integer(.incarnation) == UInt64(3))
        #expect(welcome.fields.integer(.pingInterval) == Limits.pingIntervalMilliseconds)
        #expect(harness.server.peerCount == 1)
        #expect(harness.facts == [.peerJoined(Identity(high: 0, low: 7))])
    }

    @Test(arguments: [FieldType.identity, .incarnation])
    func helloWithoutWhoItIsIsRefused(missing: FieldType) throws {
        let harness = Harness()
        var hello = Harness.hello(7, 1)
        hello.fields.set(missing, nil)
        harness.handle(.message(hello, from: route))
        #expect(harness.takeOne()?.errorCode == .badRequest)
        #expect(harness.server.peerCount == 0)
    }

    @Test(arguments: Command.allCases)
    func helloComesFirst(command: Command) throws {
        guard command != .hello else { return }
        let harness = Harness()
        let id = RequestID(high: 1, low: 2)
        harness.handle(.message(Message(Header(command, requestID: id)), from: route))
        if command == .error || command == .bye {
            #expect(harness.take().isEmpty)
        } else {
            let error = try #require(harness.takeOne())
            #expect(error.errorCode == .wrongState)
            #expect(error.header.requestID == id)
        }
        #expect(harness.takeGroup() == nil)
        #expect(harness.takeRead() == nil)
    }

    @Test(arguments: [
        Command.welcome, .ready, .request, .partial, .final, .cancel, .draining, .ack, .tail,
    ])
    func commandsThatNoJournalTakesAreRefused(command: Command) throws {
        let harness = Harness()
        harness.connect(route)
        harness.handle(.message(Message(Header(command)), from: route))
        #expect(harness.takeOne()?.errorCode == .wrongState)
        #expect(harness.facts.last == .unexpected(command))
    }

    @Test func errorIsNeverAnswered() throws {
        let harness = Harness()
        harness.connect(route)
        harness.handle(.message(.error(.internalFault, "x"), from: route))
        #expect(harness.take().isEmpty)
    }

    @Test func malformedBytesAreAnsweredAndCounted() throws {
        let harness = Harness()
        harness.handle(.malformed(WireError(.badMagic, "no message"), from: route))
        #expect(harness.takeOne()?.errorCode == .malformed)
        harness.handle(.malformed(WireError(.unsupportedVersion, "version 9"), from: route))
        #expect(harness.takeOne()?.errorCode == .unsupportedVersion)
        #expect(harness.facts == [.malformed(.badMagic), .malformed(.unsupportedVersion)])
    }

    @Test func pingIsAnswered() throws {
        let harness = Harness()
        harness.connect(route)
        harness.handle(
            .message(Message(Header(.ping, requestID: RequestID(high: 0, low: 4))), from: route))
        let pong = try #require(harness.takeOne())
        #expect(pong.command == .pong)
        #expect(pong.header.requestID.low == 4)
    }

    @Test func quietPeerIsPingedAndThenLost() throws {
        let harness = Harness { $0.pingIntervalMilliseconds = 100 }
        harness.connect(route)
        var commands: [Command] = []
        for _ in 0..<6 {
            let wake = try #require(harness.server.nextWake)
            harness.milliseconds = wake.nanoseconds / 1_000_000
            harness.handle(.tick)
            commands += harness.take().map(\.message.command)
            if harness.server.peerCount == 0 { break }
        }
        #expect(commands == [.ping, .ping])
        #expect(harness.milliseconds == 1_300)
        #expect(harness.facts.last == .peerLost(Identity(high: 0, low: 7)))
        #expect(harness.server.nextWake == nil)
        harness.handle(.message(Message(Header(.ping)), from: route))
        #expect(harness.takeOne()?.errorCode == .wrongState)
    }

    @Test func peerThatSpeaksIsKept() throws {
        let harness = Harness { $0.pingIntervalMilliseconds = 100 }
        harness.connect(route)
        for _ in 0..<20 {
            harness.milliseconds += 100
            harness.handle(.message(Message(Header(.pong)), from: route))
            harness.handle(.tick)
        }
        #expect(harness.server.peerCount == 1)
    }

    @Test func silenceWhileTheServerDidNotRunIsForgiven() throws {
        let harness = Harness { $0.pingIntervalMilliseconds = 100 }
        harness.connect(route)
        harness.milliseconds += 5_000
        harness.handle(.tick)
        #expect(harness.server.peerCount == 1)
        for _ in 0..<3 {
            harness.milliseconds += 100
            harness.handle(.tick)
        }
        #expect(harness.server.peerCount == 0)
    }

    @Test func newerIncarnationReplacesTheOlderOne() throws {
        let harness = Harness()
        harness.connect(route, incarnation: 1)
        harness.handle(.message(Harness.hello(7, 2), from: [5]))
        let sent = harness.take()
        #expect(sent.map(\.message.command) == [.bye, .welcome])
        #expect(sent.map(\.route) == [route, [5]])
        #expect(sent[0].message.errorCode == .replaced)
        #expect(harness.server.peerCount == 1)
        harness.handle(.message(Message(Header(.ping)), from: route))
        #expect(harness.takeOne()?.errorCode == .wrongState)
    }

    @Test func olderIncarnationIsTurnedAway() throws {
        let harness = Harness()
        harness.connect(route, incarnation: 5)
        harness.handle(.message(Harness.hello(7, 4), from: [5]))
        #expect(harness.takeOne()?.errorCode == .replaced)
        harness.handle(.message(Message(Header(.ping)), from: route))
        #expect(harness.takeOne()?.command == .pong)
    }

    @Test func helloAgainOnTheSameConnectionIsWelcomedAgain() throws {
        let harness = Harness()
        harness.connect(route)
        harness.handle(.message(Harness.hello(7, 1), from: route))
        #expect(harness.takeOne()?.command == .welcome)
        #expect(harness.server.peerCount == 1)
    }

    @Test func peersAreBounded() throws {
        let harness = Harness { $0.peersMax = 2 }
        harness.connect([1], identity: 1)
        harness.connect([2], identity: 2)
        harness.handle(.message(Harness.hello(3, 1), from: [3]))
        #expect(harness.takeOne()?.errorCode == .overloaded)
        harness.handle(.message(Harness.hello(2, 2), from: [4]))
        #expect(harness.take().last?.message.command == .welcome)
        #expect(harness.server.peerCount == 2)
    }

    @Test func goodbyeAndUndeliverableForgetThePeer() throws {
        let harness = Harness()
        harness.connect([1], identity: 1)
        harness.connect([2], identity: 2)
        harness.handle(.message(Message(Header(.bye)), from: [1]))
        harness.handle(.undeliverable([2]))
        harness.handle(.undeliverable([2]))
        #expect(harness.server.peerCount == 0)
        #expect(harness.take().isEmpty)
    }
}
