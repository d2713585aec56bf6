import Journal
import Messages
import ZeroMQ

/// The journal machine with its socket, and the threads that touch the disk.
final class JournalRole: Role {
    /// What other threads tell the role.
    enum Letter: Sendable {
        case event(JournalEvent)
        case gateMoved
        case drain
    }

    private var machine: JournalServer
    private let backend: any JournalBackend
    private let socket: Socket
    private let mailbox: Mailbox<Letter>
    private let writer: Lane
    private let reader: Lane
    private let gate: PositionGate?
    private let log: Log
    private var actions: [JournalAction] = []
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
            configuration: settings.machine, head: gate?.head(of: backend) ?? backend.head)
        self.backend = backend
        self.mailbox = mailbox
        self.gate = gate
        self.log = log
        socket = try Socket(context, .router, options: .sightline(mandatory: true))
        for url in settings.urls { _ = try socket.bind(url) }
        writer = Lane(name: "journal-writer")
        reader = Lane(name: "journal-reader")
    }

    var sockets: [Socket] { [socket] }
    var nextWake: MonotonicTime? { machine.nextWake }
    var isFinished: Bool { isDraining && appendsUnderWay == 0 }

    func receive(from socket: Socket, at now: Now) {
        do {
            try socket.takeRouted { routingID, arrival in
                switch arrival {
                case .success(let message): step(.message(message, from: routingID), now)
                case .failure(let error): step(.malformed(error, from: routingID), now)
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
            case .gateMoved:
                if let gate { step(.appended([], head: gate.head(of: backend)), now) }
            case .drain:
                isDraining = true
                step(.drain, now)
            }
        }
        if let wake = machine.nextWake, wake <= now.monotonic { step(.tick, now) }
    }

    func close() {
        socket.close()
        writer.stop()
        reader.stop()
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
        case .fact(let fact): log.info("journal", ["fact": "\(fact)"])
        }
    }

    /// Stores a group on the writing thread; the machine has one group under way at a time.
    private func append(_ group: [(ticket: Int, entry: JournalEntry)]) {
        appendsUnderWay += 1
        writer.run { [backend, mailbox] in
            do {
                let outcomes = try backend.append(group.map(\.entry))
                let answers = zip(group, outcomes).map { (ticket: $0.ticket, outcome: $1) }
                mailbox.post(.event(.appended(answers, head: backend.head)))
            } catch {
                mailbox.post(.event(.appendFailed(group.map(\.ticket), "\(error)")))
            }
        }
    }

    /// Reads a TAIL's records and blobs on the reading thread, up to the gate if there is one.
    private func read(
        _ ticket: Int, _ after: UInt64, _ recordsMax: Int, _ bytesMax: Int, _ streams: Set<String>
    ) {
        reader.run { [backend, mailbox, gate] in
            do {
                let part = try backend.tail(
                    after: after, recordsMax: recordsMax, bytesMax: bytesMax, streams: streams)
                let records = part.records.filter { gate?.lets($0) ?? true }
                mailbox.post(.event(.read(ticket, records: records, blobs: part.blobs)))
            } catch {
                mailbox.post(.event(.readFailed(ticket, "\(error)")))
            }
        }
    }
}
