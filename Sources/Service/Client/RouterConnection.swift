import Dispatch
import Foundation
import Locking
public import Messages
public import Queue
import Sodium
import ZeroMQ

/// A connection to a router, for clients and producers.
///
/// Requests may be sent from any task and overlap; each gets exactly one outcome, at the latest
/// a little after its budget.
public final class RouterConnection: Sendable {
    private let context: Context
    private let ownsContext: Bool
    private let loop: EventLoop
    private let mailbox: Mailbox<ClientRole.Letter>
    /// Names submissions and subscriptions.
    private let numbers = Locked(0)
    private static let welcomeMilliseconds = 2_000

    /// Connects to a router over TCP.
    ///
    /// - Parameter keys: What is shown to the router, and by what it knows that it is the right
    ///   one; nil for a router without keys.
    /// - Throws: `NoServer` if nothing listens there, `ConnectionRefused` if the router does not let
    ///   this side in or is another one.
    public static func open(
        _ endpoint: Endpoint, name: String, keys: ConnectionKeys? = nil, log: Log = Log()
    ) throws -> RouterConnection {
        guard endpoint.isListening() else { throw NoServer(endpoint: endpoint) }
        return try RouterConnection(
            url: endpoint.url, keys: keys, context: Context(), owns: true, name: name, log)
    }

    /// Connects inside the process.
    init(
        url: String, keys: ConnectionKeys? = nil, context: Context, owns: Bool, name: String,
        _ log: Log
    ) throws {
        self.context = context
        ownsContext = owns
        let loop = EventLoop(log: log)
        let mailbox = Mailbox<ClientRole.Letter>(waking: loop.signal)
        self.loop = loop
        self.mailbox = mailbox
        var random = SecureGenerator()
        let configuration = ClientConfiguration(
            identity: Identity(using: &random),
            incarnation: UInt64(SystemClock.wall().milliseconds), name: name)
        let judged = DispatchSemaphore(value: 0)
        let refusal = Locked<ConnectionRefused?>(nil)
        try loop.start(name: "client") {
            let role = try ClientRole(
                configuration, url: url, keys: keys, context: context, mailbox: mailbox, log: log
            ) { reason in
                refusal.withLock { $0 = reason }
                judged.signal()
            }
            return [Hosted(role: role)]
        }
        // What connecting takes is not taken from the first request's budget.
        _ = judged.wait(timeout: .now() + .milliseconds(Self.welcomeMilliseconds))
        if let refusal = refusal.withLock({ $0 }) {
            close()
            throw refusal
        }
    }

    /// Sends a request or change and waits for its outcome.
    ///
    /// Where the task is cancelled meanwhile, the request is too (CANCEL), and the outcome is
    /// CANCELLED at once; a change may then be stored all the same.
    public func send(_ message: Message) async -> Outcome {
        // A router could not tell whose message it is that it cannot read.
        if let fault = message.fields.fault {
            return .error(
                .badRequest, text: fault.context, retryAfterMilliseconds: nil, body: [])
        }
        let id = makeNumber()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                mailbox.post(.submit(id: id, message) { continuation.resume(returning: $0) })
                // A cancellation before that found nothing that it could end.
                if Task.isCancelled { mailbox.post(.cancel(id: id)) }
            }
        } onCancel: { [mailbox] in
            mailbox.post(.cancel(id: id))
        }
    }

    private func makeNumber() -> Int {
        numbers.withLock { number in
            number += 1
            return number
        }
    }

    /// Subscribes to a list: the stream has a NOTIFY at once and whenever the list is another,
    /// also after the router was away. Ending the stream's task ends the subscription.
    public func subscribe(_ message: Message) -> AsyncStream<Subscribed> {
        let id = makeNumber()
        // The newest list says all that the ones before it did.
        return AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            continuation.onTermination = { [mailbox] _ in mailbox.post(.unsubscribe(id: id)) }
            mailbox.post(.subscribe(id: id, message, continuation))
        }
    }

    /// Says goodbye and waits until the sockets are closed.
    public func close() {
        mailbox.post(.close)
        loop.join()
        if ownsContext { context.terminate() }
    }
}

/// What a subscription brings.
public enum Subscribed: Sendable {
    /// A NOTIFY: the list as its body, none if it is the one that was known, or an error code.
    case list(Message)
    /// The router refused it, or the connection was closed.
    case ended(RequestFailure)
}

/// Nothing listens at the address.
public struct NoServer: Error, CustomStringConvertible {
    /// Where a server was looked for.
    public let endpoint: Endpoint
    /// Says what to do.
    public var description: String {
        "no server at \(endpoint); start one with 'sightline serve', or name another with --connect"
    }
}

extension Endpoint {
    /// Something accepts connections there.
    func isListening() -> Bool {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let first = list else {
            return false
        }
        defer { freeaddrinfo(first) }
        let descriptor = socket(first.pointee.ai_family, first.pointee.ai_socktype, 0)
        guard descriptor >= 0 else { return false }
        defer { Foundation.close(descriptor) }
        return Foundation.connect(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0
    }
}
