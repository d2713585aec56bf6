import Bytes
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct SocketTests {
    let context: Context

    init() throws { context = try Context() }

    @Test(arguments: ["inproc://socket-tests", "tcp://127.0.0.1:*"])
    func messageArrivesWithTheRoutingIDInFront(endpoint: String) throws {
        let link = try Link(context, endpoint)
        #expect(try link.dealer.send([[], [1, 2], Array("text".utf8)]) == .sent)
        let frames = try #require(try link.router.nextMessage())
        #expect(Array(frames.dropFirst()) == [[], [1, 2], Array("text".utf8)])
        #expect(try link.router.send([frames[0], [9]]) == .sent)
        #expect(try link.dealer.nextMessage() == [[9]])
    }

    @Test func boundPortIsTold() throws {
        let router = try Socket(context, .router)
        let endpoint = try router.bind("tcp://127.0.0.1:*")
        #expect(endpoint.hasPrefix("tcp://127.0.0.1:"))
        #expect(endpoint.hasSuffix("*") == false)
        let second = try Socket(context, .router)
        let error = #expect(throws: ZeroMQError.self) { try second.bind(endpoint) }
        #expect(error?.code == .addressInUse)
        #expect(error?.context == endpoint)
    }

    @Test(arguments: ["tcp://nowhere", "carrier-pigeon://x", ""])
    func malformedEndpointIsRefusedByName(endpoint: String) throws {
        let socket = try Socket(context, .dealer)
        let error = #expect(throws: ZeroMQError.self) { try socket.connect(endpoint) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.description.contains(endpoint) == true)
    }

    @Test func routingIDsAreAnyBytes() throws {
        let router = try Socket(context, .router)
        let endpoint = try router.bind("tcp://127.0.0.1:*")
        let chosen: [UInt8] = [0xFF, 0x00, 0x80, 0x0A]
        var options = SocketOptions()
        options.routingID = chosen
        let named = try Socket(context, .dealer, options: options)
        try named.connect(endpoint)
        try named.sendWhenConnected([[1]])
        #expect(try router.nextMessage() == [chosen, [1]])
        let unnamed = try Socket(context, .dealer)
        try unnamed.connect(endpoint)
        try unnamed.sendWhenConnected([[2]])
        let frames = try #require(try router.nextMessage())
        #expect(frames[0].first == 0)
        #expect(frames[0].count == 5)
        #expect(try router.send([frames[0], [3]]) == .sent)
        #expect(try unnamed.nextMessage() == [[3]])
    }

    @Test(arguments: [[], [0, 1], [UInt8](repeating: 1, count: 256)] as [[UInt8]])
    func routingIDOutOfRangeIsRefused(id: [UInt8]) throws {
        var options = SocketOptions()
        options.routingID = id
        let error = #expect(throws: ZeroMQError.self) {
            _ = try Socket(context, .dealer, options: options)
        }
        #expect(error?.context == "ZMQ_ROUTING_ID")
    }

    @Test func unknownPeerIsUnreachable() throws {
        let link = try Link(context, "inproc://unknown-peer")
        #expect(try link.router.send([[7, 7, 7], [1]]) == .unreachable)
        #expect(try link.dealer.send([[1]]) == .sent)
        #expect(try link.router.nextMessage()?.last == [1])
    }

    @Test func closedPeerBecomesUnreachable() throws {
        let link = try Link(context, "tcp://127.0.0.1:*")
        try link.dealer.sendWhenConnected([[1]])
        let peer = try #require(try link.router.nextMessage())[0]
        link.dealer.close()
        var result = SendResult.sent
        // libzmq notices on its I/O thread; each poll lets it work and waits for nothing else.
        for _ in 0..<5_000 where result != .unreachable {
            result = try link.router.send([peer, [2]])
            _ = try Poller.wait(sockets: [link.router], timeoutMilliseconds: 1)
        }
        #expect(result == .unreachable)
    }

    @Test func stalledPeerMakesTheQueueFullAndLosesNothingTaken() throws {
        var options = SocketOptions()
        options.sendHighWater = 10
        options.receiveHighWater = 10
        let link = try Link(context, "inproc://stalled-peer", options)
        #expect(try link.dealer.send([[0]]) == .sent)
        let peer = try #require(try link.router.nextMessage())[0]
        var taken: [UInt8] = []
        for number in UInt8(0)..<100 {
            guard try link.router.send([peer, [number], [number]]) == .sent else { break }
            taken.append(number)
        }
        #expect(taken.count >= 10)
        #expect(taken.count < 100)
        for number in taken {
            #expect(try link.dealer.nextMessage() == [[number], [number]])
        }
        #expect(try link.dealer.receive(framesMax: 4, bytesMax: 100) == nil)
    }

    @Test func dealerWithoutPeerTakesNothing() throws {
        let dealer = try Socket(context, .dealer)
        try dealer.connect("tcp://127.0.0.1:9")
        #expect(try dealer.send([[1]]) == .full)
    }

    @Test func manyFramesArriveInOrder() throws {
        let link = try Link(context, "tcp://127.0.0.1:*")
        let frames = (0..<256).map { [UInt8](repeating: UInt8($0), count: $0 * 17) }
        try link.dealer.sendWhenConnected(frames)
        let received = try #require(
            try link.router.nextMessage(framesMax: 257, bytesMax: 1 << 20))
        #expect(Array(received.dropFirst()) == frames)
    }

    @Test func aLargeFrameIsPassedOnFromWhereItWasReceived() throws {
        let near = try Link(context, "tcp://127.0.0.1:*")
        let far = try Link(context, "tcp://127.0.0.1:*")
        let peer = try #require(try far.passRoute())
        let large = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try near.dealer.sendWhenConnected([[1], large, [2], large])
        var frames: [SharedBytes] = []
        let limit = 4 * large.count
        while try near.router.receive(
            into: &frames, lends: true, framesMax: 5, bytesMax: limit) == nil
        {
            _ = try Poller.wait(sockets: [near.router], timeoutMilliseconds: 1_000)
        }
        #expect(frames.map(\.count) == [5, 1, large.count, 1, large.count])
        #expect(frames.map { $0.lentMemory != nil } == [false, false, true, false, true])
        // Twice, from one memory, and read meanwhile.
        frames[0] = SharedBytes(peer)
        #expect(try far.router.send(frames) == .sent)
        #expect(try far.router.send(frames) == .sent)
        #expect(frames[2].array == large)
        frames = []
        for _ in 0..<2 {
            let received = try far.dealer.nextMessage(framesMax: 5, bytesMax: limit)
            #expect(received == [[1], large, [2], large])
        }
    }

    @Test func aLentFrameThatNobodyTakesIsNotLost() throws {
        let link = try Link(context, "tcp://127.0.0.1:*")
        let large = [UInt8](repeating: 3, count: 50_000)
        try link.dealer.sendWhenConnected([large])
        var frames: [SharedBytes] = []
        while try link.router.receive(
            into: &frames, lends: true, framesMax: 5, bytesMax: 1 << 20) == nil
        {
            _ = try Poller.wait(sockets: [link.router], timeoutMilliseconds: 1_000)
        }
        let route = frames[0]
        frames[0] = [9, 9, 9, 9, 9]
        #expect(try link.router.send(frames) == .unreachable)
        frames[0] = route
        #expect(try link.router.send(frames) == .sent)
        let back = try link.dealer.nextMessage(framesMax: 5, bytesMax: 1 << 20)
        #expect(back == [large])
    }

    @Test func messageOverTheLimitsIsReadToItsEndAndDropped() throws {
        let link = try Link(context, "inproc://oversized")
        #expect(try link.dealer.send([[1], [2], [3], [4]]) == .sent)
        #expect(try link.dealer.send([[1], [UInt8](repeating: 2, count: 1_000), [3]]) == .sent)
        #expect(try link.dealer.send([[5]]) == .sent)
        let frames = try link.router.next(framesMax: 4, bytesMax: 900)
        guard case .oversized(let first) = frames else {
            Issue.record("four frames and a routing id are over the limit of four")
            return
        }
        #expect(first.count == 5)
        #expect(try link.router.next(framesMax: 4, bytesMax: 900) == .oversized(firstFrame: first))
        #expect(try link.router.next(framesMax: 4, bytesMax: 900) == .message([first, [5]]))
    }

    @Test func firstFrameOverTheLimitIsNotKept() throws {
        let link = try Link(context, "inproc://first-frame")
        #expect(try link.dealer.send([[1]]) == .sent)
        let peer = try #require(try link.router.nextMessage())[0]
        #expect(try link.router.send([peer, [UInt8](repeating: 0, count: 50), [1]]) == .sent)
        #expect(try link.dealer.next(framesMax: 4, bytesMax: 49) == .oversized(firstFrame: []))
    }

    @Test func frameOverTheSocketsOwnLimitNeverArrives() throws {
        var options = SocketOptions()
        options.maxMessageBytes = 1_024
        options.reconnectIntervalMilliseconds = 1
        let link = try Link(context, "tcp://127.0.0.1:*", options)
        try link.dealer.sendWhenConnected([[UInt8](repeating: 0, count: 4_096)])
        // The connection is cut; the dealer comes back with the next message.
        var received: Received?
        for _ in 0..<2_000 where received == nil {
            _ = try link.dealer.send([[1]])
            received = try link.router.next(framesMax: 4, bytesMax: 1 << 20, milliseconds: 5)
        }
        guard case .message(let frames) = received else {
            Issue.record("no message came after the cut")
            return
        }
        #expect(frames.last == [1])
    }

    @Test func optionOutOfRangeIsRefusedByName() throws {
        var options = SocketOptions()
        options.sendHighWater = -1
        let error = #expect(throws: ZeroMQError.self) {
            _ = try Socket(context, .router, options: options)
        }
        #expect(error?.description == "zmq_setsockopt(ZMQ_SNDHWM): invalidArgument")
    }

    @Test func contextEndsOnceItsSocketsAreClosed() throws {
        let own = try Context()
        let dealer = try Socket(own, .dealer)
        try dealer.connect("tcp://127.0.0.1:9")
        dealer.close()
        own.terminate()
        own.terminate()
    }

    @Test func useAfterCloseIsAMistake() async {
        await #expect(processExitsWith: .failure) {
            let socket = try Socket(try Context(), .dealer)
            socket.close()
            _ = try socket.send([[1]])
        }
    }
}
