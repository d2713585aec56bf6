public import Messages

/// How a recording is replayed.
public struct ReplayOptions: Sendable {
    /// What of it.
    public var selection = ReplaySelection()
    /// The pace; nil for as fast as possible.
    public var pace: ReplayPace?
    /// Requests in flight at most; those of one position together.
    public var window = Limits.replayWindowDefault
    /// Requests keep their budgets; otherwise each has a minute, since a replay at full speed
    /// would only measure the machine.
    public var keepsDeadlines = false
    /// What may differ.
    public var rules = ComparisonRules.none
    /// Each request runs twice, against the baseline if there is one, and what differs between
    /// the two runs is no difference.
    public var findsNoise = false
    /// Where attachments that were recorded as hashes are found, in files named by hash.
    public var attachments: String?
    /// What is shown to running servers; nil without keys.
    public var connectionKeys: ConnectionKeys?

    /// Everything as fast as possible, nothing may differ.
    public init() {}

    static let budgetMilliseconds: UInt32 = 60_000
}

/// How one exchange went.
public enum ReplayOutcome: Sendable, Equatable {
    /// The same canonical reply, but for what may differ.
    case same
    /// Another reply; the lines say where.
    case different([String])
    /// The recording is of a partial answer, or of one that depends on time or load, or its
    /// pictures or its position are not there.
    case notCompared(String)
    /// The account was erased, or its key is not given.
    case erased
    /// This time there is no reply.
    case failed(String)
}

/// One exchange of a replay.
public struct ReplayedExchange: Sendable {
    /// Its place in the recording, from 1.
    public let number: UInt64
    /// The service asked for; empty if nobody can know.
    public let service: String
    /// How it went.
    public let outcome: ReplayOutcome
    /// The reply; nil if there is none.
    public let reply: Message?
    /// What the reply took.
    public let seconds: Double
    /// Differences that may be.
    let allowed: Int
    /// Fields that differ between two runs of one version.
    let noise: Set<String>

    /// From its parts.
    package init(
        number: UInt64, service: String, outcome: ReplayOutcome, reply: Message? = nil,
        seconds: Double = 0, allowed: Int = 0, noise: Set<String> = []
    ) {
        self.number = number
        self.service = service
        self.outcome = outcome
        self.reply = reply
        self.seconds = seconds
        self.allowed = allowed
        self.noise = noise
    }
}

/// How a replay went.
public struct ReplaySummary: Sendable, Equatable {
    /// Replies that are the same.
    public private(set) var same = 0
    /// Replies that differ.
    public private(set) var different = 0
    /// Exchanges that are listed and not compared.
    public private(set) var notCompared = 0
    /// Exchanges that nobody can read any more.
    public private(set) var erased = 0
    /// Requests without a reply this time.
    public private(set) var failed = 0
    /// Differences that rules allow, or that are noise.
    public private(set) var allowed = 0
    /// Exchanges that the recorder had left out.
    public let leftOut: UInt64
    /// Erased exchanges that are not listed, since nobody knows whether their services were
    /// asked for.
    public let unlisted: Int
    /// Fields that differ between two runs of one version, each with the number of exchanges.
    public private(set) var noise: [String: Int] = [:]
    /// What the replay took, without starting up.
    public internal(set) var seconds = 0.0

    package init(leftOut: UInt64 = 0, unlisted: Int = 0) {
        self.leftOut = leftOut
        self.unlisted = unlisted
    }

    /// Exchanges in all that are listed.
    public var count: Int { same + different + notCompared + erased + failed }
    /// There was nothing to say same or different of.
    public var isEmpty: Bool { same + different + failed == 0 }
    /// Something was compared, nothing differs and nothing failed.
    public var isGood: Bool { different + failed == 0 && !isEmpty }

    package mutating func add(_ exchange: ReplayedExchange) {
        switch exchange.outcome {
        case .same: same += 1
        case .different: different += 1
        case .notCompared: notCompared += 1
        case .erased: erased += 1
        case .failed: failed += 1
        }
        allowed += exchange.allowed
        for field in exchange.noise { noise[field, default: 0] += 1 }
    }
}
