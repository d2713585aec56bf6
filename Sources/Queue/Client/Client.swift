public import Messages

/// The client's side of the protocol: greets a router, sends requests and changes, finds each
/// one's only outcome, and sends again what a lost router may not have seen.
///
/// It owns no socket, clock or thread: events go in, actions come out.
public struct Client: Sendable {
    let configuration: ClientConfiguration
    var link: Link
    var submissions: [Int: Submission] = [:]
    var tickets: [RequestID: Int] = [:]
    var subscriptions: [Int: ClientSubscription] = [:]
    var subscriptionTickets: [RequestID: Int] = [:]
    var timers = TimerHeap<Int>()
    /// Why everything ended; nil while it goes on.
    private var ending: (code: ErrorCode, text: String)?
    var isClosed: Bool { ending != nil }
    private var nextID: UInt64 = 1

    /// A request or change that has no outcome yet.
    struct Submission: Sendable {
        let message: Message
        let deadline: MonotonicTime
        /// The router that is greeted now has been sent it.
        var isSent = false
    }

    /// A client that has not greeted a router yet.
    public init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
        link = Link(intervalMilliseconds: configuration.pingIntervalMilliseconds)
    }

    /// Submissions without an outcome.
    public var inFlightCount: Int { submissions.count }
    /// The router said WELCOME and has not fallen silent since.
    public var isWelcome: Bool { link.state == .open }

    /// When `tick` is wanted at the latest; nil once closed.
    public var nextWake: MonotonicTime? {
        guard !isClosed else { return nil }
        return [link.nextWake, timers.first].compactMap(\.self).min()
    }

    /// Takes one event and appends what is to be done about it.
    public mutating func handle(
        _ event: ClientEvent, at now: Now, into actions: inout [ClientAction]
    ) {
        if let ending {
            switch event {
            case .submit(let ticket, _), .subscribe(let ticket, _):
                actions.append(.finished(ticket: ticket, .failed(ending.code, ending.text)))
            default: break
            }
            return
        }
        let time = now.monotonic
        if link.state == .new { keepUp(time, &actions) }
        switch event {
        case .submit(let ticket, let message): submit(ticket, message, time, &actions)
        case .subscribe(let ticket, let message): subscribe(ticket, message, time, &actions)
        case .cancel(let ticket): cancel(ticket, &actions)
        case .message(let message): receive(message, time, &actions)
        case .malformed(let error): actions.append(.fact(.malformed(error)))
        case .unsent(let message):
            if let ticket = tickets[message.header.requestID] {
                submissions[ticket]?.isSent = false
            } else if let ticket = subscriptionTickets[message.header.requestID] {
                subscriptions[ticket]?.isSent = false
            }
        case .tick: break
        case .refused(let code, let text): close(code, text, &actions)
        case .close: close(.cancelled, "the client was closed", &actions)
        }
        guard !isClosed else { return }
        expire(time, &actions)
        keepUp(time, &actions)
        timers.compact(live: submissions.count) { submissions[$0] != nil }
    }

    private mutating func submit(
        _ ticket: Int, _ message: Message, _ now: MonotonicTime,
        _ actions: inout [ClientAction]
    ) {
        precondition(submissions[ticket] == nil, "ticket \(ticket) is in use")
        precondition(
            message.command == .request || message.command == .record,
            "only REQUEST and RECORD are submitted")
        guard submissions.count < configuration.inFlightMax else {
            let text = "\(configuration.inFlightMax) submissions are in flight"
            actions.append(.finished(ticket: ticket, .failed(.overloaded, text)))
            return
        }
        var message = message
        if message.command == .record, message.header.budgetMilliseconds == 0 {
            message.header.budgetMilliseconds = Limits.changeBudgetMilliseconds
        }
        message.header.requestID = makeID()
        let deadline = now.adding(milliseconds: message.header.budgetMilliseconds)
        submissions[ticket] = Submission(message: message, deadline: deadline)
        tickets[message.header.requestID] = ticket
        timers.insert(ticket, at: deadline.adding(milliseconds: configuration.graceMilliseconds))
        // Behind HELLO at once; what an earlier router may have lost waits for WELCOME.
        send(ticket, now, &actions)
    }

    /// The incarnation keeps ids apart from those of an earlier run of the same identity.
    mutating func makeID() -> RequestID {
        defer { nextID += 1 }
        return RequestID(high: configuration.incarnation, low: nextID)
    }

    mutating func send(
        _ ticket: Int, _ now: MonotonicTime, _ actions: inout [ClientAction]
    ) {
        guard let submission = submissions[ticket] else { return }
        // A budget that is used up in part is rounded up: the router's margin covers the rest.
        let left = (submission.deadline.nanoseconds &- now.nanoseconds &+ 999_999) / 1_000_000
        guard submission.deadline > now, left > 0 else { return }
        var message = submission.message
        message.header.budgetMilliseconds = UInt32(clamping: left)
        submissions[ticket]?.isSent = true
        actions.append(.send(message))
    }

    private mutating func cancel(_ ticket: Int, _ actions: inout [ClientAction]) {
        guard !unsubscribe(ticket, &actions) else { return }
        guard let submission = submissions[ticket] else { return }
        if submission.message.command == .request {
            actions.append(
                .send(Message(Header(.cancel, requestID: submission.message.header.requestID))))
        }
        end(ticket, .failed(.cancelled, "the caller gave up"), &actions)
    }

    private mutating func expire(_ now: MonotonicTime, _ actions: inout [ClientAction]) {
        while let ticket = timers.pop(dueAt: now) {
            guard let submission = submissions[ticket],
                submission.deadline.adding(milliseconds: configuration.graceMilliseconds) <= now
            else { continue }
            end(ticket, .timedOut, &actions)
        }
    }

    mutating func end(_ ticket: Int, _ outcome: Outcome, _ actions: inout [ClientAction]) {
        if !configuration.planted.contains(.outcomeIsRepeated) {
            guard let submission = submissions.removeValue(forKey: ticket) else { return }
            tickets[submission.message.header.requestID] = nil
        }
        actions.append(.finished(ticket: ticket, outcome))
    }

    mutating func close(
        _ code: ErrorCode, _ text: String, _ actions: inout [ClientAction]
    ) {
        if link.state == .open || link.state == .greeting {
            actions.append(.send(Message(Header(.bye))))
        }
        for ticket in submissions.keys.sorted() {
            end(ticket, .failed(code, text), &actions)
        }
        for ticket in subscriptions.keys.sorted() {
            endSubscription(ticket, .failed(code, text), &actions)
        }
        link.close()
        ending = (code, text)
        actions.append(.closed)
    }
}

extension Outcome {
    static func failed(_ code: ErrorCode, _ text: String) -> Outcome {
        .error(code, text: text, retryAfterMilliseconds: nil, body: [])
    }
}
