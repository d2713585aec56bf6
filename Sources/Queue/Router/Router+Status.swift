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
            "journal": .string(journalState),
            "counters": .object(Dictionary(uniqueKeysWithValues: table)),
        ])
    }

    private var journalState: String {
        guard configuration.hasJournal else { return "none" }
        if isJournalDown { return "down" }
        if let journalFault { return "stores nothing: \(journalFault)" }
        return journal.state == .open ? "up" : "connecting"
    }
}
