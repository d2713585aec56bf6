import Bytes
import Messages
import ZeroMQ

/// What a socket gave: a message, or why the bytes are none.
typealias MessageArrival = Result<Message, WireError>

/// Arrays for the frames of the messages that are sent, one after another.
struct SendBuffer {
    fileprivate var frames: [SharedBytes] = []
    fileprivate var first: [UInt8] = []
}

extension Socket {
    /// Takes the messages that have arrived, up to a burst, each with its routing id; one of a peer
    /// whose key was revoked is nil. The frames go through an array that is used again; large ones
    /// stay where they were received.
    func takeRouted(
        through frames: inout [SharedBytes], _ body: ([UInt8], MessageArrival?) -> Void
    ) throws(ZeroMQError) {
        try take(framesMax: Limits.framesMax + 1, lends: true, &frames) { frames in
            body(frames[0].array, Self.decode(frames[1...]))
        } oversized: { first in
            body(first, .failure(Self.tooLarge))
        } disallowed: { first in
            body(first, nil)
        }
    }

    /// Takes the messages that have arrived at a dealer socket, up to a burst.
    func takeMessages(_ body: (MessageArrival) -> Void) throws(ZeroMQError) {
        var frames: [SharedBytes] = []
        try take(framesMax: Limits.framesMax, lends: false, &frames) { frames in
            body(Self.decode(frames[...]))
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

    private static func decode(_ frames: ArraySlice<SharedBytes>) -> MessageArrival {
        do {
            return .success(try Message(frames: frames))
        } catch {
            return .failure(error)
        }
    }

    private func take(
        framesMax: Int, lends: Bool, _ frames: inout [SharedBytes],
        message: ([SharedBytes]) -> Void,
        oversized: ([UInt8]) -> Void, disallowed: ([UInt8]) -> Void
    ) throws(ZeroMQError) {
        // What a message says may have closed the socket.
        for _ in 0..<EventLoop.burst where isOpen {
            let arrival = try receive(
                into: &frames, lends: lends, framesMax: framesMax,
                bytesMax: Limits.messageBytesMax)
            switch arrival {
            case .message: message(frames)
            case .oversized: oversized(frames.first?.array ?? [])
            case .disallowed: disallowed(frames.first?.array ?? [])
            case nil: return
            }
        }
    }

    /// Sends a message, to a peer of a router if there is a routing id.
    func send(
        _ message: Message, to routingID: [UInt8]?, through buffer: inout SendBuffer
    ) throws(ZeroMQError) -> SendResult {
        buffer.frames.removeAll(keepingCapacity: true)
        if let routingID { buffer.frames.append(SharedBytes(routingID)) }
        message.write(into: &buffer.frames, first: &buffer.first)
        return try send(buffer.frames)
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
