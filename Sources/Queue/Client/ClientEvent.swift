public import Messages

/// What a client is told when it is made.
public struct ClientConfiguration: Sendable {
    /// Names the client for as long as it exists; request ids and kept results belong to it.
    public var identity: Identity
    /// Grows with each start; part of the request ids.
    public var incarnation: UInt64
    /// A name for people.
    public var name: String
    /// Milliseconds between two pings to the router.
    public var pingIntervalMilliseconds = Limits.pingIntervalMilliseconds
    /// Requests and changes in flight at a time; more fail with OVERLOADED.
    public var inFlightMax = Limits.inFlightPerClientMax
    /// Milliseconds behind the deadline that a reply on its way is still waited for.
    public var graceMilliseconds = Limits.replyGraceMilliseconds
    /// Faults for the simulator's own test.
    package var planted: Set<PlantedBug> = []

    /// A configuration with the limits of `Limits`.
    public init(identity: Identity, incarnation: UInt64, name: String = "") {
        self.identity = identity
        self.incarnation = incarnation
        self.name = name
    }
}

/// How a submission ended.
public enum Outcome: Sendable, Equatable {
    /// The reply to a request, complete or not.
    case final(Message)
    /// The change is stored at this position; the body says what of it is not applied, and is empty
    /// if all of it is.
    case ack(Position, body: [UInt8])
    /// It failed; the body is empty unless the code says otherwise.
    case error(ErrorCode, text: String, retryAfterMilliseconds: UInt32?, body: [UInt8])
    /// No answer came inside the budget.
    case timedOut
}

/// What a client is told.
public enum ClientEvent: Sendable {
    /// Send a REQUEST or RECORD; the ticket is the caller's and names it until `finished`. The
    /// budget is the header's; a RECORD without one has `Limits.changeBudgetMilliseconds`.
    case submit(ticket: Int, Message)
    /// Send a SUBSCRIBE, and again to each router that is greeted later; the ticket is as for
    /// `submit`. `notified` follows whenever the list is another, `finished` if it is refused.
    case subscribe(ticket: Int, Message)
    /// The caller no longer waits; `finished` follows at once.
    case cancel(ticket: Int)
    /// A message came from the router.
    case message(Message)
    /// Something came that is no message.
    case malformed(WireError)
    /// A message could not be sent; a submission is sent again at the next WELCOME or ping.
    case unsent(Message)
    /// The router does not let this client in, or not any more: everything ends with this error,
    /// and so does what is asked later.
    case refused(ErrorCode, String)
    /// `nextWake` is reached.
    case tick
    /// Say BYE, end everything, emit `closed`.
    case close
}

/// What a client wants done, in order.
public enum ClientAction: Sendable {
    /// Send the message to the router.
    case send(Message)
    /// The submission is over; exactly once for each ticket.
    case finished(ticket: Int, Outcome)
    /// The list of a subscription is another now; a NOTIFY without body and code says that it is
    /// the one that was known.
    case notified(ticket: Int, Message)
    /// Close the socket and open a new one; a `send` of HELLO follows.
    case reconnect
    /// Closed, or replaced by a newer incarnation: nothing more will be sent. Emitted once.
    case closed
    /// Something worth a log line or a count.
    case fact(ClientFact)
}

/// Something that happened in a client.
public enum ClientFact: Sendable, Equatable {
    /// The router said WELCOME.
    case welcomed
    /// The router is silent.
    case routerLost
    /// The router left.
    case routerLeft
    /// A newer incarnation took over.
    case replaced
    /// The router refused something that is no submission.
    case refused(ErrorCode?, String)
    /// Something that is no message came.
    case malformed(WireError)
    /// An answer came for a submission that is over.
    case late(RequestID)
}
