internal import CZeroMQ
internal import Glibc
internal import Synchronization

/// The I/O threads and the inproc endpoints that sockets of one process share.
///
/// `@unchecked Sendable` because of `handle`: libzmq lets any thread use a context, the pointer
/// never changes, and `ended` keeps it from being used after it was freed.
public final class Context: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer
    private let ended = Atomic<Bool>(false)

    /// Starts a context.
    ///
    /// - Parameter ioThreads: Threads that move bytes, at least 1; one serves a gigabit a second.
    /// - Throws: `ZeroMQError` if the system has no descriptors left.
    public init(ioThreads: Int = 1) throws(ZeroMQError) {
        precondition(ioThreads >= 1, "a context without I/O threads reaches inproc only")
        guard let handle = zmq_ctx_new() else { throw .last("zmq_ctx_new") }
        self.handle = handle
        guard zmq_ctx_set(handle, ZMQ_IO_THREADS, Int32(clamping: ioThreads)) == 0 else {
            throw .last("zmq_ctx_set", "ZMQ_IO_THREADS")
        }
    }

    /// Waits until nothing lingers, then frees the context; a second call does nothing.
    ///
    /// Blocks for ever while a socket is open, so every socket must be closed before.
    public func terminate() {
        guard ended.exchange(true, ordering: .acquiringAndReleasing) == false else { return }
        while zmq_ctx_term(handle) == -1, zmq_errno() == EINTR {}
    }

    /// A caller's mistake if the context is gone.
    func checkAlive() {
        precondition(!ended.load(ordering: .acquiring), "the context was terminated")
    }

    deinit { terminate() }
}
