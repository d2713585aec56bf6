import ZeroMQ

/// A router and one dealer that is connected to it.
struct Link {
    let router: Socket
    let dealer: Socket

    init(_ context: Context, _ endpoint: String, _ options: SocketOptions = .init()) throws {
        router = try Socket(context, .router, options: options)
        dealer = try Socket(context, .dealer, options: options)
        let bound = try router.bind(endpoint)
        try dealer.connect(bound)
        _ = try Poller.wait(sockets: [router, dealer], timeoutMilliseconds: 0)
        if endpoint.hasPrefix("tcp") {
            // A dealer takes nothing before its connection is complete; this message shows that
            // it is, and is read away.
            try dealer.sendWhenConnected([[0]])
            _ = try router.nextMessage()
        }
    }

    /// The routing id of the dealer, which says something.
    func passRoute() throws -> [UInt8]? {
        try dealer.sendWhenConnected([[0]])
        return try router.nextMessage()?[0]
    }
}

extension Socket {
    /// Sends as soon as there is room or a connection, within seconds.
    func sendWhenConnected(_ frames: [[UInt8]]) throws {
        for _ in 0..<5_000 {
            if try send(frames) == .sent { return }
            _ = try Poller.wait(sockets: [self], timeoutMilliseconds: 1)
        }
        throw ZeroMQError(.other(0), operation: "sendWhenConnected")
    }

    /// The next message inside the limits; nil after some seconds without one.
    func nextMessage(framesMax: Int = 16, bytesMax: Int = 1 << 16) throws -> [[UInt8]]? {
        guard case .message(let frames) = try next(framesMax: framesMax, bytesMax: bytesMax)
        else { return nil }
        return frames
    }

    /// What comes next; nil after the time without anything.
    func next(framesMax: Int, bytesMax: Int, milliseconds: Int = 5_000) throws -> Received? {
        if let received = try receive(framesMax: framesMax, bytesMax: bytesMax) { return received }
        _ = try Poller.wait(sockets: [self], timeoutMilliseconds: milliseconds)
        return try receive(framesMax: framesMax, bytesMax: bytesMax)
    }
}
