internal import CZeroMQ
internal import Glibc

/// Waits for several sockets and file descriptors at once, again and again.
///
/// The descriptor of a socket (`ZMQ_FD`) is signalled when libzmq's own threads have news for it.
/// Any use of the socket may take the signal in, and says nothing about the messages that came
/// with it. So a socket is asked (`ZMQ_EVENTS`) if it was used since it last said that it has no
/// message, or if its descriptor is signalled; nobody needs to ask the others, which is most of
/// what `zmq_poll` does.
public struct Poller {
    /// What is waited for, in the order in which it was given; belongs to the calling thread.
    public private(set) var sockets: [Socket] = []
    private let descriptorCount: Int
    /// The plain descriptors, then those of the sockets.
    private var polled: [pollfd]
    private var socketIsReady: [Bool] = []

    /// Waits for descriptors to read from and, once `watch` was told of them, for sockets.
    public init(descriptors: [Int32] = []) {
        descriptorCount = descriptors.count
        polled = descriptors.map(Self.entry)
    }

    /// Replaces the sockets that are waited for.
    ///
    /// - Parameter sockets: Open ones, of the calling thread. One that is closed later is never
    ///   ready.
    /// - Throws: `ZeroMQError`, such as for a terminated context.
    public mutating func watch(_ sockets: [Socket]) throws(ZeroMQError) {
        var entries = Array(polled.prefix(descriptorCount))
        for socket in sockets { entries.append(Self.entry(try socket.descriptor)) }
        polled = entries
        self.sockets = sockets
        socketIsReady = sockets.map { _ in false }
    }

    /// Waits until a socket has a message, a descriptor can be read, or the time is over.
    ///
    /// A signal ends the wait as if the time were over. A socket that is ready may turn out to
    /// have no message after all; `receive` then returns nil.
    ///
    /// - Parameter timeoutMilliseconds: 0 looks once, -1 waits without end.
    /// - Throws: `ZeroMQError`, such as for a terminated context.
    public mutating func wait(timeoutMilliseconds: Int) throws(ZeroMQError) {
        var rest = try askUsed() ? 0 : timeoutMilliseconds
        let end = rest > 0 ? Self.milliseconds() + rest : 0
        while try !waitForDescriptors(rest), rest != 0 {
            // What was signalled was no message, such as the end of a connection.
            if rest > 0 { rest = max(0, end - Self.milliseconds()) }
        }
    }

    /// Whether the socket at a place of `sockets` was ready when `wait` returned.
    public func isReady(socket index: Int) -> Bool { socketIsReady[index] }

    /// Whether the descriptor at a place could be read, or is broken, when `wait` returned.
    public func isReady(descriptor index: Int) -> Bool {
        precondition(index < descriptorCount, "there are \(descriptorCount) descriptors")
        return polled[index].revents != 0
    }

    /// Waits once, as `wait` does; for callers whose sockets are others each time.
    ///
    /// - Returns: For each socket and descriptor, whether it is ready.
    /// - Throws: `ZeroMQError`, such as for a terminated context.
    public static func wait(
        sockets: [Socket], descriptors: [Int32] = [], timeoutMilliseconds: Int
    ) throws(ZeroMQError) -> (sockets: [Bool], descriptors: [Bool]) {
        var poller = Poller(descriptors: descriptors)
        try poller.watch(sockets)
        try poller.wait(timeoutMilliseconds: timeoutMilliseconds)
        return (poller.socketIsReady, descriptors.indices.map { poller.isReady(descriptor: $0) })
    }

    /// Asks the sockets whose descriptors may keep silent about a message. True if one has any.
    private mutating func askUsed() throws(ZeroMQError) -> Bool {
        var hasAny = false
        for index in sockets.indices {
            let socket = sockets[index]
            socketIsReady[index] = false
            guard socket.isOpen else {
                // The system gives its descriptor to the next file that is opened.
                polled[descriptorCount + index].fd = -1
                continue
            }
            guard socket.mayHaveMessage, try socket.hasMessage() else { continue }
            socketIsReady[index] = true
            hasAny = true
        }
        return hasAny
    }

    /// Waits for the descriptors, and asks the sockets whose ones are signalled.
    ///
    /// - Returns: There is nothing left to wait for: something is ready, the time is over, or a
    ///   signal came.
    private mutating func waitForDescriptors(_ milliseconds: Int) throws(ZeroMQError) -> Bool {
        let count = nfds_t(polled.count)
        let signalled = poll(&polled, count, Int32(clamping: milliseconds))
        guard signalled >= 0 else {
            let number = errno
            for index in polled.indices { polled[index].revents = 0 }
            guard number == EINTR else {
                throw ZeroMQError(.init(number: number), operation: "poll")
            }
            return true
        }
        guard signalled > 0 else { return true }
        var hasAny = polled[..<descriptorCount].contains { $0.revents != 0 }
        for index in sockets.indices
        where !socketIsReady[index] && polled[descriptorCount + index].revents != 0 {
            guard try sockets[index].hasMessage() else { continue }
            socketIsReady[index] = true
            hasAny = true
        }
        return hasAny
    }

    private static func entry(_ descriptor: Int32) -> pollfd {
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }

    private static func milliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
