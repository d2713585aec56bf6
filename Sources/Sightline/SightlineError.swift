import Messages
import Service

/// Why a request, a change or a detached request has no result.
public struct SightlineError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A closed set of reasons; what is not listed here is `other`.
    public enum Code: String, Sendable, CaseIterable {
        /// Nothing listens at the address.
        case noServer
        /// Nothing came in time; the server may be gone.
        case noAnswer
        /// The deadline ended before there was an answer, or is too near for this service.
        case deadlineExceeded
        /// The task was cancelled.
        case cancelled
        /// The answer is not what the caller's types take.
        case unreadable
        /// The server is busy: again after `retryAfter`.
        case overloaded
        /// The server stops: at another one, or after `retryAfter`.
        case draining
        /// No worker offers the service.
        case unknownService
        /// The request is not what the service takes; the text says what is.
        case badRequest
        /// A limit is exceeded.
        case tooLarge
        /// The picture cannot be read.
        case badPicture
        /// The print is of another version than the catalog's.
        case printVersion
        /// The owner of the account does not let the store be read.
        case accessRequired
        /// There is no such entity, type, account or detached request.
        case notFound
        /// The detached request waits or runs; it has no result yet.
        case unfinished
        /// Kept results are gone, or a list has changed between two pages.
        case notKept
        /// The position asked for was not reached inside the budget.
        case positionNotReached
        /// The position belongs to another journal.
        case epochChanged
        /// Two workers that tried the request were lost or failed.
        case workerFailed
        /// The change is not stored, or that is not known; send the same change again.
        case journalUnavailable
        /// The journal refuses the change.
        case refused
        /// A fault of the server or of the connection.
        case other
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
            .positionNotReached, .journalUnavailable:
            true
        case .cancelled, .unreadable, .unknownService, .badRequest, .tooLarge, .badPicture,
            .printVersion, .accessRequired, .notFound, .notKept, .epochChanged, .workerFailed,
            .refused, .other:
            false
        }
    }

    /// Code and text.
    public var description: String { "\(code.rawValue): \(text)" }

    init(_ failure: RequestFailure) {
        switch failure {
        case .refused(let code, let text, let retry, _):
            let pause = retry.flatMap { $0 == Message.neverAgain ? nil : $0 }
            self.init(Code(code), text, retryAfter: pause.map { .milliseconds($0) })
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
        case .cancelled: self = .cancelled
        case .deadlineExceeded: self = .deadlineExceeded
        case .wrongState, .handedBack, .replaced, .internalFault: self = .other
        }
    }
}
