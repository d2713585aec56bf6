import Foundation
import Glibc
import TestSupport
import Testing
import ZeroMQ

/// No message may wait while its receiver sleeps: descriptors tell of less than there is.
@Suite(.timeLimit(.minutes(Soak.isOn ? 20 : 5)))
struct PollerStallTests {
    let context: Context

    init() throws { context = try Context() }

    /// Longer than any pause of a loaded machine that the test could take for a stall.
    private static let stallMilliseconds = 20_000

    @Test func messageTakenInByASendIsFoundBeforeTheSleep() throws {
        let link = try Link(context, "inproc://taken-in")
        #expect(try link.dealer.send([[1]]) == .sent)
        let route = try #require(try link.router.nextMessage())[0]
        var poller = Poller()
        try poller.watch([link.router])
        for number in UInt8(0)..<200 {
            try poller.wait(timeoutMilliseconds: 0)
            #expect(!poller.isReady(socket: 0))
            #expect(try link.dealer.send([[number]]) == .sent)
            // More than libzmq lets pass between two looks of a send at what it was told.
            usleep(2_000)
            #expect(try link.router.send([route, [number]]) == .sent)
            try poller.wait(timeoutMilliseconds: Self.stallMilliseconds)
            try #require(poller.isReady(socket: 0))
            #expect(try link.router.receive(framesMax: 2, bytesMax: 8) != nil)
            #expect(try link.dealer.nextMessage() == [[number]])
        }
    }

    @Test func whatIsNotReceivedStaysReady() throws {
        let link = try Link(context, "inproc://not-received")
        for number in UInt8(0)..<3 { #expect(try link.dealer.send([[number]]) == .sent) }
        var poller = Poller()
        try poller.watch([link.router])
        for _ in 0..<3 {
            for _ in 0..<3 {
                try poller.wait(timeoutMilliseconds: Self.stallMilliseconds)
                #expect(poller.isReady(socket: 0))
            }
            #expect(try link.router.receive(framesMax: 2, bytesMax: 8) != nil)
        }
        try poller.wait(timeoutMilliseconds: 0)
        #expect(!poller.isReady(socket: 0))
    }

    @Test func closedSocketIsNeverReadyThoughItsDescriptorIsUsedAgain() throws {
        let gone = try Link(context, "inproc://gone")
        let live = try Link(context, "inproc://live")
        var poller = Poller()
        try poller.watch([gone.router, live.router])
        try poller.wait(timeoutMilliseconds: 0)
        #expect(try gone.dealer.send([[1]]) == .sent)
        gone.router.close()
        // libzmq's own thread closes the descriptor; one of these takes its number.
        usleep(50_000)
        var ends = [Int32](repeating: 0, count: 64)
        for place in stride(from: 0, to: ends.count, by: 2) {
            #expect(pipe(&ends[place]) == 0)
        }
        defer { ends.forEach { _ = close($0) } }
        for place in stride(from: 1, to: ends.count, by: 2) {
            #expect(write(ends[place], [1] as [UInt8], 1) == 1)
        }
        let start = ContinuousClock.now
        try poller.wait(timeoutMilliseconds: 50)
        #expect(ContinuousClock.now - start >= .milliseconds(49))
        #expect(!poller.isReady(socket: 0) && !poller.isReady(socket: 1))
        #expect(try live.dealer.send([[1]]) == .sent)
        try poller.wait(timeoutMilliseconds: Self.stallMilliseconds)
        #expect(!poller.isReady(socket: 0) && poller.isReady(socket: 1))
    }

    @Test func newsWithoutAMessageDoesNotEndTheWait() throws {
        let router = try Socket(context, .router)
        let endpoint = try router.bind("tcp://127.0.0.1:*")
        var poller = Poller()
        try poller.watch([router])
        let context = context
        let visitor = Thread {
            usleep(20_000)
            guard let dealer = try? Socket(context, .dealer) else { return }
            try? dealer.connect(endpoint)
            usleep(50_000)
        }
        visitor.start()
        let start = ContinuousClock.now
        try poller.wait(timeoutMilliseconds: 200)
        #expect(ContinuousClock.now - start >= .milliseconds(199))
        #expect(!poller.isReady(socket: 0))
    }

    @Test(arguments: ["inproc", "tcp"])
    func nobodyStallsWhenSingleMessagesComeAtOddTimes(_ transport: String) throws {
        let exchanges = Soak.isOn ? 30_000 : 1_000
        // In a chain of one message, whoever misses it stops the whole chain.
        let chains = (0..<4).map { number in
            OddChain(
                context, transport: transport, seed: UInt64(number), exchanges: exchanges,
                stallMilliseconds: Self.stallMilliseconds)
        }
        for chain in chains { chain.start() }
        for chain in chains { chain.join() }
        #expect(chains.map(\.completed) == chains.map { _ in exchanges })
    }
}
