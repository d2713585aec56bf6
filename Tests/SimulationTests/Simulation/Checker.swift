import Messages
import Queue

/// A submission as its client sees it.
struct Expectation {
    let client: Int
    let deadline: UInt64
    let message: Message
    /// Nothing goes wrong any more: it must succeed.
    let isCalm: Bool
    var outcomes = 0
}

/// A request as one router process sees it.
struct ReplyKey: Hashable {
    let router: Int
    let generation: Int
    let client: Identity
    let id: RequestID
}

/// A request as its client names it.
struct RequestKeyOfClient: Hashable {
    let client: Identity
    let id: RequestID
}

/// What must hold, whatever goes wrong.
struct Checker {
    private(set) var violation: String?
    var submissions: [Int: Expectation] = [:]
    var replies: [ReplyKey: Int] = [:]
    var deadlines: [ReplyKey: UInt64] = [:]
    var acknowledged: [(position: Position, change: String)] = []
    var started: Set<String> = []
    /// Who decoded the picture of a request.
    var decoders: [String: Set<String>] = [:]
    /// The picture of each request, and those that took too long to be prepared.
    var pictures: [RequestKeyOfClient: [UInt8]] = [:]
    var unprepared: Set<[UInt8]> = []
    /// Counts, to see that a run was worth something.
    var finals = 0
    var completes = 0
    var acks = 0

    mutating func fail(_ text: String, at time: UInt64) {
        if violation == nil { violation = "at \(time / 1_000) µs: \(text)" }
    }

    mutating func finished(
        _ ticket: Int, _ outcome: Outcome, isJudgedElsewhere: Bool, at now: UInt64
    ) {
        guard var expectation = submissions[ticket] else { return }
        expectation.outcomes += 1
        submissions[ticket] = expectation
        if expectation.outcomes > 1 {
            fail("ticket \(ticket) has \(expectation.outcomes) outcomes", at: now)
        }
        if now > expectation.deadline + 1_000_000 {
            fail("ticket \(ticket) ended after its deadline", at: now)
        }
        guard !isJudgedElsewhere else { return }
        switch outcome {
        case .final(let final): check(final, of: expectation, at: now)
        case .ack(let position, _):
            acks += 1
            let record = Record(
                fields: expectation.message.fields, body: expectation.message.body)
            acknowledged.append((position, SimulatedDisk.change(of: record)))
        case .error(let code, let text, _, _):
            if expectation.isCalm { fail("calm ticket \(ticket): \(code) \(text)", at: now) }
        case .timedOut:
            if expectation.isCalm { fail("calm ticket \(ticket) timed out", at: now) }
        }
    }

    private mutating func check(
        _ final: Message, of expectation: Expectation, at now: UInt64
    ) {
        finals += 1
        guard expectation.message.fields.text(.service) == SimulatedSearch.service else { return }
        let question = SimulatedSearch.question(of: expectation.message)
        let limit: UInt32 = expectation.message.fields.integer(.limit) ?? 10
        let all = texts(ofBody: final.body)
        let found = all.filter { !$0.hasPrefix("{\"at\"") }
        checkShare(final, expectation, at: now)
        guard final.header.flags.contains(.complete) else {
            if expectation.isCalm {
                fail("calm reply lacks \(final.fields.missing)", at: now)
            }
            if final.fields.missing.isEmpty { fail("incomplete, but nothing missing", at: now) }
            if !SimulatedSearch.possible(question: question).isSuperset(of: found) {
                fail("a result that nobody found", at: now)
            }
            if Set(all).count != all.count { fail("a result twice", at: now) }
            return
        }
        completes += 1
        let expected = SimulatedSearch.expected(question: question, limit: Int(limit))
        if found != expected { fail("reply \(found), not \(expected)", at: now) }
        checkPosition(final, all, expectation, at: now)
    }

    /// Each of the two parts has half of the slots.
    private mutating func checkShare(
        _ final: Message, _ expectation: Expectation, at now: UInt64
    ) {
        guard let least: UInt32 = expectation.message.fields.integer(.leastShare) else { return }
        let answered: UInt32 = final.fields.integer(.partsAnswered) ?? 0
        if answered * 50 < least { fail("\(answered * 50) % answered, of \(least) %", at: now) }
    }

    /// The result of a detached request: whole, or at least nothing that nobody found.
    mutating func checkJob(_ final: Message, question: UInt64, limit: Int, at now: UInt64) {
        let found = texts(ofBody: final.body).filter { !$0.hasPrefix("{\"at\"") }
        guard final.header.flags.contains(.complete) else {
            if !SimulatedSearch.possible(question: question).isSuperset(of: found) {
                fail("a result that nobody found", at: now)
            }
            return
        }
        let expected = SimulatedSearch.expected(question: question, limit: limit)
        if found != expected { fail("job's reply \(found), not \(expected)", at: now) }
    }

    private mutating func checkPosition(
        _ final: Message, _ all: [String], _ expectation: Expectation, at now: UInt64
    ) {
        let stands = all.filter { $0.hasPrefix("{\"at\"") }.compactMap {
            UInt64($0.dropFirst(6).prefix { $0.isNumber })
        }
        if stands.count == 2, let position = final.fields.position,
            position.sequence != stands.min()
        {
            fail("position \(position) of parts at \(stands)", at: now)
        }
        if let least = expectation.message.fields.leastPosition,
            let position = final.fields.position, position.epoch == least.epoch,
            position.sequence < least.sequence
        {
            fail("position \(position) where \(least) was the least", at: now)
        }
    }

    mutating func replied(_ key: ReplyKey, excusedUntil: UInt64, at now: UInt64) {
        replies[key, default: 0] += 1
        if let count = replies[key], count > 1 {
            fail("\(count) replies to \(key.id)", at: now)
        }
        if let deadline = deadlines[key], now > max(deadline, excusedUntil) + 1_000_000 {
            fail("reply to \(key.id) after its deadline", at: now)
        }
    }
}
