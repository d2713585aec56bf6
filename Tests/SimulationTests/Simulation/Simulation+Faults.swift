import Journal
import Messages
import Queue

/// Crashes, restarts, broken connections, pauses and orderly stops; and their end.
extension Simulation {
    func makeFault() {
        guard !isCalm else { return }
        events.insert(.fault, at: now + below(2 * faults.faultEvery) * Self.millisecond)
        let worker = Int(below(UInt64(workers.count)))
        let router = Int(below(UInt64(routers.count)))
        let client = Int(below(UInt64(clients.count)))
        switch below(14) {
        case 0..<3: crash(.worker(worker))
        case 3: crash(.router(router))
        case 4: crash(.journal)
        case 5: crash(.client(client))
        case 6..<9:
            let endpoints: [Endpoint] = [
                .client(client), .worker(worker, link: router), .replica(worker),
                .routerToJournal(router),
            ]
            connect(endpoints[Int(below(4))])
        case 9, 10: pause(.worker(worker))
        case 11: pause(happens(1, in: 2) ? .router(router) : .journal)
        case 12:
            // Who stands still does not hear that it is to stop.
            guard workers[worker].isUp, pausedUntil[.worker(worker)] ?? 0 <= now else { return }
            events.insert(
                .stopLimit(worker, generation: workers[worker].generation),
                at: now + 3_000 * Self.millisecond)
            step(worker: worker, .drain)
        default: if pausedUntil[.router(router)] ?? 0 <= now { step(router: router, .drain) }
        }
    }

    private func pause(_ node: Node) {
        pausedFrom[node] = now
        pausedUntil[node] = now + below(1_200) * Self.millisecond
    }

    private func crash(_ node: Node) {
        guard isUp(node) else { return }
        takeDown(node)
        events.insert(.restart(node), at: now + below(500) * Self.millisecond)
    }

    /// The process is gone, and every connection to and from it.
    func takeDown(_ node: Node) {
        switch node {
        case .router(let router):
            routers[router].isUp = false
            routers[router].folderIsBusyUntil = now
            routers[router].generation += 1
            connect(.routerToJournal(router))
            for client in clients.indices where clients[client].router == router {
                connect(.client(client))
            }
            for worker in workers.indices { connect(.worker(worker, link: router)) }
        case .journal:
            crashJournal()
            journal.isUp = false
            journal.generation += 1
            for router in routers.indices { connect(.routerToJournal(router)) }
            for worker in workers.indices { connect(.replica(worker)) }
        case .worker(let worker), .replica(let worker):
            workers[worker].isUp = false
            workers[worker].generation += 1
            workers[worker].jobs = [:]
            for link in routers.indices { connect(.worker(worker, link: link)) }
            connect(.replica(worker))
        case .client(let client):
            clients[client].isUp = false
            clients[client].generation += 1
            for (ticket, open) in checker.submissions
            where open.client == client && open.outcomes == 0 {
                checker.submissions[ticket] = nil
                month?.lost(ticket)
            }
            connect(.client(client))
        }
    }

    func restart(_ node: Node) {
        guard !isUp(node) else { return }
        switch node {
        case .router(let router):
            let generation = routers[router].generation
            routers[router].machine = makeRouter(
                router, generation: generation, routers[router].disk)
            routers[router].isUp = true
            step(router: router, .tick)
        case .journal:
            if !isCalm, month == nil, happens(1, in: 3) {
                let kept = Int(below(UInt64(journal.disk.records.count + 1)))
                journal.disk.restore(keeping: kept, epoch: journal.disk.epoch + 1)
            }
            journal.machine = Self.makeJournal(journal.generation, journal.disk, month)
            journal.isUp = true
        case .worker(let worker), .replica(let worker): restartWorker(worker)
        case .client(let client):
            let generation = clients[client].generation
            clients[client].machine = makeClient(
                clients[client].identity, generation: generation)
            clients[client].lastAcknowledged = nil
            clients[client].isUp = true
            step(client: client, .tick)
        }
    }

    private func restartWorker(_ worker: Int) {
        let old = workers[worker]
        do {
            try month?.restart(worker, onEmptyDisk: happens(1, in: 8))
        } catch {
            checker.fail("the store of worker \(worker) cannot be opened: \(error)", at: now)
        }
        workers[worker].machine = makeWorker(
            worker, old.identity, old.offers, generation: old.generation)
        workers[worker].replica = makeReplica(
            worker, old.identity, old.streams, generation: old.generation)
        workers[worker].isCaughtUp = false
        workers[worker].isUp = true
        step(worker: worker, .tick)
        step(replica: worker, .tick)
    }

    /// Everything runs again and nothing goes wrong any more.
    func heal() {
        isCalm = true
        faults.heal()
        for node in nodes where !isUp(node) { restart(node) }
        for client in clients.indices where month == nil {
            for turn in 0..<3 {
                events.insert(
                    .calmRequest(client),
                    at: now + Self.settling + UInt64(turn * 97 + client * 13) * Self.millisecond)
            }
            events.insert(
                .jobQuestions(client), at: now + Self.settling + UInt64(client) * Self.millisecond)
        }
        events.insert(.end, at: now + Self.settling + 3_000 * Self.millisecond)
    }

    func checkEnd() {
        for (ticket, open) in checker.submissions.sorted(by: { $0.key < $1.key })
        where open.outcomes == 0 {
            checker.fail("ticket \(ticket) has no outcome", at: now)
        }
        for router in routers.map(\.machine) {
            if router.inFlightCount + router.waitingCount + router.dispatchCount != 0
                || router.pendingChangeCount != 0
            {
                checker.fail("a router that is not empty at the end", at: now)
            }
            for load in router.workerLoads where load.inFlight != 0 {
                checker.fail("credit that never came back", at: now)
            }
        }
        guard let month else { return checkRecords() }
        for worker in workers.indices {
            if let fault = month.fault(of: worker) { checker.fail(fault, at: now) }
        }
    }

    private func checkRecords() {
        let disk = journal.disk
        for (position, change) in checker.acknowledged where position.epoch == disk.epoch {
            let place = Int(position.sequence) - 1
            if !disk.records.indices.contains(place)
                || SimulatedDisk.change(of: disk.records[place]) != change
            {
                checker.fail("acknowledged change \(change) is not at \(position)", at: now)
            }
        }
        for (position, change) in checker.acknowledged where position.epoch == 0 {
            checker.fail("change \(change) was acknowledged by no journal", at: now)
        }
        for (index, worker) in workers.enumerated() {
            let wanted = disk.records.filter {
                worker.streams.contains($0.kind?.stream ?? "")
            }.map(SimulatedDisk.change)
            if worker.store.changes != wanted || worker.store.position != disk.head {
                checker.fail("replica \(index) does not hold the journal's records", at: now)
            }
        }
    }
}
