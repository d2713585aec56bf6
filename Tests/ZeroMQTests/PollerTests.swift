import Foundation
import Glibc
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct PollerTests {
    let context: Context

    init() throws { context = try Context() }

    @Test func readySocketsAreToldApart() throws {
        let idle = try Link(context, "inproc://idle")
        let busy = try Link(context, "inproc://busy")
        #expect(try busy.dealer.send([[1]]) == .sent)
        let ready = try Poller.wait(
            sockets: [idle.router, busy.router], timeoutMilliseconds: 1_000)
        #expect(ready.sockets == [false, true])
        #expect(ready.descriptors == [])
    }

    @Test func descriptorsAreToldApart() throws {
        let link = try Link(context, "inproc://descriptors")
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { ends.forEach { _ = close($0) } }
        var ready = try Poller.wait(
            sockets: [link.router], descriptors: [ends[0]], timeoutMilliseconds: 0)
        #expect(ready.descriptors == [false])
        #expect(write(ends[1], [1] as [UInt8], 1) == 1)
        ready = try Poller.wait(
            sockets: [link.router], descriptors: [ends[0]], timeoutMilliseconds: 1_000)
        #expect(ready.sockets == [false])
        #expect(ready.descriptors == [true])
    }

    @Test func nothingToWaitForEndsWithTheTime() throws {
        let ready = try Poller.wait(sockets: [], timeoutMilliseconds: 1)
        #expect(ready.sockets.isEmpty)
    }

    @Test func closedDescriptorIsAnErrorOrReadyNeverAHang() throws {
        let link = try Link(context, "inproc://closed-descriptor")
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[1])
        defer { close(ends[0]) }
        let ready = try Poller.wait(
            sockets: [link.router], descriptors: [ends[0]], timeoutMilliseconds: -1)
        #expect(ready.descriptors == [true])
    }

    @Test func pairWakesALoopFromAnotherThread() throws {
        let sleeper = try Socket(context, .pair)
        try sleeper.bind("inproc://wake")
        let context = context
        // A thread of its own, since the pool's may all be busy with other tests. It waits for
        // the answer because a socket that closes takes its unread messages with it.
        let waker = Thread {
            guard let socket = try? Socket(context, .pair) else { return }
            try? socket.connect("inproc://wake")
            guard (try? socket.send([[1]])) == .sent else { return }
            _ = try? socket.nextMessage()
        }
        waker.start()
        #expect(try sleeper.nextMessage() == [[1]])
        #expect(try sleeper.send([[2]]) == .sent)
    }
}
