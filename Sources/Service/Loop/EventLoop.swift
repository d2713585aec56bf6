import Dispatch
import Foundation
import Locking
import Messages
import ZeroMQ

/// A part of the process that owns sockets and is driven by an event loop.
protocol Role: AnyObject {
    /// The sockets that are open now; may change only with one that is opened or closed.
    var sockets: [Socket] { get }
    /// When `turn` is wanted at the latest; nil if only a message or letter matters.
    var nextWake: MonotonicTime? { get }
    /// The role is done and its loop may end.
    var isFinished: Bool { get }
    /// Takes what has arrived on a socket, within a bound, without waiting.
    func receive(from socket: Socket, at now: Now)
    /// Takes what was posted, and lets time pass.
    func turn(at now: Now)
    /// Closes the sockets; called once, last.
    func close()
}

/// A role and what follows when it is done, such as the draining of the next role.
struct Hosted {
    let role: any Role
    var whenFinished: @Sendable () -> Void = {}
}

/// One thread that owns the sockets of some roles and waits for all of them at once.
final class EventLoop: Sendable {
    /// Messages taken from one socket before the others get their turn.
    static let burst = 64

    /// Wakes the loop; mailboxes are made with it.
    let signal = WakeSignal()
    private let log: Log
    private let ended = DispatchSemaphore(value: 0)
    private let failure = Locked<(any Error)?>(nil)

    init(log: Log) {
        self.log = log
    }

    /// Starts the thread; returns when the roles are made, or throws what making them threw.
    ///
    /// Roles are made on the loop's own thread, since sockets stay with theirs.
    func start(name: String, _ make: @escaping @Sendable () throws -> [Hosted]) throws {
        let ready = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            do {
                let roles = try make()
                ready.signal()
                run(roles)
            } catch {
                failure.withLock { $0 = error }
                ready.signal()
            }
            ended.signal()
        }
        thread.name = name
        thread.stackSize = 8 << 20
        thread.start()
        ready.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Waits until every role is finished and the thread has ended.
    func join() {
        ended.wait()
        ended.signal()
    }

    private func run(_ hosted: [Hosted]) {
        let roles = hosted.map(\.role)
        var finished = roles.map { _ in false }
        var watch = RoleWatch(roles, signal)
        while !roles.allSatisfy(\.isFinished) {
            let isKnown = wait(&watch)
            for (index, role) in roles.enumerated() {
                if isKnown { watch.receive(role, at: index) }
                role.turn(at: SystemClock.now())
            }
            for (index, host) in hosted.enumerated() where host.role.isFinished && !finished[index]
            {
                finished[index] = true
                host.whenFinished()
            }
        }
        for role in roles { role.close() }
    }

    /// False if it is not known what is ready.
    private func wait(_ watch: inout RoleWatch) -> Bool {
        do {
            try watch.wait(milliseconds: watch.restMilliseconds(at: SystemClock.monotonic()))
            return true
        } catch {
            log.error("poll failed", ["error": "\(error)"])
            return false
        }
    }
}
