internal import Messages

/// Requests and the jobs made of them.
extension Worker {
    mutating func accept(
        _ request: Message, _ link: Int, _ now: MonotonicTime, _ actions: inout [WorkerAction]
    ) {
        let linked = LinkedRequest(link: link, id: request.header.requestID)
        let isKnown = jobIDs[linked] != nil || recent.contains(linked)
        guard !isKnown || configuration.planted.contains(.duplicateJobStarts) else {
            actions.append(.fact(.duplicate(linked.id)))
            return
        }
        guard lifecycle == .running else {
            reply(.error(.handedBack, "the worker stops"), to: linked, &actions)
            return
        }
        guard isReady else {
            // What it holds is not the whole catalog, so its answer would be wrong.
            reply(.error(.handedBack, "the replica is being built"), to: linked, &actions)
            return
        }
        guard links[link].inFlight < Int(links[link].granted ?? 0) else {
            actions.append(.fact(.creditExceeded(link: link)))
            reply(.error(.handedBack, "beyond the credit"), to: linked, &actions)
            return
        }
        if let code = positionFault(of: request) {
            reply(.error(code, "the journal is another one now"), to: linked, &actions)
            recent.insert(linked)
            return
        }
        let budget = request.header.budgetMilliseconds
        let id = makeJobID()
        let job = Job(
            id: id, link: link, request: request, deadline: now.adding(milliseconds: budget),
            attempt: request.header.attempt)
        // A little before the deadline, so that the router still hears why there is no result.
        let hold = now.adding(milliseconds: budget - min(10, budget / 4))
        jobs[id] = JobState(job: job, holdUntil: hold)
        jobIDs[linked] = id
        recent.insert(linked)
        queue.append(id)
        links[link].inFlight += 1
        timers.insert(id, at: hold)
        timers.insert(id, at: job.deadline)
    }

    /// Gives back everything that has not begun.
    mutating func handBackQueue(_ reason: String, _ actions: inout [WorkerAction]) {
        for id in queue {
            guard let job = jobs[id] else { continue }
            answer(job, .error(.handedBack, reason), &actions)
            forget(id)
        }
        queue = []
    }

    private func positionFault(of request: Message) -> ErrorCode? {
        guard let least = request.fields.leastPosition, let replica else { return nil }
        return least.epoch == replica.epoch ? nil : .epochChanged
    }

    /// The replica is as far as the request demands.
    private func isReached(_ request: Message) -> Bool {
        guard let least = request.fields.leastPosition else { return true }
        guard let replica else { return false }
        return replica.epoch == least.epoch && replica.sequence >= least.sequence
    }

    mutating func startJobs(_ now: MonotonicTime, _ actions: inout [WorkerAction]) {
        guard lifecycle == .running else { return }
        var held: [JobID] = []
        for (place, id) in queue.enumerated() {
            guard running < configuration.concurrency else {
                held += queue[place...]
                break
            }
            guard let state = jobs[id] else { continue }
            guard isReached(state.job.request) else {
                held.append(id)
                continue
            }
            jobs[id]?.stage = .running
            jobs[id]?.startedAt = now
            running += 1
            actions.append(.start(state.job))
        }
        queue = held
    }

    /// Gives up what has no time left.
    mutating func expire(_ now: MonotonicTime, _ actions: inout [WorkerAction]) {
        while let id = timers.pop(dueAt: now) {
            guard let state = jobs[id], !configuration.planted.contains(.expiredJobStarts)
            else { continue }
            switch state.stage {
            case .queued:
                let isHeld = !isReached(state.job.request)
                guard isHeld || now >= state.job.deadline else { continue }
                actions.append(.fact(.expired(state.job.request.header.requestID)))
                let code = isHeld ? ErrorCode.positionNotReached : .deadlineExceeded
                answer(state, .error(code, "no time is left to begin"), &actions)
                forget(id)
                queue.removeAll { $0 == id }
            case .running:
                guard now >= state.job.deadline else { continue }
                actions.append(.fact(.expired(state.job.request.header.requestID)))
                jobs[id]?.stage = .cancelled
                jobs[id]?.endsWith = .deadlineExceeded
                actions.append(.cancel(id))
            case .cancelled: continue
            }
        }
    }

    mutating func cancel(_ id: RequestID, _ link: Int, _ actions: inout [WorkerAction]) {
        let linked = LinkedRequest(link: link, id: id)
        guard let jobID = jobIDs[linked], let state = jobs[jobID] else {
            // Answered also when unknown: the router gives the credit back on it.
            recent.insert(linked)
            reply(.error(.cancelled, "there is no such job"), to: linked, &actions)
            return
        }
        switch state.stage {
        case .queued:
            answer(state, .error(.cancelled, "before it began"), &actions)
            forget(jobID)
            queue.removeAll { $0 == jobID }
        case .running:
            jobs[jobID]?.stage = .cancelled
            jobs[jobID]?.endsWith = .cancelled
            actions.append(.cancel(jobID))
        case .cancelled: break
        }
    }

    mutating func sendPartial(
        _ id: JobID, _ output: JobOutput, _ actions: inout [WorkerAction]
    ) {
        guard let state = jobs[id], state.stage == .running else {
            actions.append(.fact(.unwanted(id)))
            return
        }
        answer(state, Message(.partial, output), &actions)
    }

    mutating func finish(
        _ id: JobID, _ result: JobResult, _ now: MonotonicTime, _ actions: inout [WorkerAction]
    ) {
        guard let state = jobs[id], state.stage != .queued else {
            actions.append(.fact(.unwanted(id)))
            return
        }
        running -= 1
        if state.stage == .cancelled {
            actions.append(.fact(.unwanted(id)))
            if let code = state.endsWith { answer(state, .error(code, "stopped"), &actions) }
        } else {
            if let began = state.startedAt {
                pool.note(jobNanoseconds: now.nanoseconds &- began.nanoseconds)
            }
            switch result {
            case .final(let output): answer(state, Message(.final, output), &actions)
            case .failed(let code, let text, let body, let position, let retryAfter):
                var message = Message.error(
                    code, text, retryAfterMilliseconds: retryAfter)
                message.fields.position = position
                message.body = body
                answer(state, message, &actions)
            }
        }
        forget(id)
    }

    /// Jobs of a router that is gone: nobody waits for them, and nothing is sent about them.
    mutating func abandonJobs(of link: Int, _ actions: inout [WorkerAction]) {
        for id in jobs.keys.sorted(by: { $0.number < $1.number }) {
            guard let state = jobs[id], state.job.link == link else { continue }
            jobIDs[LinkedRequest(link: link, id: state.job.request.header.requestID)] = nil
            switch state.stage {
            case .queued:
                forget(id)
                queue.removeAll { $0 == id }
            case .running:
                jobs[id]?.stage = .cancelled
                jobs[id]?.endsWith = nil
                actions.append(.cancel(id))
            case .cancelled: jobs[id]?.endsWith = nil
            }
        }
    }

    mutating func forget(_ id: JobID) {
        guard let state = jobs.removeValue(forKey: id) else { return }
        links[state.job.link].inFlight -= 1
        let linked = LinkedRequest(
            link: state.job.link, id: state.job.request.header.requestID)
        if jobIDs[linked] == id { jobIDs[linked] = nil }
    }

    func answer(_ state: JobState, _ message: Message, _ actions: inout [WorkerAction]) {
        let linked = LinkedRequest(
            link: state.job.link, id: state.job.request.header.requestID)
        reply(message, to: linked, &actions)
    }

    private func reply(
        _ message: Message, to linked: LinkedRequest, _ actions: inout [WorkerAction]
    ) {
        guard links[linked.link].link.state == .open else { return }
        var message = message
        message.header.requestID = linked.id
        actions.append(.send(message, link: linked.link))
    }
}

extension Message {
    /// A PARTIAL or FINAL from a worker, with the attachments that fit; an ERROR if not even its
    /// items do.
    init(_ command: Command, _ output: JobOutput) {
        let (list, body) = MergeItem.encode(output.items)
        guard max(body.count, list.count + Limits.bodyBytesMax) <= Limits.frameBytesMax else {
            self = .error(
                .tooLarge,
                "the answer has \(body.count) bytes, at most \(Limits.frameBytesMax) fit; ask for "
                    + "fewer at a time")
            return
        }
        var room = Limits.messageBytesMax - body.count - list.count - Limits.bodyBytesMax
        let fitting = output.attachments.prefix(Limits.framesMax - 3).prefix { attachment in
            room -= attachment.bytes.count
            return room >= 0
        }
        self.init(Header(command), body: body, attachments: fitting.map(\.bytes))
        fields.set(.items, list)
        fields.attachmentHashes = fitting.map(\.hash)
        fields.position = output.position
        fields.set(.printVersion, text: output.printVersion)
        fields.set(.stages, text: output.stages)
        fields.set(.nextPage, text: output.nextPage)
        fields.set(.holdsUntil, timestamp: output.holdsUntil)
        fields.set(.listHash, output.listHash?.bytes)
        fields.checked = output.checked
    }
}
