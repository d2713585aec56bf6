internal import CZeroMQ
internal import Glibc

/// Waits for several sockets and file descriptors at once.
public enum Poller {
    /// Waits until a socket has a message, a descriptor can be read, or the time is over.
    ///
    /// A signal ends the wait as if the time were over. A socket that is ready may turn out to
    /// have no message after all; `receive` then returns nil.
    ///
    /// - Parameters:
    ///   - sockets: Sockets of the calling thread.
    ///   - descriptors: File descriptors to read from.
    ///   - timeoutMilliseconds: 0 looks once, -1 waits without end.
    /// - Returns: For each socket and descriptor, whether it is ready.
    /// - Throws: `ZeroMQError`, such as for a terminated context or a closed descriptor.
    public static func wait(
        sockets: [Socket], descriptors: [Int32] = [], timeoutMilliseconds: Int
    ) throws(ZeroMQError) -> (sockets: [Bool], descriptors: [Bool]) {
        var items =
            sockets.map { item(socket: $0.handle, descriptor: 0) }
            + descriptors.map { item(socket: nil, descriptor: $0) }
        if zmq_poll(&items, Int32(items.count), timeoutMilliseconds) == -1 {
            guard zmq_errno() == EINTR else { throw .last("zmq_poll") }
            return (sockets.map { _ in false }, descriptors.map { _ in false })
        }
        let ready = items.map { $0.revents & Int16(ZMQ_POLLIN | ZMQ_POLLERR) != 0 }
        return (Array(ready.prefix(sockets.count)), Array(ready.dropFirst(sockets.count)))
    }

    private static func item(
        socket: UnsafeMutableRawPointer?, descriptor: Int32
    ) -> zmq_pollitem_t {
        zmq_pollitem_t(socket: socket, fd: descriptor, events: Int16(ZMQ_POLLIN), revents: 0)
    }
}
