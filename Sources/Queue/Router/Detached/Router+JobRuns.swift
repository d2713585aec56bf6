internal import Messages

/// Detached requests on their way: begun when there is room, ended with what came.
extension Router {
    /// Takes up what an earlier process kept, in the order in which it was submitted.
    ///
    /// All of it, whatever the bounds are now: it has been accepted.
    mutating func loadJobs(_ now: Now, _ actions: inout [RouterAction]) {
        guard !configuration.planted.contains(.keptJobIsForgotten) else { return }
        let kept = configuration.jobs.sorted {
            ($0.submittedAt.milliseconds, $0.id.high, $0.id.low)
                < ($1.submittedAt.milliseconds, $1.id.high, $1.id.low)
        }
        for job in kept where jobs[job.id] == nil {
            let end = job.endedAt ?? job.submittedAt
            let most =
                job.reply == nil
                ? configuration.jobWaitMilliseconds : configuration.jobKeptMilliseconds
            // A wall clock that was set back does not keep anything for longer.
            let age = UInt64(max(0, now.wall.milliseconds - end.milliseconds))
            guard age < most else {
                actions.append(.forgetJob(job.id))
                continue
            }
            jobs.insert(
                HeldJob(
                    job: job,
                    state: job.reply == nil ? .waiting(notBefore: now.monotonic) : .over,
                    isDurable: true))
            wakeJob(job.id, after: most - age, now)
            guard job.reply == nil, job.starts >= configuration.attemptsMax else { continue }
            let text = "the router ended \(job.starts) times while it was computed"
            endJob(job.id, with: .error(.workerFailed, text), now, &actions)
        }
    }

    /// Begins what waits, where nobody else does.
    mutating func beginJobs(_ now: Now, _ actions: inout [RouterAction]) {
        guard !jobs.queues.isEmpty, lifecycle == .running, isSettled(at: now.monotonic) else {
            return
        }
        for service in jobs.queues.keys.sorted() {
            while hasRoomForJob(of: service), let id = nextJob(of: service, now) {
                beginJob(id, now, &actions)
            }
        }
    }

    private func nextJob(of service: String, _ now: Now) -> RequestID? {
        jobs.queues[service]?.first { id in
            guard case .waiting(let notBefore)? = jobs[id]?.state else { return false }
            return notBefore <= now.monotonic
        }
    }

    /// Each part has a worker that is free, nobody who waits, and half of its credit for others;
    /// and there is room for the result.
    private func hasRoomForJob(of service: String) -> Bool {
        guard let offers = partNames[service], exchanges.count < configuration.inFlightMax else {
            return false
        }
        let results = (jobs.runningCount + 1) * configuration.jobResultBytesMax
        guard results + jobs.resultBytes <= configuration.jobResultsBytesMax else { return false }
        let running = jobs.runningCount(of: service)
        return offers.allSatisfy { offer in
            guard let part = parts[offer], part.waiting.isEmpty,
                part.workers.contains(where: { workers[$0]?.canTake == true })
            else { return false }
            let credit = part.workers.reduce(0) { $0 + (workers[$1]?.credit ?? 0) }
            return running < max(1, credit / 2)
        }
    }

    private mutating func beginJob(
        _ id: RequestID, _ now: Now, _ actions: inout [RouterAction]
    ) {
        jobs.update(id) { held in
            held.state = .starting
            held.job.starts += 1
        }
        guard jobs[id]?.isDurable == true else { return runJob(id, now, &actions) }
        keepJob(id, &actions)
    }

    mutating func runJob(_ id: RequestID, _ now: Now, _ actions: inout [RouterAction]) {
        guard let held = jobs[id] else { return }
        let offers = partNames[held.job.service] ?? []
        guard lifecycle == .running, !offers.isEmpty, offers.allSatisfy(hasRoom) else {
            // It was long in being kept, and the room is gone.
            return putBack(id, after: Limits.retryAfterMilliseconds, now, &actions)
        }
        let own = RequestKey(client: configuration.identity, id: makeID())
        var request = held.job.request
        request.header.requestID = own.id
        request.header.priority = 0
        request.fields.job = nil
        request.fields.set(.jobKey, nil)
        // Whoever has many of them shares the room with others.
        request.fields.set(.fairnessKey, text: held.job.owner)
        jobs.update(id) { $0.state = .running(own) }
        jobRuns[own] = id
        begin(request, own, held.job.service, offers, now, &actions)
    }

    private mutating func putBack(
        _ id: RequestID, after milliseconds: UInt32, _ now: Now, _ actions: inout [RouterAction]
    ) {
        let notBefore = now.monotonic.adding(milliseconds: milliseconds)
        jobs.update(id) { held in
            held.job.starts = max(0, held.job.starts - 1)
            held.state = .waiting(notBefore: notBefore)
        }
        timers.insert(.jobTurn, at: notBefore)
        if lifecycle != .running { keepJob(id, &actions) }
    }

    // MARK: Answers

    /// Takes the answer to a detached request; whether it was one.
    mutating func takeJobAnswer(
        _ reply: Message, to own: RequestKey, _ now: Now, _ actions: inout [RouterAction]
    ) -> Bool {
        guard own.client == configuration.identity, let id = jobRuns.removeValue(forKey: own)
        else { return false }
        guard let held = jobs[id] else { return true }
        guard let pause = pauseBeforeAnotherTry(reply, held) else {
            endJob(id, with: reply, now, &actions)
            return true
        }
        let isFull = reply.errorCode == .overloaded
        let notBefore = now.monotonic.adding(milliseconds: pause)
        jobs.update(id) { held in
            if !isFull { held.tries += 1 }
            held.job.starts = max(0, held.job.starts - 1)
            held.state = .waiting(notBefore: notBefore)
        }
        timers.insert(.jobTurn, at: notBefore)
        return true
    }

    /// Milliseconds after which what came is worth another try; nil if it is the result.
    private func pauseBeforeAnotherTry(_ reply: Message, _ held: HeldJob) -> UInt64? {
        let isWhole = reply.command == .final && reply.header.flags.contains(.complete)
        let stated: UInt32? = reply.fields.integer(.retryAfter)
        let pause = UInt64(stated ?? 0)
        switch reply.errorCode {
        case nil where isWhole: return nil
        case .overloaded?: return max(pause, 1_000)
        case nil, .deadlineExceeded?, .positionNotReached?:
            guard held.tries + 1 < Limits.jobTriesMax else { return nil }
            return max(pause, 1_000)
        default: return nil
        }
    }

    /// It is over: the result is kept for its time, and told to whoever waits for it.
    mutating func endJob(
        _ id: RequestID, with reply: Message, _ now: Now, _ actions: inout [RouterAction]
    ) {
        var reply = reply
        if reply.byteCount > configuration.jobResultBytesMax {
            let most = configuration.jobResultBytesMax
            reply = .error(.tooLarge, "the result has \(reply.byteCount) bytes; \(most) are kept")
        }
        reply.fields.job = id
        let ended = reply
        jobs.update(id) { held in
            held.state = .ending
            held.job.end(with: ended, at: now.wall)
        }
        wakeJob(id, after: configuration.jobKeptMilliseconds, now)
        keepJob(id, &actions)
        if jobs[id]?.isDurable == false { tellOver(id, &actions) }
    }

    /// The result is kept, or cannot be: it counts.
    mutating func tellOver(_ id: RequestID, _ actions: inout [RouterAction]) {
        guard let reply = jobs[id]?.job.reply else { return }
        jobs.update(id) { $0.state = .over }
        counters.jobsOver += 1
        actions.append(.fact(.jobOver(id, reply.errorCode)))
        for key in takeWaits(for: id, ofAcceptance: false) { answer(key, reply, &actions) }
    }

    /// A stopping router computes nothing that it would have to keep for later.
    mutating func putBackJobs(_ now: Now, _ actions: inout [RouterAction]) {
        for (own, id) in jobRuns.sorted(by: { $0.key.id.low < $1.key.id.low }) {
            jobRuns[own] = nil
            abandon(own, now, &actions)
            putBack(id, after: 0, now, &actions)
        }
        for key in jobWaits.keys.filter({ jobWaits[$0]?.isAcceptance == false }) {
            endWait(key)
            answer(key, .error(.draining, "the router stops"), &actions)
        }
    }
}
