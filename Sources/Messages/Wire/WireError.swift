/// Why bytes are not a message.
public struct WireError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A closed set of faults.
    public enum Code: String, Sendable, CaseIterable {
        case noFrame, shortHeader, badMagic, unsupportedVersion, unknownCommand, badPriority
        case truncatedField, fieldOrder, tooManyFields, badField
        case frameCount, tooManyFrames, frameTooLarge, messageTooLarge
        case badItems, badRecord
    }
    /// What is wrong.
    public let code: Code
    /// Where, and what is allowed; for people.
    public let context: String

    /// From a code and its context.
    public init(_ code: Code, _ context: String) {
        self.code = code
        self.context = context
    }
    /// Code and context.
    public var description: String { "\(code.rawValue): \(context)" }
}

/// The stable codes that an ERROR carries to a client, worker or producer.
public enum ErrorCode: String, Sendable, CaseIterable {
    /// The bytes are no message of this protocol.
    case malformed = "MALFORMED"
    /// Another major version than the router's.
    case unsupportedVersion = "UNSUPPORTED_VERSION"
    /// The command is not allowed now; HELLO first.
    case wrongState = "WRONG_STATE"
    /// No worker offers the service, and none did recently.
    case unknownService = "UNKNOWN_SERVICE"
    /// The body or a field is not what the service takes.
    case badRequest = "BAD_REQUEST"
    /// A limit is exceeded.
    case tooLarge = "TOO_LARGE"
    /// A queue is full; try again after the stated time.
    case overloaded = "OVERLOADED"
    /// Less of the service answered in time than the client demands.
    case incomplete = "INCOMPLETE"
    /// The budget ended before there was any answer to give.
    case deadlineExceeded = "DEADLINE_EXCEEDED"
    /// The client cancelled the request.
    case cancelled = "CANCELLED"
    /// Every worker that tried the request was lost or failed.
    case workerFailed = "WORKER_FAILED"
    /// A worker that stops gives a request back that it has not begun; another one takes it.
    case handedBack = "HANDED_BACK"
    /// The position asked for was not reached inside the deadline.
    case positionNotReached = "POSITION_NOT_REACHED"
    /// The position asked for belongs to another journal.
    case epochChanged = "EPOCH_CHANGED"
    /// The kept results are gone; send the picture again.
    case notKept = "NOT_KEPT"
    /// The account has not granted full access to its calendar.
    case accessRequired = "ACCESS_REQUIRED"
    /// No such entity, type, account or detached request.
    case notFound = "NOT_FOUND"
    /// The detached request waits or runs; it has no result yet.
    case jobUnfinished = "JOB_UNFINISHED"
    /// Two different print versions are never compared.
    case printVersion = "PRINT_VERSION"
    /// The picture cannot be read.
    case badPicture = "BAD_PICTURE"
    /// The journal cannot be reached or has stopped acknowledging.
    case journalUnavailable = "JOURNAL_UNAVAILABLE"
    /// The journal refuses the change.
    case refused = "REFUSED"
    /// The router is stopping; connect to another one.
    case draining = "DRAINING"
    /// A newer incarnation of the same identity took over.
    case replaced = "REPLACED"
    /// The key of this connection is not allowed, or not any more.
    case keyRefused = "KEY_REFUSED"
    /// A fault of ours.
    case internalFault = "INTERNAL"
}
