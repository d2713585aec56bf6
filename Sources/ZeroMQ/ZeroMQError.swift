internal import CZeroMQ
internal import Glibc

/// What libzmq refused, in which operation, on what.
public struct ZeroMQError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The error numbers that a caller may want to tell apart, under their C names.
    public enum Code: Sendable, Equatable {
        /// EADDRINUSE: the endpoint is taken.
        case addressInUse
        /// EADDRNOTAVAIL or ENODEV: the machine has no such address.
        case addressNotAvailable
        /// EINVAL, EPROTONOSUPPORT or ENOCOMPATPROTO: the endpoint or option is malformed.
        case invalidArgument
        /// ECONNREFUSED: nobody is bound to the inproc endpoint.
        case connectionRefused
        /// EMFILE or ENFILE: too many sockets or descriptors.
        case tooManyOpen
        /// EACCES or EPERM: the system does not allow it.
        case notPermitted
        /// ETERM: the context was terminated.
        case contextTerminated
        /// EAGAIN in the middle of a message, which libzmq promises not to happen.
        case incompleteMessage
        /// Any other number.
        case other(Int32)
    }

    /// Which error it is.
    public let code: Code
    /// The function of libzmq that reported it.
    public let operation: String
    /// The endpoint, option or socket kind that was refused; empty if there is none.
    public let context: String

    /// From its parts.
    public init(_ code: Code, operation: String, context: String = "") {
        self.code = code
        self.operation = operation
        self.context = context
    }

    /// Operation, context, the code and, for an unnamed code, libzmq's own words.
    public var description: String {
        let place = context.isEmpty ? operation : "\(operation)(\(context))"
        guard case .other(let number) = code, let text = zmq_strerror(number) else {
            return "\(place): \(code)"
        }
        return "\(place): \(String(cString: text))"
    }

    /// The error that libzmq left for the calling thread.
    static func last(_ operation: String, _ context: String = "") -> ZeroMQError {
        ZeroMQError(Code(number: zmq_errno()), operation: operation, context: context)
    }
}

extension ZeroMQError.Code {
    init(number: Int32) {
        switch number {
        case EADDRINUSE: self = .addressInUse
        case EADDRNOTAVAIL, ENODEV: self = .addressNotAvailable
        case EINVAL, EPROTONOSUPPORT, ENOCOMPATPROTO: self = .invalidArgument
        case ECONNREFUSED: self = .connectionRefused
        case EMFILE, ENFILE: self = .tooManyOpen
        case EACCES, EPERM: self = .notPermitted
        case ETERM: self = .contextTerminated
        case EAGAIN: self = .incompleteMessage
        default: self = .other(number)
        }
    }
}
