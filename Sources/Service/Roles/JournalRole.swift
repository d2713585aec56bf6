import Bytes
import Journal
import Messages
import ZeroMQ

/// The journal machine with its socket, and the threads that touch the disk.
final class JournalRole: Role {
    /// What other threads tell the role.
    enum Letter: Sendable {
        case event(JournalEvent)
        case gateMoved
        /// The list of allowed keys was read again; these are the user ids in it.
        case allowed(Set<String>)
        /// A snapshot was made, or could not be.
        case snapshotEnded(made: Bool)
        case drain
    }

    private var machine: JournalServer
    private let backend: any JournalBackend
    private let socket: Socket
    private let mailbox: Mailbox<Letter>
    private let writer: Lane
    private let reader: Lane
    private let snapshots: Lane
    private let settings: JournalSettings
    private let stop = StopCondition()
    private var isMakingSnapshot = false
    private let gate: PositionGate?
    private let log: Log
    private var received: [SharedBytes] = []
    private var actions: [JournalAction] = []
    private var revoked = RevokedPeers()
    private var isDraining = false
    private var appendsUnderWay = 0

    /// Binds the journal's endpoints.
    ///
    /// A gate lets replicas see the journal up to a position only, as a replay needs it.
    init(
        _ settings: JournalSettings, backend: any JournalBackend, context: Context,
        mailbox: Mailbox<Letter>, gate: PositionGate? = nil, log: Log
    ) throws {
        machine = JournalServer(
            configuration: settings.machine, head: gate?.head(of: backend) ?? backend.head,
            holdings: Self.holdings(of: backend, gate))
        self.settings = settings
        self.backend = backend
        self.mailbox = mailbox
        self.gate = gate
        self.log = log
        socket = try .bound(settings.urls, context, settings.serverKeys, .journal)
        writer = Lane(name: "journal-writer")
        reader = Lane(name: "journal-reader")
        snapshots = Lane(name: "snapshots", niceness: 10)
        makeSnapshotIfDue()
        declareZoneDataIfChanged()
    }

    var sockets: [Socket] { [socket] }
    var nextWake: MonotonicTime? { machine.nextWake }
    var isFinished: Bool { isDraining && appendsUnderWay == 0 }

    func receive(from socket: Socket, at now: Now) {
        do {
            try socket.takeRouted(through: &received) { routingID, arrival in
                switch arrival {
                case .success(let message): step(.message(message, from: routingID), now)
                case .failure(let error): step(.malformed(error, from: routingID), now)
                case nil: cutOff(routingID, now)
                }
            }
        } catch {
            log.error("journal cannot receive", ["error": "\(error)"])
        }
    }

    func turn(at now: Now) {
        for letter in mailbox.takeAll() {
            switch letter {
            case .event(let event):
                switch event {
                case .appended, .appendFailed: appendsUnderWay -= 1
                default: break
                }
                step(event, now)
                makeSnapshotIfDue()
            case .gateMoved:
                if let gate { step(.appended([], head: gate.head(of: backend)), now) }
            case .allowed(let ids):
                socket.allowedUserIDs = ids
                revoked = RevokedPeers()
            case .snapshotEnded(let made):
                isMakingSnapshot = false
                if made { step(.holds(holdings), now) }
            case .drain:
                isDraining = true
                step(.drain, now)
            }
        }
        if let wake = machine.nextWake, wake <= now.monotonic { step(.tick, now) }
    }

    func close() {
        socket.close()
        stop.cancel()
        writer.stop()
        reader.stop()
        snapshots.stopAndWait()
    }

    /// A peer whose key was revoked has left, whatever it sends.
    private func cutOff(_ routingID: [UInt8], _ now: Now) {
        guard revoked.isNew(routingID) else { return }
        step(.message(Message(Header(.bye)), from: routingID), now)
        // It may be gone already, which is as well.
        var further: [JournalEvent] = []
        perform(.send(RevokedPeers.word, to: routingID), further: &further)
    }

    private func step(_ event: JournalEvent, _ now: Now) {
        var events = [event]
        while !events.isEmpty {
            actions.removeAll(keepingCapacity: true)
            machine.handle(events.removeFirst(), at: now, into: &actions)
            for action in actions { perform(action, further: &events) }
        }
    }

    private func perform(_ action: JournalAction, further events: inout [JournalEvent]) {
        switch action {
        case .send(let message, let routingID):
            do {
                let result = try socket.send([routingID] + message.frames())
                if result != .sent { events.append(.undeliverable(routingID)) }
            } catch {
                log.error("journal cannot send", ["error": "\(error)"])
            }
        case .append(let group): append(group)
        case .read(let ticket, let after, let recordsMax, let bytesMax, let streams):
            read(ticket, after, recordsMax, bytesMax, streams)
        case .keys(let account, let after, let question): lookUpKeys(account, after, for: question)
        case .fetch(let snapshot, let first, let streams, let question):
            fetch(snapshot, from: first, streams, for: question)
        // One for each group would be most of what the log says.
        case .fact(.stored): break
        case .fact(let fact): log.info("journal", ["fact": "\(fact)"])
        }
    }

    /// Stores a group on the writing thread; the machine has one group under way at a time.
    private func append(_ group: [(ticket: Int, entry: JournalEntry)]) {
        appendsUnderWay += 1
        writer.run { [backend, mailbox, settings] in
            do {
                let entries = group.map(\.entry)
                let declared = ZoneDeclaration.entries(
                    before: entries, in: backend, own: settings.zoneData)
                let outcomes = try backend.append(declared + entries).dropFirst(declared.count)
                let answers = zip(group, outcomes).map { (ticket: $0.ticket, outcome: $1) }
                let bodies = UnappliedParts.bodies(of: group, outcomes)
                mailbox.post(.event(.appended(answers, head: backend.head, bodies: bodies)))
            } catch {
                mailbox.post(.event(.appendFailed(group.map(\.ticket), "\(error)")))
            }
        }
    }

    /// A journal that is started with other time zone data than before says so at once.
    private func declareZoneDataIfChanged() {
        guard gate == nil, let own = settings.zoneData, let known = backend.zoneData, known != own
        else { return }
        append([])
    }

    /// Reads a TAIL's records and blobs on the reading thread, up to the gate if there is one.
    private func read(
        _ ticket: Int, _ after: UInt64, _ recordsMax: Int, _ bytesMax: Int, _ streams: Set<String>
    ) {
        reader.run { [backend, mailbox, gate] in
            do {
                var part = try backend.tail(
                    after: after, recordsMax: recordsMax, bytesMax: bytesMax, streams: streams)
                part.records = part.records.filter { gate?.lets($0) ?? true }
                mailbox.post(.event(.read(ticket, part)))
            } catch {
                mailbox.post(.event(.readFailed(ticket, "\(error)")))
            }
        }
    }

    private func lookUpKeys(_ account: String?, _ after: KeyID?, for question: JournalQuestion) {
        reader.run { [backend, mailbox] in
            let keyring = backend.keyring
            let keys: [AccountKey]
            if let account {
                keys = keyring.keys(of: account)
            } else {
                let all = keyring.all
                keys = after.map { last in all.filter { $0.id > last } } ?? all
            }
            let page = Array(keys.prefix(Limits.keyringKeysMax))
            let isLast = page.count == keys.count
            mailbox.post(.event(.keys(page, isLast: isLast, for: question)))
        }
    }

    private func fetch(
        _ id: ContentHash, from first: Int, _ streams: Set<String>, for question: JournalQuestion
    ) {
        reader.run { [backend, mailbox] in
            do {
                guard let snapshot = backend.snapshots.last(where: { $0.id == id }) else {
                    return mailbox.post(.event(.chunk(nil, for: question)))
                }
                let index = snapshot.firstChunk(from: first, in: streams)
                let bytes = try backend.chunk(index, of: id) ?? []
                let chunk = FetchedChunk(snapshot: snapshot, index: index, bytes: bytes)
                mailbox.post(.event(.chunk(chunk, for: question)))
            } catch {
                mailbox.post(.event(.answerFailed("\(error)", for: question)))
            }
        }
    }

    // MARK: Snapshots

    /// What a replica can be given; behind a gate only what is not newer than it.
    private static func holdings(
        of backend: any JournalBackend, _ gate: PositionGate?
    ) -> JournalHoldings {
        let head = gate?.head(of: backend).sequence ?? .max
        let snapshot = backend.snapshots.last { $0.position.sequence <= head }
        return JournalHoldings(
            firstSequence: backend.firstSequence, snapshot: snapshot.map { SnapshotOffer($0) })
    }
    private var holdings: JournalHoldings { Self.holdings(of: backend, gate) }

    /// Makes a snapshot once enough records stand behind the newest one, and removes what is then
    /// no longer needed.
    private func makeSnapshotIfDue() {
        guard gate == nil, !isMakingSnapshot, !isDraining, machine.stopReason == nil else { return }
        let newest = backend.snapshots.last?.position.sequence ?? 0
        guard backend.head.sequence >= newest + UInt64(settings.snapshotRecords) else { return }
        isMakingSnapshot = true
        snapshots.run { [backend, mailbox, log, stop, settings] in
            var made = false
            do {
                let snapshot = try SnapshotMaker(backend).make { stop.isStopped }
                made = snapshot != nil
                if made { _ = try backend.compact(settings.retention, now: SystemClock.wall()) }
            } catch {
                log.error("no snapshot", ["error": "\(error)"])
            }
            mailbox.post(.snapshotEnded(made: made))
        }
    }
}
