internal import Messages

extension JournalServer {
    /// A change that is not answered yet.
    struct PendingChange: Sendable {
        let ticket: Int
        let route: [UInt8]
        let requestID: RequestID
        let entry: JournalEntry
        let bytes: Int
        let arrival: MonotonicTime
    }

    /// Queues a change for the next group, or says at once why not.
    mutating func accept(
        _ message: Message, from route: [UInt8], at now: Now, into actions: inout [JournalAction]
    ) {
        let record = ChangeCheck.record(of: message)
        if let fault = unavailability(for: message) ?? checked(record, message) {
            var error = fault.message
            error.header.requestID = message.header.requestID
            actions.append(.fact(.refused(fault.code)))
            return send(error, to: route, at: now, into: &actions)
        }
        let entry = JournalEntry(
            record: record, blobs: message.attachments, recordedTime: now.wall)
        let bytes = ChangeCheck.bytes(of: message)
        waiting.append(
            PendingChange(
                ticket: makeNumber(), route: route, requestID: message.header.requestID,
                entry: entry, bytes: bytes, arrival: now.monotonic))
        waitingBytes += bytes
        startGroup(at: now, into: &actions)
    }

    /// Answers every change of a group, starts the next one, and wakes the replicas that wait.
    mutating func finishGroup(
        _ outcomes: [(ticket: Int, outcome: AppendOutcome)], _ bodies: [Int: [UInt8]],
        head: Position, at now: Now, into actions: inout [JournalAction]
    ) {
        advance(to: head)
        var counts = (records: 0, duplicates: 0, refused: 0)
        for (ticket, outcome) in outcomes {
            guard let change = group.removeValue(forKey: ticket) else { continue }
            switch outcome {
            case .stored: counts.records += 1
            case .duplicate: counts.duplicates += 1
            case .refused, .accessRequired: counts.refused += 1
            }
            let answer = answer(outcome, bodies[ticket] ?? [], to: change)
            send(answer, to: change.route, at: now, into: &actions)
        }
        actions.append(
            .fact(
                .stored(
                    records: counts.records, duplicates: counts.duplicates,
                    refused: counts.refused)))
        startGroup(into: &actions)
        serveWaitingReplicas(into: &actions)
        finishDraining(at: now, into: &actions)
    }

    /// Stops acknowledging for good: what the disk holds is unknown until the next start.
    mutating func stop(
        _ tickets: [Int], _ reason: String, at now: Now, into actions: inout [JournalAction]
    ) {
        let failed = tickets.compactMap { group.removeValue(forKey: $0) } + waiting
        waiting = []
        waitingBytes = 0
        stopReason = reason
        actions.append(.fact(.stopped(reason)))
        for change in failed {
            let error = Message.error(
                .journalUnavailable, reason, requestID: change.requestID)
            send(error, to: change.route, at: now, into: &actions)
        }
        finishDraining(at: now, into: &actions)
    }

    /// Takes a later position as the head; a new epoch always.
    mutating func advance(to position: Position) {
        guard position.epoch != head.epoch || position.sequence > head.sequence else { return }
        head = position
    }

    /// Why no change can be taken now, whatever it holds.
    private func unavailability(for message: Message) -> ChangeFault? {
        if let stopReason { return ChangeFault(.journalUnavailable, stopReason) }
        if isDraining { return ChangeFault(.draining, "the journal is stopping") }
        let retry = configuration.retryAfterMilliseconds
        guard pendingCount < configuration.pendingMax else {
            return ChangeFault(
                .overloaded, "\(configuration.pendingMax) changes wait for the disk", retry)
        }
        let bytes = waitingBytes + ChangeCheck.bytes(of: message)
        guard bytes <= configuration.pendingBytesMax else {
            return ChangeFault(
                .overloaded, "\(configuration.pendingBytesMax) bytes wait for the disk", retry)
        }
        return nil
    }

    private func checked(_ record: Record, _ message: Message) -> ChangeFault? {
        if let fault = ChangeCheck.fault(of: record, in: message) { return fault }
        return configuration.validate(record).map { ChangeFault(.refused, $0) }
    }

    /// How long the first waiting change waits for others; nil if nothing waits to be gathered.
    ///
    /// Only where changes come side by side, as the last group shows: a single producer that
    /// waits for each answer would gain nothing.
    var gatherEnd: MonotonicTime? {
        guard group.isEmpty, stopReason == nil, let first = waiting.first else { return nil }
        let isFull =
            // Whoever waits for answers before they send more has sent all when as many are here.
            waiting.count >= min(configuration.groupRecordsMax, lastGroupCount)
            || waitingBytes >= configuration.groupBytesMax
        guard lastGroupCount > 1, !isFull, !isDraining else { return first.arrival }
        return first.arrival.adding(milliseconds: configuration.groupMillisecondsMax)
    }

    /// Hands the waiting changes to the backend once the disk is free and they are gathered.
    mutating func startGroup(at now: Now, into actions: inout [JournalAction]) {
        guard let gatherEnd, gatherEnd <= now.monotonic else { return }
        startGroup(into: &actions)
    }

    /// Hands the waiting changes to the backend; what the disk was busy for was long enough.
    private mutating func startGroup(into actions: inout [JournalAction]) {
        guard group.isEmpty, !waiting.isEmpty, stopReason == nil else { return }
        var bytes = 0
        let next = waiting.prefix(configuration.groupRecordsMax).prefix { change in
            defer { bytes += change.bytes }
            return bytes == 0 || bytes + change.bytes <= configuration.groupBytesMax
        }
        for change in next { group[change.ticket] = change }
        waitingBytes -= next.reduce(0) { $0 + $1.bytes }
        actions.append(.append(next.map { (ticket: $0.ticket, entry: $0.entry) }))
        lastGroupCount = next.count
        waiting.removeFirst(next.count)
    }

    private func answer(
        _ outcome: AppendOutcome, _ body: [UInt8], to change: PendingChange
    ) -> Message {
        let requestID = change.requestID
        switch outcome {
        case .stored(let position), .duplicate(let position):
            var ack = Message(Header(.ack, requestID: requestID), body: body)
            ack.fields.position = position
            return ack
        case .refused(let text):
            return .error(.refused, text, requestID: requestID)
        case .accessRequired(let store, let status):
            let refusal = AccessRefusal(
                store: store, access: status,
                refused: configuration.parts(change.entry.record, Limits.refusedPartsShown))
            var error = Message.error(.accessRequired, refusal.text, requestID: requestID)
            error.body = refusal.json.canonical()
            return error
        }
    }
}
