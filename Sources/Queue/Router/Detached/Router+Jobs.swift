internal import Messages

/// Detached requests at the door: accepted at once, and for good only once they are kept.
extension Router {
    mutating func submitJob(
        _ message: Message, _ service: String, _ key: RequestKey, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        if let refusal = refusalOfJob(message, service, now) {
            if refusal.errorCode == .unknownService { counters.unroutable += 1 }
            return refuse(refusal, key, service, &actions)
        }
        let fingerprint = keyedHash(Self.fingerprintInput(message))
        let named = Self.named(message, by: key)
        if let name = JobKey(named), let id = jobs.keys[name], let held = jobs[id],
            !configuration.planted.contains(.jobKeyIsIgnored)
        {
            guard held.job.fingerprint == fingerprint else {
                let text = "the key '\(name.key)' names another request; a key is for one question"
                return refuse(.error(.badRequest, text), key, service, &actions)
            }
            return tellAccepted(held, key, now, &actions)
        }
        let owner = message.fields.text(.fairnessKey) ?? key.client.description
        if let refusal = fullOfJobs(message, owner) {
            return refuse(refusal, key, service, &actions)
        }
        let job = makeJob(named, key: message.fields.text(.jobKey), owner, fingerprint, now)
        let isDurable = configuration.keepsJobs && job.account == nil
        counters.jobs += 1
        jobs.insert(
            HeldJob(
                job: job,
                state: isDurable ? .accepting : .waiting(notBefore: now.monotonic),
                isDurable: isDurable))
        wakeJob(job.id, after: configuration.jobWaitMilliseconds, now)
        actions.append(.fact(.jobAccepted(job.id, service: service)))
        keepJob(job.id, &actions)
        if let held = jobs[job.id] { tellAccepted(held, key, now, &actions) }
    }

    /// The request under its key, or under its own name: a client sends it again over another
    /// connection, to a router that may have begun anew, as long as it does not know that it was
    /// accepted.
    private static func named(_ message: Message, by key: RequestKey) -> Message {
        guard message.fields[.jobKey] == nil else { return message }
        var message = message
        message.fields.set(.jobKey, text: "\(key.client)/\(key.id)")
        return message
    }

    private mutating func makeJob(
        _ message: Message, key: String?, _ owner: String, _ fingerprint: ContentHash, _ now: Now
    ) -> DetachedRequest {
        var request = message
        request.header.flags.remove(.detached)
        request.header.requestID = .zero
        if !configuration.allowsClientAsOf || request.fields.asOf == nil {
            request.fields.asOf = now.wall
        }
        let seed = Array("job".utf8) + configuration.identity.bytes + makeID().bytes
        let id = RequestID(bytes: Array(keyedHash(seed).bytes.prefix(16))) ?? makeID()
        return DetachedRequest(
            id: id, key: key, owner: owner, fingerprint: fingerprint,
            request: request, submittedAt: now.wall)
    }

    /// What is asked, each value preceded by its length.
    private static func fingerprintInput(_ message: Message) -> [UInt8] {
        let types: [FieldType] = [
            .service, .catalog, .account, .limit, .printVersion, .attachments,
        ]
        return (types.map { message.fields[$0] } + [message.body]).reduce(into: []) {
            $0.append($1 == nil ? 0 : 1)
            $0 += bigEndianBytes(UInt32($1?.count ?? 0)) + ($1 ?? [])
        }
    }

    private func refusalOfJob(_ message: Message, _ service: String, _ now: Now) -> Message? {
        if OwnService.isAnsweredHere(service) || service == OwnService.status {
            return .error(.badRequest, "\(service) is answered at once and cannot be detached")
        }
        if isSettled(at: now.monotonic), partNames[service] == nil {
            return .error(.unknownService, "no worker offers \(service)")
        }
        return nil
    }

    private func fullOfJobs(_ message: Message, _ owner: String) -> Message? {
        let isUnbounded = configuration.planted.contains(.jobsAreUnbounded)
        if jobs.count >= configuration.jobsMax {
            return overloaded("\(configuration.jobsMax) detached requests are held")
        }
        if jobs.count(of: owner) >= configuration.jobsPerClientMax, !isUnbounded {
            let most = configuration.jobsPerClientMax
            return overloaded("the client has \(most) detached requests")
        }
        if jobs.requestBytes + message.byteCount > configuration.jobRequestBytesMax {
            return overloaded("\(configuration.jobRequestBytesMax) bytes are detached")
        }
        return nil
    }

    /// Says that it is accepted, or lets the client wait until it is kept.
    private mutating func tellAccepted(
        _ held: HeldJob, _ key: RequestKey, _ now: Now, _ actions: inout [RouterAction]
    ) {
        let isEarly = configuration.planted.contains(.jobIsAcceptedBeforeKept)
        guard held.state != .accepting || isEarly else {
            return waitForJob(held.job.id, key, isAcceptance: true, now, &actions)
        }
        answer(key, acceptance(of: held), &actions)
    }

    private func acceptance(of held: HeldJob) -> Message {
        let json = JSONValue.object([
            "job": .string(held.job.id.description), "state": .string(held.stateName),
            "durable": .bool(held.isDurable),
            "waitMilliseconds": .integer(configuration.jobWaitMilliseconds),
            "keptMilliseconds": .integer(configuration.jobKeptMilliseconds),
        ])
        let item = MergeItem(
            sortKey: [0], unionKey: held.job.id.bytes, json: json.canonical())
        var fields = Fields()
        fields.job = held.job.id
        fields.asOf = held.job.request.fields.asOf
        return Self.final(
            [item], limit: 1, fields: fields, attachments: [:], isComplete: true)
    }

    // MARK: Keeping

    /// Lets what there is of a job be kept, if it is to outlive the router.
    mutating func keepJob(_ id: RequestID, _ actions: inout [RouterAction]) {
        guard let held = jobs[id], held.isDurable else { return }
        let write = makeNumber()
        jobs.update(id) { $0.write = write }
        actions.append(.keepJob(held.job, write: write))
    }

    /// What was to be kept is kept, or cannot be.
    mutating func jobKept(
        _ id: RequestID, _ write: UInt64, _ failure: String?, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        guard let held = jobs[id], held.write == write else { return }
        jobs.update(id) { $0.write = nil }
        if let failure { actions.append(.fact(.jobNotKept(id, failure))) }
        switch held.state {
        case .accepting:
            let waits = takeWaits(for: id, ofAcceptance: true)
            if let failure {
                removeJob(id, now, &actions)
                let text = "the request cannot be kept: \(failure)"
                for key in waits { answer(key, .error(.internalFault, text), &actions) }
                return
            }
            jobs.update(id) { $0.state = .waiting(notBefore: now.monotonic) }
            guard let held = jobs[id] else { return }
            for key in waits { answer(key, acceptance(of: held), &actions) }
        case .starting: runJob(id, now, &actions)
        case .ending: tellOver(id, &actions)
        case .waiting, .running, .over: break
        }
    }

    /// Forgets a job, and stops what computes it.
    mutating func removeJob(
        _ id: RequestID, _ now: Now, _ actions: inout [RouterAction]
    ) {
        guard let held = jobs.remove(id) else { return }
        if case .running(let own) = held.state {
            jobRuns[own] = nil
            abandon(own, now, &actions)
        }
        if held.isDurable { actions.append(.forgetJob(id)) }
        for key in takeWaits(for: id, ofAcceptance: false) {
            answer(key, Self.unknownJob, &actions)
        }
    }

    mutating func removeJobs(
        of account: String, _ now: Now, _ actions: inout [RouterAction]
    ) {
        for id in jobs.ids(where: { $0.job.account == account }) {
            removeJob(id, now, &actions)
        }
    }

    static var unknownJob: Message {
        .error(
            .notFound,
            "there is no such detached request here: its result is no longer kept, it was "
                + "dropped, or its router ended without having kept it; submit it again")
    }
}
