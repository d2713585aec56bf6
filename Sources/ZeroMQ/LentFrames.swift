internal import Bytes
internal import CZeroMQ

/// A frame that libzmq reads until it says that it is done.
final class LentFrame {
    private let bytes: SharedBytes
    /// The first byte; valid as long as this object lives: the storage of an array that is held
    /// and never changed stays where it is.
    let start: UnsafeMutableRawPointer?

    init(_ bytes: SharedBytes) {
        self.bytes = bytes
        start = bytes.withUnsafeBytes { UnsafeMutableRawPointer(mutating: $0.baseAddress) }
    }
}

/// A frame that stays in the memory in which libzmq received it.
///
/// Its bytes have memory of their own, which is counted by reference: they stay where they are
/// when the handle is moved, and may be let go on any thread.
final class ReceivedFrame: LentMemory, @unchecked Sendable {
    private var part: zmq_msg_t

    /// Takes the frame over; `other` is empty afterwards.
    init(taking other: inout zmq_msg_t) {
        var part = zmq_msg_t()
        zmq_msg_init(&part)
        zmq_msg_move(&part, &other)
        // The first copy marks the handle as shared; later ones change nothing but the count, and
        // may be made on several threads.
        var copy = zmq_msg_t()
        zmq_msg_init(&copy)
        zmq_msg_copy(&copy, &part)
        zmq_msg_close(&copy)
        self.part = part
        super.init(
            UnsafeRawBufferPointer(start: zmq_msg_data(&part), count: zmq_msg_size(&part)))
    }

    deinit { zmq_msg_close(&part) }

    /// A handle of the same bytes, which `body` sends or closes.
    func withCopy(_ body: (inout zmq_msg_t) -> Bool) -> Bool {
        var copy = zmq_msg_t()
        zmq_msg_init(&copy)
        zmq_msg_copy(&copy, &part)
        return body(&copy)
    }
}
