import Messages
import ZeroMQ

/// What a socket gave: a message, or why the bytes are none.
typealias Arrival = Result<Message, WireError>

extension Socket {
    /// Takes the messages that have arrived, up to a burst, each with its routing id; one of a peer
    /// whose key was revoked is nil.
    func takeRouted(_ body: ([UInt8], Arrival?) -> Void) throws(ZeroMQError) {
        try take(framesMax: Limits.framesMax + 1) { frames in
            var frames = frames
            let routingID = frames.removeFirst()
            body(routingID, Self.decode(frames))
        } oversized: { first in
            body(first, .failure(Self.tooLarge))
        } disallowed: { first in
            body(first, nil)
        }
    }

    /// Takes the messages that have arrived at a dealer socket, up to a burst.
    func takeMessages(_ body: (Arrival) -> Void) throws(ZeroMQError) {
        try take(framesMax: Limits.framesMax) { frames in
            body(Self.decode(frames))
        } oversized: { _ in
            body(.failure(Self.tooLarge))
        } disallowed: { _ in
            // Those that connect judge the other side by its key alone.
        }
    }

    private static var tooLarge: WireError {
        WireError(
            .messageTooLarge,
            "at most \(Limits.framesMax) frames and \(Limits.messageBytesMax) bytes")
    }

    private static func decode(_ frames: [[UInt8]]) -> Arrival {
        do {
            return .success(try Message(frames: frames))
        } catch {
            return .failure(error)
        }
    }

    private func take(
        framesMax: Int, message: ([[UInt8]]) -> Void, oversized: ([UInt8]) -> Void,
        disallowed: ([UInt8]) -> Void
    ) throws(ZeroMQError) {
        // What a message says may have closed the socket.
        for _ in 0..<EventLoop.burst where isOpen {
            let received = try receive(framesMax: framesMax, bytesMax: Limits.messageBytesMax)
            switch received {
            case .message(let frames): message(frames)
            case .oversized(let firstFrame): oversized(firstFrame)
            case .disallowed(let firstFrame): disallowed(firstFrame)
            case nil: return
            }
        }
    }
}

extension SocketOptions {
    /// How every socket of this system is set up.
    static func sightline(mandatory: Bool = false) -> SocketOptions {
        var options = SocketOptions()
        options.maxMessageBytes = Int64(Limits.frameBytesMax)
        options.mandatory = mandatory
        options.immediate = false
        return options
    }
}
