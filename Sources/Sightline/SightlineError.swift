import Messages
import Service

/// Why a request, a change or a detached request has no result.
public struct SightlineError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A closed set of reasons, named as the protocol names them; what is not listed is `other`.
    public enum Code: String, Sendable, CaseIterable {
        /// Nothing listens at the address.
        case noServer = "NO_SERVER"
        /// Nothing came in time; the server may be gone.
        case noAnswer = "NO_ANSWER"
        /// The deadline ended before there was an answer, or is too near for this service.
        case deadlineExceeded = "DEADLINE_EXCEEDED"
        /// The task was cancelled.
        case cancelled = "CANCELLED"
        /// The answer is not what the caller's types take.
        case unreadable = "UNREADABLE"
        /// The server is busy: again after `retryAfter`.
        case overloaded = "OVERLOADED"
        /// The server stops: at another one, or after `retryAfter`.
        case draining = "DRAINING"
        /// No worker offers the service.
        case unknownService = "UNKNOWN_SERVICE"
        /// The request is not what the service takes; the text says what is.
        case badRequest = "BAD_REQUEST"
        /// A limit is exceeded.
        case tooLarge = "TOO_LARGE"
        /// The picture cannot be read.
        case badPicture = "BAD_PICTURE"
        /// The print is of another version than the catalog's.
        case printVersion = "PRINT_VERSION"
        /// The owner of the account does not let the store be read.
        case accessRequired = "ACCESS_REQUIRED"
        /// There is no such entity, type, account or detached request.
        case notFound = "NOT_FOUND"
        /// The detached request waits or runs; it has no result yet.
        case unfinished = "JOB_UNFINISHED"
        /// Kept results are gone, or a list has changed between two pages.
        case notKept = "NOT_KEPT"
        /// The position asked for was not reached inside the budget.
        case positionNotReached = "POSITION_NOT_REACHED"
        /// The position belongs to another journal.
        case epochChanged = "EPOCH_CHANGED"
        /// Two workers that tried the request were lost or failed.
        case workerFailed = "WORKER_FAILED"
        /// The change is not stored, or that is not known; send the same change again.
        case journalUnavailable = "JOURNAL_UNAVAILABLE"
        /// Less of the service answered in time than the request demands.
        case incomplete = "INCOMPLETE"
        /// The server does not let this side in: its key is not allowed, it has none, or the server
        /// is another one.
        case keyRefused = "KEY_REFUSED"
        /// The journal refuses the change.
        case refused = "REFUSED"
        /// A fault of the server or of the connection.
        case other = "OTHER"
    }

    /// Which reason it is.
    public let code: Code
    /// What is wrong and what is allowed, for people.
    public let text: String
    /// When the same may succeed, as the server said; nil if it said nothing.
    public let retryAfter: Duration?

    /// From its parts.
    public init(_ code: Code, _ text: String, retryAfter: Duration? = nil) {
        self.code = code
        self.text = text
        self.retryAfter = retryAfter
    }

    /// The same request may succeed later, unchanged.
    public var isRetryable: Bool {
        switch code {
        case .noServer, .noAnswer, .deadlineExceeded, .overloaded, .draining, .unfinished,
            .positionNotReached, .journalUnavailable, .incomplete:
            true
        case .cancelled, .unreadable, .unknownService, .badRequest, .tooLarge, .badPicture,
            .printVersion, .accessRequired, .notFound, .notKept, .epochChanged, .workerFailed,
            .keyRefused, .refused, .other:
            false
        }
    }

    /// Code and text.
    public var description: String { "\(code.rawValue): \(text)" }

    init(_ failure: RequestFailure) {
        switch failure {
        case .refused(let code, let text, let retry, _):
            let pause = retry.flatMap { $0 == Message.neverAgain ? nil : $0 }
            let known = Code(code)
            self.init(
                known, known == .other ? "\(code.rawValue): \(text)" : text,
                retryAfter: pause.map { .milliseconds($0) })
        case .timedOut: self.init(.noAnswer, failure.description)
        case .unexpected: self.init(.other, failure.description)
        }
    }

    /// Whatever was thrown on the way, as one of these.
    init(any error: any Error) {
        switch error {
        case let error as SightlineError: self = error
        case let failure as RequestFailure: self.init(failure)
        case let missing as NoServer: self.init(.noServer, missing.description)
        case let refused as ConnectionRefused: self.init(.keyRefused, refused.description)
        case is DecodingError, is JSONError: self.init(.unreadable, "\(error)")
        case let wrong as ConfigurationError: self.init(.badRequest, wrong.description)
        case is CancellationError: self.init(.cancelled, "the task was cancelled")
        default: self.init(.other, "\(error)")
        }
    }
}

extension SightlineError.Code {
    init(_ code: ErrorCode) {
        switch code {
        case .overloaded: self = .overloaded
        case .draining: self = .draining
        case .unknownService: self = .unknownService
        case .badRequest, .malformed, .unsupportedVersion: self = .badRequest
        case .tooLarge: self = .tooLarge
        case .badPicture: self = .badPicture
        case .printVersion: self = .printVersion
        case .accessRequired: self = .accessRequired
        case .notFound: self = .notFound
        case .jobUnfinished: self = .unfinished
        case .notKept: self = .notKept
        case .positionNotReached: self = .positionNotReached
        case .epochChanged: self = .epochChanged
        case .workerFailed: self = .workerFailed
        case .journalUnavailable: self = .journalUnavailable
        case .refused: self = .refused
        case .incomplete: self = .incomplete
        case .keyRefused: self = .keyRefused
        case .cancelled: self = .cancelled
        case .deadlineExceeded: self = .deadlineExceeded
        case .wrongState, .handedBack, .replaced, .internalFault: self = .other
        }
    }
}
