import Foundation
import Messages
import Queue
import ZeroMQ

/// The worker and replica machines with their sockets, the store, and the lanes that compute.
final class WorkerRole: Role {
    /// What other threads tell the role.
    enum Letter: Sendable {
        case finished(JobID, JobResult)
        case applied(Position, ReplicaNews?)
        case loaded(chunk: Int)
        case loadFailed(chunk: Int, String)
        /// Parts of the index wait to be merged.
        case unmerged
        case merged
        case drain
    }

    private let settings: WorkerSettings
    private let mailbox: Mailbox<Letter>
    private let store: ReplicaStore
    private let services: Services
    private let log: Log
    private let computing: Lane
    private let applying: Lane
    private let merging: Lane
    private var worker: Worker
    private var replica: Replica
    private var links: [Dealer] = []
    private let journal: Dealer
    private var stops: [JobID: StopCondition] = [:]
    /// The replica has once held everything that the journal held.
    private var isReady = false
    /// Requests are answered: the replica is ready, and the deployment compares prints of the version
    /// that this program compares.
    private var isAnswering: Bool { isReady && store.content().comparesPrints }
    /// The index is being merged in the background.
    private var isMerging = false
    private(set) var isFinished = false

    /// Connects to the routers and the journal.
    init(
        _ settings: WorkerSettings, store: ReplicaStore, context: Context,
        mailbox: Mailbox<Letter>, log: Log
    ) throws {
        self.settings = settings
        self.mailbox = mailbox
        self.store = store
        self.log = log
        services = Services(store: store, settings: settings)
        worker = Worker(settings.machine, routers: settings.routerURLs.count)
        replica = Replica(settings.replica(from: store.position, store.partialSnapshot))
        computing = Lane(name: "compute", threads: settings.lanes, niceness: 5)
        applying = Lane(name: "replica", niceness: 2)
        merging = Lane(name: "index", niceness: 10)
        journal = try Dealer(settings.journalURL, keys: settings.journalKeys, context: context)
        if store.hasUnmergedIndex { mailbox.post(.unmerged) }
        links = try settings.routerURLs.map {
            try Dealer($0, keys: settings.routerKeys, context: context)
        }
    }

    var sockets: [Socket] { links.flatMap(\.sockets) + journal.sockets }
    var nextWake: MonotonicTime? { [worker.nextWake, replica.nextWake].compactMap { $0 }.min() }

    func receive(from socket: Socket, at now: Now) {
        do {
            if socket === journal.socket {
                try socket.takeMessages { arrival in
                    switch arrival {
                    case .success(let message): step(ReplicaEvent.message(message), now)
                    case .failure(let error): step(ReplicaEvent.malformed(error), now)
                    }
                }
            } else if let link = links.firstIndex(where: { $0.socket === socket }) {
                try socket.takeMessages { arrival in
                    switch arrival {
                    case .success(let message): step(.message(message, link: link), now)
                    case .failure(let error): step(.malformed(error, link: link), now)
                    }
                }
            } else if let dealer = (links + [journal]).first(where: { $0.isMonitor(socket) }) {
                // It tries again for as long as it runs: the key may be allowed later.
                if let refusal = try dealer.takeRefusal() {
                    log.error("worker is not let in", ["reason": "\(refusal)"])
                }
            }
        } catch {
            log.error("worker cannot receive", ["error": "\(error)"])
        }
    }

    func turn(at now: Now) {
        for letter in mailbox.takeAll() {
            switch letter {
            case .finished(let id, let result):
                stops[id] = nil
                step(.finished(id, result), now)
            case .applied(let position, let news):
                step(ReplicaEvent.applied(through: position), now)
                step(.position(position, isReady: isAnswering), now)
                if let news { tell(news, at: position, now) }
            case .loaded(let chunk): step(ReplicaEvent.loaded(chunk: chunk), now)
            case .loadFailed(let chunk, let reason):
                step(ReplicaEvent.loadFailed(chunk: chunk, reason), now)
            case .unmerged: mergeIndex()
            case .merged: isMerging = false
            case .drain: step(WorkerEvent.drain, now)
            }
        }
        if let wake = replica.nextWake, wake <= now.monotonic { step(ReplicaEvent.tick, now) }
        if let wake = worker.nextWake, wake <= now.monotonic { step(WorkerEvent.tick, now) }
    }

    func close() {
        for dealer in links + [journal] { dealer.close() }
        computing.stop()
        store.close()
        merging.stopAndWait()
        applying.run { [store] in store.tidy() }
        applying.stopAndWait()
    }

    // MARK: The worker machine

    private func step(_ event: WorkerEvent, _ now: Now) {
        var events = [event]
        while !events.isEmpty {
            var actions: [WorkerAction] = []
            worker.handle(events.removeFirst(), at: now, into: &actions)
            for action in actions { perform(action, further: &events) }
        }
    }

    private func perform(_ action: WorkerAction, further events: inout [WorkerEvent]) {
        switch action {
        case .send(let message, let link):
            if send(message, through: links[link].socket) != .sent {
                events.append(.undeliverable(link: link))
            }
        case .start(let job): start(job)
        case .cancel(let id): stops[id]?.cancel()
        case .reconnect(let link): reconnect(links[link])
        case .fact(let fact):
            if log.writes(fact.level) { log.write(fact.level, "worker", ["fact": "\(fact)"]) }
        case .stopped: isFinished = true
        }
    }

    private func start(_ job: Job) {
        let stop = StopCondition(deadline: job.deadline)
        stops[job.id] = stop
        let content = store.content()
        computing.run { [services, mailbox] in
            mailbox.post(
                .finished(job.id, services.answer(job.request, from: content, stop: stop)))
        }
    }

    // MARK: The replica machine

    private func step(_ event: ReplicaEvent, _ now: Now) {
        var actions: [ReplicaAction] = []
        replica.handle(event, at: now, into: &actions)
        for action in actions { perform(action, at: now) }
    }

    private func perform(_ action: ReplicaAction, at now: Now) {
        switch action {
        case .send(let message): _ = send(message, through: journal.socket)
        case .apply(let records, let blobs, let through):
            applying.run { [store, mailbox] in
                let news = store.apply(records, blobs: blobs, through: through)
                mailbox.post(.applied(through, news))
                if store.hasUnmergedIndex { mailbox.post(.unmerged) }
            }
        case .load(let chunk):
            applying.run { [store, mailbox] in
                do {
                    try store.load(chunk)
                    mailbox.post(.loaded(chunk: chunk.index))
                    if store.hasUnmergedIndex { mailbox.post(.unmerged) }
                } catch {
                    mailbox.post(.loadFailed(chunk: chunk.index, "\(error)"))
                }
            }
        case .finishSnapshot(let through):
            applying.run { [store, mailbox] in
                store.finishSnapshot(through: through)
                mailbox.post(.applied(through, nil))
            }
        case .replaceKeys(let keys):
            applying.run { [store] in store.replaceKeys(by: keys) }
        case .addKeys(let keys):
            applying.run { [store] in store.add(keys) }
        case .reset(let epoch):
            isReady = false
            // Nothing is answered from what is forgotten.
            step(.position(Position(epoch: epoch, sequence: 0), isReady: false), now)
            services.forgetAll()
            applying.run { [store, mailbox] in
                store.reset(epoch: epoch)
                // Removes the files of the index, too.
                mailbox.post(.unmerged)
            }
        case .reconnect: reconnect(journal)
        case .caughtUp(let position):
            isReady = true
            step(.position(position, isReady: isAnswering), now)
        case .fact(let fact): log.info("replica", ["fact": "\(fact)"])
        }
    }

    /// Routers hear of what their clients may want to know.
    private func tell(_ news: ReplicaNews, at position: Position, _ now: Now) {
        for account in news.endedAccounts { services.forget(account) }
        if !news.endedAccounts.isEmpty { step(.accountsEnded(news.endedAccounts), now) }
        let offersLists = settings.machine.offers.contains {
            ServiceName.lists.contains($0.service)
        }
        guard offersLists, !news.changed.isEmpty else { return }
        step(.changed(news.changed, at: position), now)
    }

    /// Merges in the background, unless that is under way.
    private func mergeIndex() {
        guard !isMerging else { return }
        isMerging = true
        merging.run { [store, mailbox] in
            store.mergeIndex()
            mailbox.post(.merged)
        }
    }

    // MARK: Sockets

    private func send(_ message: Message, through socket: Socket) -> SendResult {
        do {
            return try socket.send(message.frames())
        } catch {
            log.error("worker cannot send", ["error": "\(error)"])
            return .unreachable
        }
    }

    private func reconnect(_ dealer: Dealer) {
        do {
            try dealer.reconnect()
        } catch {
            log.error("worker cannot connect", ["error": "\(error)"])
        }
    }
}

extension WorkerFact {
    /// What happens with each request is counted by the router and not told.
    fileprivate var level: Log.Level {
        switch self {
        case .duplicate, .expired, .unwanted, .creditExceeded: .debug
        case .welcomed, .routerLost, .routerLeft, .replaced, .refused, .malformed: .info
        }
    }
}
