internal import Messages

/// Results of detached requests, fetched or waited for by id.
extension Router {
    /// `job.result` and `job.drop`: the router is the server here.
    mutating func answerJob(
        _ message: Message, _ service: String, _ key: RequestKey, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        guard let id = message.fields.job else {
            let text = "\(service) names a detached request in the field job"
            return refuse(.error(.badRequest, text), key, service, &actions)
        }
        guard let held = jobs[id], held.state != .accepting else {
            if configuration.planted.contains(.lostJobLooksUnfinished) {
                return refuse(Self.unfinished("waiting"), key, service, &actions)
            }
            return refuse(Self.unknownJob, key, service, &actions)
        }
        switch service {
        case OwnService.jobDrop:
            removeJob(id, now, &actions)
            answer(key, dropped(held), &actions)
        case OwnService.jobResult:
            if held.state == .over, let reply = held.job.reply {
                return answer(key, reply, &actions)
            }
            guard message.header.flags.contains(.wait) else {
                return refuse(Self.unfinished(held.stateName), key, service, &actions)
            }
            waitForJob(id, key, isAcceptance: false, now, &actions, message)
        default:
            let text = "there are \(OwnService.jobResult) and \(OwnService.jobDrop)"
            refuse(.error(.badRequest, text), key, service, &actions)
        }
    }

    static func unfinished(_ state: String) -> Message {
        .error(
            .jobUnfinished, "the detached request is \(state); ask again, or wait for it",
            retryAfterMilliseconds: 1_000)
    }

    private func dropped(_ held: HeldJob) -> Message {
        let json = JSONValue.object([
            "job": .string(held.job.id.description), "state": .string(held.stateName),
        ])
        let item = MergeItem(
            sortKey: [0], unionKey: held.job.id.bytes, json: json.canonical())
        var fields = Fields()
        fields.job = held.job.id
        return Self.final([item], limit: 1, fields: fields, attachments: [:], isComplete: true)
    }

    // MARK: Waiting

    mutating func waitForJob(
        _ id: RequestID, _ key: RequestKey, isAcceptance: Bool, _ now: Now,
        _ actions: inout [RouterAction], _ message: Message? = nil
    ) {
        let budget =
            message?.header.budgetMilliseconds
            ?? jobs[id]?.job.request.header.budgetMilliseconds ?? 1
        let wait = JobWait(job: id, isAcceptance: isAcceptance, serial: makeNumber())
        jobWaits[key] = wait
        clients[key.client]?.inFlight.append(key)
        timers.insert(
            .jobWait(key, serial: wait.serial),
            at: now.monotonic.adding(milliseconds: budget - margin.milliseconds(ofBudget: budget)))
    }

    /// The client's budget is over.
    mutating func jobWaitDue(
        _ key: RequestKey, _ serial: UInt64, _ actions: inout [RouterAction]
    ) {
        guard let wait = jobWaits[key], wait.serial == serial else { return }
        endWait(key)
        if wait.isAcceptance {
            let text = "the request is not kept yet; with a key it may be submitted again"
            return answer(key, .error(.deadlineExceeded, text), &actions)
        }
        answer(key, Self.unfinished(jobs[wait.job]?.stateName ?? "waiting"), &actions)
    }

    /// Whoever waits for a job, in order; they do so no longer.
    mutating func takeWaits(for id: RequestID, ofAcceptance: Bool) -> [RequestKey] {
        let keys = jobWaits.filter { $0.value.job == id && $0.value.isAcceptance == ofAcceptance }
            .sorted { $0.value.serial < $1.value.serial }.map(\.key)
        for key in keys { endWait(key) }
        return keys
    }

    mutating func endWait(_ key: RequestKey) {
        jobWaits[key] = nil
        clients[key.client]?.ended(key)
    }

    /// The client gave up waiting. One that was not told its request's id takes it back.
    mutating func cancelWait(
        _ key: RequestKey, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let wait = jobWaits[key] else { return }
        endWait(key)
        if wait.isAcceptance, jobs[wait.job]?.job.key == nil { removeJob(wait.job, now, &actions) }
        answer(key, .error(.cancelled, "the client cancelled"), &actions)
    }

    /// Sends the one answer to a request that the router itself answers.
    mutating func answer(
        _ key: RequestKey, _ message: Message, _ actions: inout [RouterAction]
    ) {
        finished.insert(key)
        if message.command == .error {
            counters.failed += 1
        } else {
            counters.complete += 1
        }
        reply(message, to: key, &actions)
    }

    // MARK: Time

    /// Ends what waited for too long, or forgets a result whose time is over, in so much time.
    mutating func wakeJob(_ id: RequestID, after milliseconds: UInt64, _ now: Now) {
        let alarm = makeNumber()
        jobs.update(id) { $0.alarm = alarm }
        timers.insert(
            .job(id, alarm: alarm), at: now.monotonic.adding(milliseconds: milliseconds))
    }

    mutating func jobDue(
        _ id: RequestID, _ alarm: UInt64, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let held = jobs[id], held.alarm == alarm else { return }
        switch held.state {
        case .over: removeJob(id, now, &actions)
        case .accepting, .waiting:
            let text = "no worker had room for it in \(configuration.jobWaitMilliseconds) ms"
            endJob(id, with: .error(.deadlineExceeded, text), now, &actions)
        case .starting, .running, .ending:
            // It ends by its budget.
            wakeJob(id, after: UInt64(held.job.request.header.budgetMilliseconds) + 1_000, now)
        }
    }
}
