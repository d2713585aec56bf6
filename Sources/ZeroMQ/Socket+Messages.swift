public import Bytes
internal import CZeroMQ
internal import Glibc

/// What became of a message that was to be sent.
public enum SendResult: Sendable, Equatable {
    /// libzmq took the whole message.
    case sent
    /// The peer's queue is full, or a dealer has no peer; nothing was taken.
    case full
    /// A router has no peer with this routing id; nothing was taken.
    case unreachable
}

/// What a receive found.
public enum Received: Sendable, Equatable {
    /// All frames; from a router the first one is the routing id.
    case message([[UInt8]])
    /// A message over the limits, read to its end and thrown away but for its first frame, which
    /// is the routing id on a router; empty if that alone was over the limit.
    case oversized(firstFrame: [UInt8])
    /// A message of a peer that `Socket.allowedUserIDs` does not have any more, thrown away but for
    /// its first frame, which is the routing id on a router.
    case disallowed(firstFrame: [UInt8])
}

/// What a receive into an array found.
public enum Arrival: Sendable, Equatable {
    /// The frames are there.
    case message
    /// As `Received.oversized`: only the first frame is there, if that.
    case oversized
    /// As `Received.disallowed`: only the first frame is there.
    case disallowed
}

extension Socket {
    /// Sends a message of at least one frame as a whole or not at all, without blocking.
    ///
    /// - Parameter frames: On a router the first one is the routing id of the peer.
    /// - Throws: `ZeroMQError`, such as for a terminated context.
    public func send(_ frames: [[UInt8]]) throws(ZeroMQError) -> SendResult {
        try send(frames.map { SharedBytes($0) })
    }

    /// Sends a message, as the other `send` does; what is lent is not copied.
    public func send(_ frames: [SharedBytes]) throws(ZeroMQError) -> SendResult {
        precondition(!frames.isEmpty, "a message has at least one frame")
        for (index, frame) in frames.enumerated() {
            let more = index + 1 < frames.count ? ZMQ_SNDMORE : 0
            guard sendFrame(frame, ZMQ_DONTWAIT | more) else { return try refused() }
        }
        return .sent
    }

    private func refused() throws(ZeroMQError) -> SendResult {
        let number = zmq_errno()
        // Behind the first frame this means that the connection ended between two
        // frames: libzmq has taken back the ones before, so nothing was sent.
        if number == EAGAIN { return .full }
        if number == EHOSTUNREACH { return .unreachable }
        throw ZeroMQError(.init(number: number), operation: "zmq_send")
    }

    /// Receives one message if there is one, without blocking.
    ///
    /// - Parameters:
    ///   - framesMax: Frames of the message at most, a router's routing id included.
    ///   - bytesMax: Bytes of all frames together at most.
    /// - Returns: nil if there is no message now.
    /// - Throws: `ZeroMQError`, such as for a terminated context.
    public func receive(framesMax: Int, bytesMax: Int) throws(ZeroMQError) -> Received? {
        var frames: [SharedBytes] = []
        let arrival = try receive(
            into: &frames, lends: false, framesMax: framesMax, bytesMax: bytesMax)
        switch arrival {
        case nil: return nil
        case .message: return .message(frames.map(\.array))
        case .oversized: return .oversized(firstFrame: frames.first?.array ?? [])
        case .disallowed: return .disallowed(firstFrame: frames.first?.array ?? [])
        }
    }

    /// Receives one message as the other `receive` does, into an array that can be used again.
    ///
    /// A first frame that equals the one that is there is not copied again: peers send in bursts.
    ///
    /// - Parameter lends: Large frames but the first stay in libzmq's memory, for whoever only
    ///   passes them on; the others are copied.
    public func receive(
        into frames: inout [SharedBytes], lends: Bool, framesMax: Int, bytesMax: Int
    ) throws(ZeroMQError) -> Arrival? {
        var part = zmq_msg_t()
        zmq_msg_init(&part)
        defer { zmq_msg_close(&part) }
        guard try receiveFrame(&part) else { return nil }
        let last = frames.first?.array ?? []
        frames.removeAll(keepingCapacity: true)
        var bytes = 0
        var fits = true
        var isAllowed = true
        while true {
            // A router's routing id does not always say whose it is.
            isAllowed = isAllowed && isUserAllowed(&part)
            bytes += zmq_msg_size(&part)
            let hasMore = zmq_msg_more(&part) != 0
            fits = fits && frames.count < framesMax && bytes <= bytesMax
            if !fits {
                frames.removeLast(max(0, frames.count - 1))
            } else if frames.isEmpty, Self.equals(&part, last) {
                frames.append(SharedBytes(last))
            } else if lends, !frames.isEmpty, zmq_msg_size(&part) >= Self.lentBytesMin {
                frames.append(SharedBytes(ReceivedFrame(taking: &part)))
            } else {
                frames.append(SharedBytes(Self.bytes(of: &part)))
            }
            guard hasMore else { break }
            guard try receiveFrame(&part) else {
                throw ZeroMQError(.incompleteMessage, operation: "zmq_msg_recv")
            }
        }
        if isAllowed, fits { return .message }
        frames.removeLast(max(0, frames.count - 1))
        return isAllowed ? .oversized : .disallowed
    }

    /// Whether the peer that sent a frame may still be heard; one without a user id came over
    /// inproc, or where there are no keys.
    private func isUserAllowed(_ part: inout zmq_msg_t) -> Bool {
        guard let allowedUserIDs, let name = zmq_msg_gets(&part, "User-Id") else { return true }
        return allowedUserIDs.contains(String(cString: name))
    }

    /// Bytes from which a frame is lent instead of being copied: by libzmq to us, which gives
    /// frames of more than 8 KiB memory of their own, and by us to libzmq.
    private static let lentBytesMin = 16 << 10

    private func sendFrame(_ frame: SharedBytes, _ flags: Int32) -> Bool {
        guard frame.count < Self.lentBytesMin else {
            guard let received = frame.lentMemory as? ReceivedFrame else {
                return lend(frame, flags)
            }
            return received.withCopy { send(&$0, flags) }
        }
        return frame.withUnsafeBytes { bytes in
            while true {
                if zmq_send(handle, bytes.baseAddress, bytes.count, flags) >= 0 { return true }
                if zmq_errno() != EINTR { return false }
            }
        }
    }

    /// Sends the bytes where they are; libzmq's thread lets them go once they are sent.
    private func lend(_ frame: SharedBytes, _ flags: Int32) -> Bool {
        let lent = Unmanaged.passRetained(LentFrame(frame))
        var message = zmq_msg_t()
        let result = zmq_msg_init_data(
            &message, lent.takeUnretainedValue().start, frame.count,
            { _, hint in
                guard let hint else { return }
                Unmanaged<LentFrame>.fromOpaque(hint).release()
            }, lent.toOpaque())
        guard result == 0 else {
            lent.release()
            return false
        }
        return send(&message, flags)
    }

    private func send(_ message: inout zmq_msg_t, _ flags: Int32) -> Bool {
        while zmq_msg_send(&message, handle, flags) < 0 {
            guard zmq_errno() == EINTR else {
                let number = errno
                zmq_msg_close(&message)
                errno = number
                return false
            }
        }
        return true
    }

    /// False if there is nothing to receive.
    private func receiveFrame(_ part: inout zmq_msg_t) throws(ZeroMQError) -> Bool {
        while true {
            if zmq_msg_recv(&part, handle, ZMQ_DONTWAIT) >= 0 { return true }
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN:
                // libzmq says so once it has taken in what it was told, as `hasMessage` does.
                mayHaveMessage = false
                return false
            default: throw .last("zmq_msg_recv")
            }
        }
    }

    private static func equals(_ part: inout zmq_msg_t, _ bytes: [UInt8]) -> Bool {
        zmq_msg_size(&part) == bytes.count && !bytes.isEmpty
            && memcmp(zmq_msg_data(&part), bytes, bytes.count) == 0
    }

    private static func bytes(of part: inout zmq_msg_t) -> [UInt8] {
        let count = zmq_msg_size(&part)
        guard count > 0, let start = zmq_msg_data(&part) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
