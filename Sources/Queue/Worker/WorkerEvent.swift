public import Messages

/// What a worker is told when it is made.
public struct WorkerConfiguration: Sendable {
    /// Names the worker for as long as it exists.
    public var identity: Identity
    /// Grows with each start; a newer one replaces an older one at the routers.
    public var incarnation: UInt64
    /// A name for people; also the part of `status` that the worker offers.
    public var name: String
    /// What the worker offers.
    public var offers: [ServiceOffer]
    /// Requests taken at a time at most, from one pool that is split over the routers.
    public var credit: UInt32
    /// Milliseconds of work that the worker takes beyond what it runs: more would wait here for
    /// its turn while it could go elsewhere. Small jobs follow each other without a pause.
    public var prefetchMilliseconds = Limits.prefetchMilliseconds
    /// Milliseconds that running jobs have after `drain`.
    public var graceMilliseconds = Limits.drainMilliseconds
    /// Jobs that run at a time; the rest of the credit waits in the worker.
    public var concurrency = 1
    /// Milliseconds between two pings to a router.
    public var pingIntervalMilliseconds = Limits.pingIntervalMilliseconds
    /// Faults for the simulator's own test.
    package var planted: Set<PlantedBug> = []

    /// A configuration with the intervals of `Limits`; credit is at least 1 and at most
    /// `Limits.creditMax`.
    public init(
        identity: Identity, incarnation: UInt64, name: String, offers: [ServiceOffer],
        credit: UInt32, concurrency: Int = 1
    ) {
        self.identity = identity
        self.incarnation = incarnation
        self.name = name
        self.offers = offers
        self.credit = min(max(credit, 1), Limits.creditMax)
        self.concurrency = max(concurrency, 1)
    }
}

/// Names a job in one worker.
public struct JobID: Hashable, Sendable {
    /// Counts from 1.
    public let number: UInt64
}

/// A request that the worker is to compute.
public struct Job: Sendable {
    /// Names the job in events and actions.
    public let id: JobID
    /// The router that asked.
    public let link: Int
    /// The REQUEST: service, fields, body, attachments.
    public let request: Message
    /// Nobody waits for the result after this instant.
    public let deadline: MonotonicTime
    /// 1, or more if another worker failed before.
    public let attempt: UInt8
    /// The part of the service that is asked for; empty for the whole.
    public var part: String { request.fields.text(.part) ?? "" }
}

/// Some or all results of a job.
public struct JobOutput: Sendable {
    /// The results, in any order.
    public var items: [MergeItem]
    /// Bytes that the items name by hash.
    public var attachments: [(hash: ContentHash, bytes: [UInt8])]
    /// Where the replica stood; nil if the service does not depend on it.
    public var position: Position?
    /// The print version that distances were computed with, if any.
    public var printVersion: String?
    /// The token of the next page, where there is one.
    public var nextPage: String?
    /// Until when the results stay as they are with time alone; nil where nobody looked.
    public var holdsUntil: Timestamp?
    /// A hash of the results; nil where nobody compares lists.
    public var listHash: ContentHash?
    /// What took how long, such as `decode=1200,print=41000` in microseconds; for diagnostics.
    public var stages: String?
    /// How far a search came that had to stop; its results are not complete. Nil otherwise.
    public var checked: CheckedCandidates?

    /// From its parts.
    public init(
        items: [MergeItem], attachments: [(hash: ContentHash, bytes: [UInt8])] = [],
        position: Position? = nil, printVersion: String? = nil
    ) {
        self.items = items
        self.attachments = attachments
        self.position = position
        self.printVersion = printVersion
    }
}

/// How a job ended.
public enum JobResult: Sendable {
    /// The last results; those given as partial before are not repeated.
    case final(JobOutput)
    /// No result: a stable code, a text for people, a body (may be empty), and when another
    /// attempt may be made: at once, after so many milliseconds, or with `Message.neverAgain`
    /// never.
    case failed(
        ErrorCode, String, body: [UInt8], position: Position? = nil,
        retryAfterMilliseconds: UInt32? = nil)
}

/// What lists that clients subscribed to may depend on.
public struct WorkerChange: Sendable, Equatable {
    /// Accounts with other calendars or access.
    public var accounts: Set<String>
    /// Catalogs with other names or entities that have such.
    public var catalogs: Set<String>

    /// Nothing, unless it is said.
    public init(accounts: Set<String> = [], catalogs: Set<String> = []) {
        self.accounts = accounts
        self.catalogs = catalogs
    }
    /// Whether there is nothing to say.
    public var isEmpty: Bool { accounts.isEmpty && catalogs.isEmpty }
}

/// What a worker is told.
public enum WorkerEvent: Sendable {
    /// A message came from a router.
    case message(Message, link: Int)
    /// Something came that is no message.
    case malformed(WireError, link: Int)
    /// A running job has some results.
    case partial(JobID, JobOutput)
    /// A running job ended; exactly once for each `start`, also after `cancel`.
    case finished(JobID, JobResult)
    /// Where the replica stands, and whether it may serve; until then no router gets credit.
    case position(Position, isReady: Bool)
    /// Nothing is kept of these accounts any more; routers drop what they keep of them.
    case accountsEnded([String])
    /// What was applied concerns lists of these accounts, or of these catalogs.
    case changed(WorkerChange, at: Position)
    /// A send to the router failed.
    case undeliverable(link: Int)
    /// `nextWake` is reached.
    case tick
    /// Hand back what has not begun, finish the rest, then emit `stopped`. Never undone.
    case drain
}

/// What a worker wants done, in order.
public enum WorkerAction: Sendable {
    /// Send the message to the router.
    case send(Message, link: Int)
    /// Compute the job; answer with `WorkerEvent.finished`.
    case start(Job)
    /// Nobody wants the job's result any more: stop soon, and still answer `finished`.
    case cancel(JobID)
    /// Close the socket and open a new one; a `send` of HELLO follows.
    case reconnect(link: Int)
    /// Something worth a log line or a count.
    case fact(WorkerFact)
    /// After `drain`, or replaced by a newer incarnation: nothing more will be sent. Emitted once.
    case stopped
}

/// Something that happened in a worker.
public enum WorkerFact: Sendable, Equatable {
    /// The router said WELCOME.
    case welcomed(link: Int)
    /// The router is silent.
    case routerLost(link: Int)
    /// The router left.
    case routerLeft(link: Int)
    /// A newer incarnation took over.
    case replaced(link: Int)
    /// The router refused something.
    case refused(link: Int, ErrorCode?, String)
    /// Something that is no message came.
    case malformed(link: Int, WireError)
    /// A request came again and was dropped.
    case duplicate(RequestID)
    /// A request came beyond the credit and was handed back.
    case creditExceeded(link: Int)
    /// A job's time was over, before or after it began.
    case expired(RequestID)
    /// A result came for a job that nobody waits for.
    case unwanted(JobID)
}
