import Testing
import ZeroMQ

@Suite struct CurveTests {
    /// A server with keys, and what judges its handshakes.
    private struct Server {
        let context: Context
        let own: CurveKeyPair
        let handler: Socket
        let router: Socket
        let url: String
        let monitor: SocketMonitor

        init() throws {
            context = try Context()
            own = try CurveKeyPair.random()
            handler = try Socket(context, .router)
            try handler.bind(Socket.handshakeHandler)
            var options = SocketOptions()
            options.curve = .server(own: own, domain: "test")
            router = try Socket(context, .router, options: options)
            let address = Socket.monitorAddress()
            try router.startMonitor(at: address)
            monitor = try SocketMonitor(context, address: address)
            url = try router.bind("tcp://127.0.0.1:*")
        }

        func dealer(_ curve: CurveOptions?) throws -> (Socket, SocketMonitor) {
            var options = SocketOptions()
            options.curve = curve
            let dealer = try Socket(context, .dealer, options: options)
            let address = Socket.monitorAddress()
            try dealer.startMonitor(at: address)
            let monitor = try SocketMonitor(context, address: address)
            try dealer.connect(url)
            return (dealer, monitor)
        }

        /// Answers the next handshake, and returns what libzmq asked.
        func judge(_ status: String) throws -> [[UInt8]] {
            let frames = try handler.nextMessage() ?? []
            guard frames.count == 9 else { return frames }
            let answer = frames[..<4] + [Array(status.utf8), [], Array("somebody".utf8), []]
            _ = try handler.send(Array(answer))
            return frames
        }
    }

    @Test func keysAreFortyCharacters() throws {
        let pair = try CurveKeyPair.random()
        #expect(CurveKey(pair.publicKey.text) == pair.publicKey)
        #expect(CurveKeyPair(publicKey: pair.publicKey, secretKey: pair.secretKey) == pair)
        #expect(try CurveKeyPair.random() != pair)
        #expect(CurveKeyPair(publicKey: pair.secretKey, secretKey: pair.publicKey) == nil)
        // From the reference of ZeroMQ RFC 32.
        let bytes: [UInt8] = [
            0x8E, 0x0B, 0xDD, 0x69, 0x76, 0x28, 0xB9, 0x1D, 0x8F, 0x24, 0x55, 0x87, 0xEE, 0x95,
            0xC5, 0xB0, 0x4D, 0x48, 0x96, 0x3F, 0x79, 0x25, 0x98, 0x77, 0xB4, 0x9C, 0xD9, 0x06,
            0x3A, 0xEA, 0xD3, 0xB7,
        ]
        #expect(CurveKey(bytes: bytes)?.text == "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6")
        for text in ["", "short", String(repeating: "~", count: 40), pair.publicKey.text + "0"] {
            #expect(CurveKey(text) == nil)
        }
        #expect(!"\(pair)".contains(pair.secretKey.text))
    }

    @Test func anAllowedKeyGetsInAndItsUserIsKnown() throws {
        let server = try Server()
        let own = try CurveKeyPair.random()
        let (dealer, monitor) = try server.dealer(
            .client(own: own, server: server.own.publicKey))
        let asked = try server.judge("200")
        #expect(asked.count == 9)
        #expect(asked[4] == Array("test".utf8))
        #expect(asked[5] == Array("127.0.0.1".utf8))
        #expect(CurveKey(bytes: asked[8]) == own.publicKey)
        try dealer.sendWhenConnected([[1, 2]])
        let message = try #require(try server.router.nextMessage())
        #expect(message[1] == [1, 2])
        #expect(try events(monitor, until: .handshakeSucceeded))

        // A handshake is judged once; who may still be heard is another thing.
        server.router.allowedUserIDs = ["nobody"]
        try dealer.sendWhenConnected([[3]])
        let refused = try server.router.next(framesMax: 4, bytesMax: 100)
        #expect(refused == .disallowed(firstFrame: message[0]))
        server.router.allowedUserIDs = ["somebody"]
        try dealer.sendWhenConnected([[4]])
        #expect(try server.router.nextMessage()?[1] == [4])
    }

    @Test func bothSidesLearnWhyAHandshakeFailed() throws {
        let server = try Server()
        let own = try CurveKeyPair.random()
        let (unknown, unknownEvents) = try server.dealer(
            .client(own: own, server: server.own.publicKey))
        _ = try server.judge("400")
        #expect(try events(unknownEvents, until: .keyRefused(status: 400)))
        #expect(try events(server.monitor, until: .keyRefused(status: 400)))

        let (naked, nakedEvents) = try server.dealer(nil)
        #expect(try events(nakedEvents, until: .mechanismMismatch))
        #expect(try events(server.monitor, until: .mechanismMismatch))

        let (wrong, wrongEvents) = try server.dealer(.client(own: own, server: own.publicKey))
        #expect(try events(wrongEvents, until: .closedInHandshake))
        #expect(try events(server.monitor, until: .wrongServerKey))
        withExtendedLifetime((unknown, naked, wrong)) {}
    }

    /// Reads events until one comes; false after some seconds without it.
    private func events(_ monitor: SocketMonitor, until wanted: SocketEvent) throws -> Bool {
        for _ in 0..<500 {
            while let event = try monitor.next() {
                if event == wanted { return true }
            }
            _ = try Poller.wait(sockets: [monitor.socket], timeoutMilliseconds: 10)
        }
        return false
    }
}
