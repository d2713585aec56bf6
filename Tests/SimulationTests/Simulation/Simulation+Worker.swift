import Messages
import Queue
import Service

/// Workers: a worker machine, a replica machine, a store and jobs that take a while.
extension Simulation {
    func addWorker(_ worker: Int) {
        let both = SimulatedSearch.parts
        let parts = [[both[0]], [both[1]], both][worker]
        let identity = Identity(high: 2, low: UInt64(worker))
        let offers =
            parts.map { ServiceOffer(service: SimulatedSearch.service, part: $0) }
            + [
                ServiceOffer(service: SimulatedSearch.prepare),
                ServiceOffer(service: "status", part: "worker-\(worker)"),
                ServiceOffer(service: SimulatedSearch.once, isIdempotent: false),
            ]
        let some = worker == 0 ? ["catalog"] : ["catalog", "calendar"]
        let streams = month == nil ? some : SimulatedMonth.streams
        workers.append(
            WorkerProcess(
                identity: identity, offers: offers, streams: streams,
                machine: makeWorker(worker, identity, offers, generation: 0),
                replica: makeReplica(worker, identity, streams, generation: 0)))
        for link in routers.indices { connect(.worker(worker, link: link)) }
        connect(.replica(worker))
    }

    func makeWorker(
        _ worker: Int, _ identity: Identity, _ offers: [ServiceOffer], generation: Int
    ) -> Worker {
        var configuration = WorkerConfiguration(
            identity: identity, incarnation: UInt64(generation) + 1, name: "worker-\(worker)",
            offers: offers, credit: 4, concurrency: 2)
        configuration.planted = planted
        return Worker(configuration, routers: routers.count)
    }

    func makeReplica(
        _ worker: Int, _ identity: Identity, _ streams: [String], generation: Int
    ) -> Replica {
        let store = workers.indices.contains(worker) ? workers[worker].store : SimulatedStore()
        let kept = month?.stores[worker]
        var configuration = ReplicaConfiguration(
            identity: identity, incarnation: UInt64(generation) + 1, streams: streams,
            position: kept.map(\.position) ?? store.position,
            partialSnapshot: kept.map(\.partialSnapshot) ?? store.partialSnapshot)
        configuration.planted = planted
        return Replica(configuration)
    }

    // MARK: The worker machine

    func step(worker: Int, _ event: WorkerEvent) {
        guard workers[worker].isUp else { return }
        var actions: [WorkerAction] = []
        workers[worker].machine.handle(event, at: clock(3 + worker), into: &actions)
        for action in actions { perform(action, worker: worker) }
        if workers[worker].machine.isDraining,
            workers[worker].machine.jobCount > workers[worker].machine.runningCount
        {
            checker.fail("worker \(worker) keeps what it has not begun", at: now)
        }
        if workers[worker].machine.runningCount > 2 {
            checker.fail("more than 2 jobs run", at: now)
        }
        if workers[worker].isUp {
            schedule(.worker(worker), workers[worker].machine.nextWake)
        }
    }

    private func perform(_ action: WorkerAction, worker: Int) {
        switch action {
        case .send(let message, let link): send(message, from: .worker(worker, link: link))
        case .start(let job): start(job, worker)
        case .cancel(let id):
            events.insert(
                .jobEnds(worker, generation: workers[worker].generation, id),
                at: now + below(20) * Self.millisecond)
        case .reconnect(let link):
            checkReconnection(worker, link: link)
            connect(.worker(worker, link: link))
        case .stopped:
            takeDown(.worker(worker))
            events.insert(.restart(.worker(worker)), at: now + below(300) * Self.millisecond)
        case .fact: break
        }
    }

    private func start(_ job: Job, _ worker: Int) {
        let generation = workers[worker].generation
        if job.deadline.nanoseconds <= now { checker.fail("an expired job starts", at: now) }
        let name = "\(worker) \(generation) \(job.link) \(job.request.header.requestID)"
        if !checker.started.insert(name).inserted { checker.fail("a job starts twice", at: now) }
        checkPicture(of: job)
        workers[worker].jobs[job.id] = SimulatedJob(
            job: job, position: workers[worker].store.position)
        let isLong = !isCalm && happens(1, in: 10)
        let duration = (1 + below(isLong ? 400 : 20)) * Self.millisecond
        if happens(1, in: 3) {
            events.insert(
                .jobHasPart(worker, generation: generation, job.id), at: now + duration / 2)
        }
        events.insert(.jobEnds(worker, generation: generation, job.id), at: now + duration)
    }

    /// A picture is decoded once for both parts, however often each of them is tried.
    private func checkPicture(of job: Job) {
        guard let attached = job.request.attachments.first else { return }
        let service = job.request.fields.text(.service) ?? ""
        guard job.request.fields[.preparedQuery] == nil else {
            if attached.first != 0xAA { checker.fail("\(job.part) gets another query", at: now) }
            return
        }
        let router = routers[job.link].generation
        let key = "\(job.link) \(router) \(attached)"
        checker.decoders[key, default: []].insert(service + job.part)
        guard !checker.unprepared.contains(attached) else { return }
        if let count = checker.decoders[key]?.count, count > 1 {
            checker.fail("a picture is decoded by \(count) parts", at: now)
        }
    }

    private func output(_ started: SimulatedJob, isFirstHalf: Bool?) -> JobOutput {
        let (job, position) = (started.job, started.position)
        let service = job.request.fields.text(.service)
        if service == SimulatedSearch.prepare, let picture = job.request.attachments.first {
            let query = SimulatedSearch.prepared(picture)
            return JobOutput(
                items: [], attachments: [(query.hash, query.bytes)], position: position)
        }
        guard service == SimulatedSearch.service else {
            return JobOutput(items: [], position: position)
        }
        let question = SimulatedSearch.question(of: job.request)
        var items = SimulatedSearch.items(question: question, part: job.part)
        let half = items.count / 2
        if isFirstHalf == true { items = Array(items.prefix(half)) }
        if isFirstHalf == nil {
            items.append(
                SimulatedSearch.positionItem(part: job.part, at: position?.sequence ?? 0))
        }
        return JobOutput(items: items, position: position)
    }

    func sendPartial(_ worker: Int, _ generation: Int, _ id: JobID) {
        let event = SimulatedEvent.jobHasPart(worker, generation: generation, id)
        guard workers[worker].isUp, workers[worker].generation == generation,
            let job = workers[worker].jobs[id], !isPaused(.worker(worker), event)
        else { return }
        step(worker: worker, .partial(id, output(job, isFirstHalf: true)))
    }

    func endJob(_ worker: Int, _ generation: Int, _ id: JobID) {
        let event = SimulatedEvent.jobEnds(worker, generation: generation, id)
        guard workers[worker].isUp, workers[worker].generation == generation,
            let job = workers[worker].jobs[id], !isPaused(.worker(worker), event)
        else { return }
        workers[worker].jobs[id] = nil
        let fails = happens(faults.failingJobs, in: 100)
        let result: JobResult =
            fails
            ? .failed(
                .internalFault, "a simulated fault", body: [],
                retryAfterMilliseconds: [nil, nil, 50, Message.neverAgain][Int(below(4))])
            : .final(output(job, isFirstHalf: nil))
        step(worker: worker, .finished(id, result))
    }

    // MARK: The replica machine

    func step(replica worker: Int, _ event: ReplicaEvent) {
        guard workers[worker].isUp else { return }
        var actions: [ReplicaAction] = []
        workers[worker].replica.handle(event, at: clock(3 + worker), into: &actions)
        for action in actions { perform(action, replica: worker) }
        schedule(.replica(worker), workers[worker].replica.nextWake)
    }

    private func perform(_ action: ReplicaAction, replica worker: Int) {
        switch action {
        case .send(let message): send(message, from: .replica(worker))
        case .apply(let records, _, let through):
            events.insert(
                .applied(worker, generation: workers[worker].generation, records, through),
                at: now + below(5) * Self.millisecond)
        case .load(let chunk):
            events.insert(
                .loaded(worker, generation: workers[worker].generation, chunk),
                at: now + below(5) * Self.millisecond)
        case .finishSnapshot(let through):
            events.insert(
                .finished(worker, generation: workers[worker].generation, through),
                at: now + below(5) * Self.millisecond)
        case .replaceKeys(let keys): month?.stores[worker].replaceKeys(by: keys)
        case .addKeys(let keys): month?.stores[worker].add(keys)
        case .reset(let epoch):
            month?.stores[worker].reset(epoch: epoch)
            workers[worker].store = SimulatedStore()
            workers[worker].isCaughtUp = false
            step(
                worker: worker,
                .position(Position(epoch: epoch, sequence: 0), isReady: false))
        case .reconnect: connect(.replica(worker))
        case .caughtUp(let position):
            workers[worker].isCaughtUp = true
            step(worker: worker, .position(position, isReady: true))
        case .fact: break
        }
    }

    func applied(_ worker: Int, _ generation: Int, _ records: [Record], _ through: Position) {
        let event = SimulatedEvent.applied(worker, generation: generation, records, through)
        guard workers[worker].isUp, workers[worker].generation == generation,
            !isPaused(.worker(worker), event)
        else { return }
        if let month {
            _ = month.stores[worker].apply(records, blobs: [], through: through)
        } else {
            keep(records, worker)
        }
        workers[worker].store.position = through
        let isReady = workers[worker].isCaughtUp
        step(worker: worker, .position(through, isReady: isReady))
        step(replica: worker, .applied(through: through))
    }

    /// Some chunks are damaged on their way.
    func loaded(_ worker: Int, _ generation: Int, _ chunk: SnapshotChunk) {
        let event = SimulatedEvent.loaded(worker, generation: generation, chunk)
        guard workers[worker].isUp, workers[worker].generation == generation,
            !isPaused(.worker(worker), event)
        else { return }
        guard !happens(1, in: 30), load(chunk, worker) else {
            return step(replica: worker, .loadFailed(chunk: chunk.index, "a simulated fault"))
        }
        workers[worker].store.partialSnapshot = chunk.snapshot
        step(replica: worker, .loaded(chunk: chunk.index))
    }

    private func load(_ chunk: SnapshotChunk, _ worker: Int) -> Bool {
        if let month { return (try? month.stores[worker].load(chunk)) != nil }
        guard let records = try? Record.decodeList(chunk.bytes) else { return false }
        keep(records, worker)
        return true
    }

    func finished(_ worker: Int, _ generation: Int, _ through: Position) {
        let event = SimulatedEvent.finished(worker, generation: generation, through)
        guard workers[worker].isUp, workers[worker].generation == generation,
            !isPaused(.worker(worker), event)
        else { return }
        workers[worker].store.partialSnapshot = nil
        month?.stores[worker].finishSnapshot(through: through)
        applied(worker, generation, [], through)
    }

    private func keep(_ records: [Record], _ worker: Int) {
        for record in records {
            let sequence = record.position?.sequence ?? 0
            if let last = workers[worker].store.sequences.last, sequence <= last {
                checker.fail("record \(sequence) is applied behind \(last)", at: now)
            }
            workers[worker].store.sequences.append(sequence)
            workers[worker].store.changes.append(SimulatedDisk.change(of: record))
        }
    }
}
