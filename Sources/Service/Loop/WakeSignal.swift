import Foundation

/// Wakes an event loop from another thread: a pipe whose reading end the loop polls.
final class WakeSignal: Sendable {
    /// Becomes readable when someone called `wake`.
    let readDescriptor: Int32
    private let writeDescriptor: Int32

    init() {
        var descriptors: [Int32] = [0, 0]
        let made = pipe(&descriptors)
        precondition(made == 0, "no pipe: the process is out of file descriptors")
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        readDescriptor = descriptors[0]
        writeDescriptor = descriptors[1]
    }

    deinit {
        Foundation.close(readDescriptor)
        Foundation.close(writeDescriptor)
    }

    /// Makes the loop's wait return; a full pipe means that it will anyway.
    func wake() {
        var byte: UInt8 = 1
        _ = write(writeDescriptor, &byte, 1)
    }

    /// Forgets the wake-ups so far; called by the loop alone.
    func drain() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            while read(readDescriptor, bytes.baseAddress, bytes.count) == bytes.count {}
        }
    }
}
