internal import Messages

/// What a router says about itself.
extension Router {
    /// Stands before the workers' items.
    func statusItem(_ now: Now) -> MergeItem {
        MergeItem(
            sortKey: [0] + configuration.identity.bytes,
            unionKey: configuration.identity.bytes, json: status(now).canonical())
    }

    private func status(_ now: Now) -> JSONValue {
        let uptime = now.monotonic.milliseconds(since: startedAt ?? now.monotonic)
        let workers = sortedWorkers.map { worker in
            JSONValue.object([
                "identity": .string(worker.identity.description), "name": .string(worker.name),
                "state": .string(worker.stateName), "credit": .integer(worker.credit),
                "inFlight": .integer(worker.inFlight.count),
                "position": worker.position.map { .string($0.description) } ?? .null,
            ])
        }
        let waiting = parts.filter { !$0.value.waiting.isEmpty }.sorted { $0.key < $1.key }
            .map { key, part in
                JSONValue.object([
                    "service": .string(key.service), "part": .string(key.part),
                    "waiting": .integer(part.waiting.count),
                ])
            }
        let table = counters.table.map { ($0.name, JSONValue.integer($0.value)) }
        return .object([
            "role": .string("router"),
            "identity": .string(configuration.identity.description),
            "name": .string(configuration.name), "uptimeMilliseconds": .integer(uptime),
            "draining": .bool(lifecycle != .running), "clients": .integer(clients.count),
            "workers": .array(workers), "inFlight": .integer(exchanges.count),
            "inFlightBytes": .integer(exchangeBytes), "waiting": .array(waiting),
            "dispatches": .integer(dispatches.count),
            "pendingChanges": .integer(pendingChanges.count),
            "keptResults": .integer(kept.count), "keptBytes": .integer(kept.byteCount),
            "journal": .string(journalState), "dead": .integer(dead.count),
            "jobs": .object([
                "held": .integer(jobs.count), "waiting": .integer(jobs.waitingCount()),
                "running": .integer(jobs.runningCount),
                "bytes": .integer(jobs.requestBytes + jobs.resultBytes),
            ]),
            "replyMarginMicroseconds": .integer(margin.nanoseconds / 1_000),
            "services": .array(services.all.filter { $0.requests > 0 }.map { status(of: $0, now) }),
            "scaling": scaling(now),
            "counters": .object(Dictionary(uniqueKeysWithValues: table)),
        ])
    }

    private func status(of service: ServiceCounters, _ now: Now) -> JSONValue {
        .object([
            "service": .string(service.name),
            "outcomes": .object([
                "complete": .integer(service.complete), "incomplete": .integer(service.incomplete),
                "overloaded": .integer(service.overloaded), "shed": .integer(service.shed),
                "tooLate": .integer(service.tooLate), "cancelled": .integer(service.cancelled),
                "failed": .integer(service.failed),
            ]),
            "requests": .integer(service.requests), "dispatched": .integer(service.dispatched),
            "hedged": .integer(service.hedged), "hedgesWon": .integer(service.hedgesWon),
            "retried": .integer(service.retried), "late": .integer(service.late),
            "microseconds": Self.status(of: service.duration),
            "queueMicroseconds": Self.status(of: service.queueDelay),
        ])
    }

    private static func status(of histogram: DurationHistogram) -> JSONValue {
        func quantile(_ share: Double) -> JSONValue {
            histogram.quantile(share).map { .integer($0 / 1_000) } ?? .null
        }
        return .object([
            "count": .integer(histogram.count), "p50": quantile(0.5), "p95": quantile(0.95),
            "p99": quantile(0.99), "p999": quantile(0.999),
        ])
    }

    /// Whether more workers are wanted: for how long the oldest request waits, and how many wait
    /// or run for each credit that workers give.
    private func scaling(_ now: Now) -> JSONValue {
        let exchanges = exchanges
        let oldest = parts.values.compactMap {
            $0.waiting.oldest { Self.isWaiting($0, in: exchanges) }
        }.min()
        let age = oldest.map { now.monotonic.milliseconds(since: $0) } ?? 0
        let credit = workers.values.reduce(0) { $0 + ($1.isDraining ? 0 : $1.credit) }
        let backlog = waitingCount + workers.values.reduce(0) { $0 + $1.inFlight.count }
        return .object([
            "oldestWaitingMilliseconds": .integer(age), "backlog": .integer(backlog),
            "waiting": .integer(waitingCount), "credit": .integer(credit),
            "backlogPerHundredCredits": credit == 0
                ? .null : .integer(backlog * 100 / credit),
        ])
    }

    private var journalState: String {
        guard configuration.hasJournal else { return "none" }
        if isJournalDown { return "down" }
        if let journalFault { return "stores nothing: \(journalFault)" }
        return journal.state == .open ? "up" : "connecting"
    }
}
