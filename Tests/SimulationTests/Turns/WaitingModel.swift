import Messages

/// What waits at a router, kept without its code, and what must hold when one of them is served.
struct WaitingModel {
    struct Request {
        let id: RequestID
        let key: String
        let weight: UInt32
        let priority: UInt8
        let deadline: UInt64
        let budget: UInt64
        let since: UInt64
    }

    private(set) var violation: String?
    private var waiting: [RequestID: Request] = [:]
    /// Turns of other keys since a key had one or began to wait.
    private var passed: [String: [String: Int]] = [:]
    /// Since when whoever is served of a key has waited for too long.
    private var standsSince: [String: UInt64] = [:]
    private var lastShed: [String: UInt64] = [:]

    mutating func arrived(_ request: Request) {
        let isNew = !waiting.values.contains {
            $0.key == request.key && $0.priority == request.priority
        }
        if isNew, request.priority == Self.judged {
            passed[request.key] = [:]
            standsSince[request.key] = nil
        }
        waiting[request.id] = request
    }
    /// Turns and delays are judged among the requests of this priority, which most have.
    private static let judged: UInt8 = 4

    mutating func ended(_ id: RequestID) { waiting[id] = nil }

    mutating func served(_ id: RequestID, at now: UInt64) {
        guard let request = waiting.removeValue(forKey: id) else { return }
        // What is about to end by itself is not served any more.
        let others = waiting.values.filter { $0.deadline > now + 60 }
        let peers = others.filter { $0.priority == request.priority }
        if others.contains(where: { $0.priority > request.priority }) {
            fail("\(id) is served before a higher priority")
        }
        // The router's margin may have changed by some milliseconds between two of them.
        if peers.contains(where: { $0.key == request.key && $0.deadline + 5 < request.deadline }) {
            fail("\(id) is served before an earlier deadline")
        }
        guard request.priority == Self.judged else { return }
        noteTurn(of: request, peers)
        noteDelay(of: request, at: now)
    }

    private mutating func noteTurn(of request: Request, _ peers: [Request]) {
        passed[request.key] = [:]
        for key in Set(peers.map(\.key)) where key != request.key {
            passed[key, default: [:]][request.key, default: 0] += 1
            let turns = passed[key]?[request.key] ?? 0
            // Between two turns of a key another one has as many as its weight, and the ones
            // that both were about to have.
            if turns > Int(request.weight) + 2 {
                fail("\(request.key) has \(turns) turns while \(key) waits")
            }
        }
    }

    private mutating func noteDelay(of request: Request, at now: UInt64) {
        let key = request.key
        guard now - request.since >= max(100, request.budget / 4) else {
            standsSince[key] = nil
            return
        }
        let since = max(standsSince[key] ?? now, lastShed[key] ?? 0)
        standsSince[key] = standsSince[key] ?? now
        if now > since + 1_500 { fail("the queue of \(key) stands since \(since) ms") }
    }

    mutating func shed(_ id: RequestID, at now: UInt64) {
        guard let request = waiting[id] else { return }
        lastShed[request.key] = now
        let peers = waiting.values.filter { $0.priority == request.priority }
        let counts = Dictionary(grouping: peers, by: \.key).mapValues(\.count)
        // The queue of a key may stand on its own account.
        guard standsSince[request.key] == nil else { return }
        let own = counts[request.key] ?? 0
        if let most = counts.values.max(), own + 1 < most {
            fail("\(request.key) with \(own) waiting is shed, another has \(most)")
        }
    }

    private mutating func fail(_ text: String) { if violation == nil { violation = text } }
}
