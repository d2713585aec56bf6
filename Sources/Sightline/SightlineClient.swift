import Foundation
import Messages
public import Service

/// A connection to a Sightline server, for requests, changes, lists to follow and detached
/// requests.
///
/// It may be used from any task at a time, and finds a server that was started again by itself.
/// A request ends with its task: where the task is cancelled, the server hears CANCEL and stops.
/// The time that a request has is that of the task's ``Deadline``, or two seconds.
public final class SightlineClient: Sendable {
    let connection: RouterConnection
    private let ownsConnection: Bool
    /// What a request has where neither it nor its task says.
    static let defaultBudget = Duration.seconds(2)

    /// Connects to a server, `HOST:PORT`; with keys to one that lets in keys only.
    ///
    /// - Throws: `SightlineError` with `noServer` if nothing listens there, with `keyRefused` if the
    ///   server does not let this side in, and with `badRequest` if that is no address.
    public static func connect(
        to address: String = "127.0.0.1:5570", name: String = "swift",
        keys: ConnectionKeys? = nil
    ) async throws(SightlineError) -> SightlineClient {
        do {
            let endpoint = try Endpoint(address, defaultPort: Endpoint.clientPort)
            // Opening waits for the server's welcome, which must not hold up a task's thread.
            let connection = try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result { try RouterConnection.open(endpoint, name: name, keys: keys) }
                    )
                }
            }
            return SightlineClient(connection, owns: true)
        } catch {
            throw SightlineError(any: error)
        }
    }

    /// Uses a connection that there is already, such as that of an embedded server, and leaves it
    /// open.
    public convenience init(_ connection: RouterConnection) {
        self.init(connection, owns: false)
    }

    private init(_ connection: RouterConnection, owns: Bool) {
        self.connection = connection
        ownsConnection = owns
    }

    /// Says goodbye and closes the connection; what is in flight ends with `cancelled`.
    public func close() async {
        guard ownsConnection else { return }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [connection] in
                connection.close()
                continuation.resume()
            }
        }
    }

    /// Connects, runs a body with the client, and closes it whatever happens.
    ///
    /// - Throws: `SightlineError` if there is no server, or what the body throws.
    public static func withClient<Result>(
        of address: String = "127.0.0.1:5570", name: String = "swift",
        _ body: (SightlineClient) async throws -> Result
    ) async throws -> Result {
        let client = try await connect(to: address, name: name)
        do {
            let result = try await body(client)
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }

    /// Sends a request and takes its answer apart.
    ///
    /// - Throws: `SightlineError`, with `deadlineExceeded` before anything is sent if the task's
    ///   deadline is over.
    public func send<Item: Decodable & Sendable>(
        _ request: ServiceRequest<Item>
    ) async throws(SightlineError) -> Results<Item> {
        do {
            let message = try request.message()
            return try Results(try await connection.request(message))
        } catch {
            throw SightlineError(any: error)
        }
    }

    /// Sends a message that is made already, with the time that is left.
    func reply(to message: Message) async throws(SightlineError) -> Reply {
        do {
            return try await connection.request(message)
        } catch {
            throw SightlineError(any: error)
        }
    }

    /// Makes a change and waits until it is stored.
    func change(_ message: Message) async throws(SightlineError) -> JournalPosition {
        do {
            return JournalPosition(try await connection.change(message))
        } catch {
            throw SightlineError(any: error)
        }
    }
}

/// The time that a request has.
enum Budget {
    /// Milliseconds of what a request states, or its task's deadline leaves, or the default.
    static func milliseconds(
        _ stated: Duration?, deadline: Deadline? = Deadline.current
    ) throws(SightlineError) -> UInt32 {
        let left = deadline?.remaining
        var budget = stated ?? left ?? SightlineClient.defaultBudget
        if let left { budget = min(budget, left) }
        let milliseconds =
            budget.components.seconds * 1_000 + budget.components.attoseconds
            / 1_000_000_000_000_000
        guard milliseconds >= 1 else {
            throw SightlineError(.deadlineExceeded, "the task's deadline is over")
        }
        return UInt32(min(milliseconds, Int64(Limits.budgetMillisecondsMax)))
    }
}
