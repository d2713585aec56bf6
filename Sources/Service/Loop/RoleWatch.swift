import Messages
import ZeroMQ

/// Waits for the sockets of all roles of a loop at once.
struct RoleWatch {
    private let roles: [any Role]
    private let signal: WakeSignal
    private var poller: Poller
    /// Where the sockets of each role are in the poller's list.
    private var places: [Range<Int>] = []
    /// `Socket.changeCount` when the roles were asked for their sockets.
    private var knownChanges: Int?
    private static let restMillisecondsMax = 1_000

    init(_ roles: [any Role], _ signal: WakeSignal) {
        self.roles = roles
        self.signal = signal
        poller = Poller(descriptors: [signal.readDescriptor])
    }

    /// Milliseconds until a role wants its turn, at most a second.
    func restMilliseconds(at now: MonotonicTime) -> Int {
        var rest = Self.restMillisecondsMax
        for role in roles where !role.isFinished {
            guard let wake = role.nextWake else { continue }
            guard wake > now else { return 0 }
            // One millisecond more than the whole ones, so that the wake-up is not too early.
            rest = min(rest, Int(clamping: wake.milliseconds(since: now)) + 1)
        }
        return rest
    }

    /// Waits until a socket is ready, the loop is woken, or the time is over.
    mutating func wait(milliseconds: Int) throws(ZeroMQError) {
        let changes = Socket.changeCount
        if changes != knownChanges {
            try collectSockets()
            knownChanges = changes
        }
        try poller.wait(timeoutMilliseconds: milliseconds)
        if poller.isReady(descriptor: 0) { signal.drain() }
    }

    /// Lets a role, by its place among the roles, take what has arrived.
    func receive(_ role: any Role, at index: Int) {
        for place in places[index] where poller.isReady(socket: place) {
            role.receive(from: poller.sockets[place], at: SystemClock.now())
        }
    }

    private mutating func collectSockets() throws(ZeroMQError) {
        var sockets: [Socket] = []
        places = roles.map { role in
            let first = sockets.count
            sockets += role.sockets
            return first..<sockets.count
        }
        try poller.watch(sockets)
    }
}
