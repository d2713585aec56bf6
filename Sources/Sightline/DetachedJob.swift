import Foundation
import Messages
import Service

/// A request that the server computes when it has room; its result is fetched later, from any
/// process that knows its id.
public struct DetachedJob<Item: Decodable & Sendable>: Sendable {
    /// Names it; only who knows the id fetches the result.
    public let id: String
    /// It outlives a restart of the server; false where the server keeps nothing on disk, and for
    /// everything that belongs to an account. What is lost is told as `notFound`, never as waiting.
    public let isDurable: Bool
    /// For how long its result is kept.
    public let keptFor: Duration
    let client: SightlineClient

    /// The result, once it is there.
    ///
    /// Waits as long as the task's deadline allows, ten minutes without one, and asks again where
    /// the server was away meanwhile.
    ///
    /// - Throws: `SightlineError`: `unfinished` where it still waits or runs then, `notFound` where
    ///   the server does not have it, and what the request itself failed with.
    public func result() async throws(SightlineError) -> Results<Item> {
        let end = Deadline.current ?? .after(.milliseconds(Limits.budgetMillisecondsMax))
        while true {
            do throws(SightlineError) {
                return try await ask(waiting: min(end.remaining, .seconds(60)))
            } catch {
                let mayComeBack = [.unfinished, .draining, .noAnswer].contains(error.code)
                guard mayComeBack, end.remaining > .milliseconds(100) else { throw error }
                // A server that starts again is there after that.
                if error.code != .unfinished { await pause(.milliseconds(200)) }
                guard !Task.isCancelled else {
                    throw SightlineError(.cancelled, "the task was cancelled")
                }
            }
        }
    }

    private func pause(_ duration: Duration) async {
        // Cut short by a cancellation, which is looked at behind it.
        try? await Task.sleep(for: duration)
    }

    /// The result, if it is there.
    ///
    /// - Throws: `SightlineError`, with `unfinished` where it waits or runs.
    public func resultNow() async throws(SightlineError) -> Results<Item> {
        try await ask(waiting: nil)
    }

    private func ask(waiting: Duration?) async throws(SightlineError) -> Results<Item> {
        var message = try question(ServiceName.jobResult, waiting)
        if waiting != nil { message.header.flags.insert(.wait) }
        let reply = try await client.reply(to: message)
        do {
            return try Results(reply)
        } catch {
            throw SightlineError(any: error)
        }
    }

    /// Forgets the request and its result; stops it if it runs.
    ///
    /// - Throws: `SightlineError`, with `notFound` where the server does not have it.
    public func drop() async throws(SightlineError) {
        _ = try await client.reply(to: try question(ServiceName.jobDrop, nil))
    }

    private func question(
        _ service: String, _ budget: Duration?
    ) throws(SightlineError) -> Message {
        guard let job = RequestID(hex: id) else {
            throw SightlineError(.badRequest, "'\(id)' is no id: 32 hexadecimal digits")
        }
        var message = Message(
            Header(.request, budgetMilliseconds: try Budget.milliseconds(budget)),
            body: Array("{}".utf8))
        message.fields.set(.service, text: service)
        message.fields.job = job
        return message
    }
}

/// What an accepted request is told.
private struct Acceptance: Decodable, Sendable {
    let job: String
    let durable: Bool
    let keptMilliseconds: Int64
}

extension SightlineClient {
    /// Hands a request over, to be computed when there is room; returns as soon as it is accepted.
    ///
    /// Its budget is the time that computing it may take, from when it is begun. With a key,
    /// submitting the same question twice gives one job and runs once.
    ///
    /// - Throws: `SightlineError`, with `overloaded` where no more is taken, and with `badRequest`
    ///   where the key names another question.
    public func submit<Item: Decodable & Sendable>(
        _ request: ServiceRequest<Item>, key: String? = nil
    ) async throws(SightlineError) -> DetachedJob<Item> {
        var message = try request.message(isDetached: true)
        message.fields.set(.jobKey, text: key)
        do {
            let accepted = try Results<Acceptance>(try await connection.request(message))
            guard let item = accepted.items.first else {
                throw SightlineError(.unreadable, "the server accepted nothing")
            }
            return DetachedJob(
                id: item.job, isDurable: item.durable,
                keptFor: .milliseconds(item.keptMilliseconds), client: self)
        } catch {
            throw SightlineError(any: error)
        }
    }

    /// A request that was submitted before, by its id.
    public func job<Item: Decodable & Sendable>(
        _ id: String, as _: Item.Type = Item.self
    ) -> DetachedJob<Item> {
        DetachedJob(
            id: id, isDurable: false, keptFor: .milliseconds(Limits.jobKeptMilliseconds),
            client: self)
    }
}
