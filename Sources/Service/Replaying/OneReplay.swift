import Foundation
import Journal
import Messages
import Queue

/// Sends one recorded request again and compares its reply.
struct OneReplay: Sendable {
    let target: ReplayTarget
    let baseline: ReplayTarget?
    let options: ReplayOptions

    /// Never throws: what goes wrong is the outcome.
    func run(
        _ item: ReplayPlan.Item, _ entry: Result<MessageLogEntry?, any Error>
    ) async -> ReplayedExchange {
        do {
            guard case .exchange(let recorded, let keyID) = try entry.get()?.content else {
                return ReplayedExchange(item, .failed("the entry is not there any more"))
            }
            var exchange = try LoggedExchange(recorded, number: item.number, keyID: keyID)
            if let reason = restoreAttachments(of: &exchange) {
                return ReplayedExchange(item, .notCompared(reason))
            }
            return await run(item, exchange)
        } catch {
            return ReplayedExchange(item, .failed("\(error)"))
        }
    }

    private func run(
        _ item: ReplayPlan.Item, _ exchange: LoggedExchange
    ) async -> ReplayedExchange {
        let begin = ContinuousClock().now
        let outcome = await send(exchange, to: target)
        let seconds = (ContinuousClock().now - begin) / .seconds(1)
        guard let reply = outcome.reply else {
            return ReplayedExchange(item, .failed(outcome.failure), seconds: seconds)
        }
        let noise = options.findsNoise ? await noise(exchange, first: reply) : []
        let comparison = ReplyComparison(
            recorded: exchange.reply, new: reply, service: item.service, rules: options.rules,
            noise: noise)
        var lines = JSONDifference.lines(comparison.differences)
        if target.isExact, let position = exchange.position, reply.fields.position != position {
            lines.append("answered at another position")
        }
        return ReplayedExchange(
            item, lines.isEmpty ? .same : .different(lines), reply: reply, seconds: seconds,
            allowed: comparison.allowed, noise: noise)
    }

    /// Fields that differ between two runs of the same version.
    private func noise(_ exchange: LoggedExchange, first: Message) async -> Set<String> {
        let old = baseline ?? target
        let one = baseline == nil ? first : await send(exchange, to: old).reply
        guard let one, let two = await send(exchange, to: old).reply else { return [] }
        return Set(ReplyComparison.all(from: one, to: two).map(\.field))
    }

    private func send(
        _ exchange: LoggedExchange, to target: ReplayTarget
    ) async -> (reply: Message?, failure: String) {
        let request = target.request(exchange, keepsDeadline: options.keepsDeadlines)
        switch await target.connection.send(request) {
        case .final(let reply): return (reply, "")
        case .error(let code, let text, _, let body):
            var reply = Message.error(code, text)
            reply.body = body
            // Where an error was computed is not handed on; it waited for its position.
            reply.fields.position = exchange.position
            return (reply, "")
        case .ack: return (nil, "an ACK")
        case .timedOut: return (nil, "no answer in time")
        }
    }

    /// Puts in place what was recorded as a hash; returns why that cannot be done.
    private func restoreAttachments(of exchange: inout LoggedExchange) -> String? {
        guard let missing = exchange.missingAttachments else {
            return "recorded without attachments"
        }
        guard !missing.isEmpty else { return nil }
        guard let folder = options.attachments else {
            return "recorded with hashes of attachments only; --attachments-from has the files"
        }
        var attachments: [[UInt8]] = []
        for hash in missing {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(hash)"),
                ContentHash.of(Array(data)) == hash
            else { return "no attachment \(hash) in '\(folder)'" }
            attachments.append(Array(data))
        }
        exchange.request.attachments = attachments
        return nil
    }
}

extension ReplayedExchange {
    init(
        _ item: ReplayPlan.Item, _ outcome: ReplayOutcome, reply: Message? = nil,
        seconds: Double = 0, allowed: Int = 0, noise: Set<String> = []
    ) {
        self.init(
            number: item.number, service: item.service, outcome: outcome, reply: reply,
            seconds: seconds, allowed: allowed, noise: noise)
    }

    /// What is listed and not replayed; nil if it is replayed.
    init?(skipping item: ReplayPlan.Item) {
        switch item.reason {
        case .erased: self.init(item, .erased)
        case .notCompared(let reason): self.init(item, .notCompared(reason))
        case .unreadable(let reason): self.init(item, .failed(reason))
        case nil: return nil
        }
    }
}
