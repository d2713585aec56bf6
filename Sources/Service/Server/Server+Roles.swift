import Journal
import Messages
import ZeroMQ

extension Server {
    /// Router, journal and a worker in one process, joined over inproc, on the same endpoints as
    /// the separate roles have.
    ///
    /// - Throws: `ConfigurationError` for an address that may not be bound, or what the data
    ///   folder or a socket refuses.
    public static func serve(_ options: ServerOptions, log: Log) throws -> Server {
        try options.checkMayBind(options.listen)
        let builder = RoleBuilder(options: options, log: log)
        let journal = try builder.openJournal()
        let recorder = try builder.openRecorder(keys: .lookedUp { journal.keyring.key(of: $0, $1) })
        return try embedded(
            builder, backend: journal, gate: nil, recorder: recorder, listensOn: options.listen)
    }

    /// All roles joined over inproc; bound to TCP too if an endpoint is given.
    static func embedded(
        _ builder: RoleBuilder, backend: any JournalBackend, gate: PositionGate?,
        recorder: ExchangeRecorder?, listensOn listen: Endpoint?, workers: Int = 1
    ) throws -> Server {
        let log = builder.log
        let context = try Context()
        let loop = EventLoop(log: log)
        let routerMail = Mailbox<RouterRole.Letter>(waking: loop.signal)
        let journalMail = Mailbox<JournalRole.Letter>(waking: loop.signal)
        let workerMails = (0..<workers).map { _ in
            Mailbox<WorkerRole.Letter>(waking: loop.signal)
        }
        gate?.notify { journalMail.post(.gateMoved) }
        let names = (0..<workers).map { number in
            number == 0 ? builder.options.name : "\(builder.options.name)-\(number + 1)"
        }
        let builders = names.map { builder.named($0) }
        let stores = try builders.map { try $0.openStore() }
        func urls(_ inproc: String, _ ports: Int) -> [String] {
            [inproc] + (listen.map { [$0.advanced(by: ports).url] } ?? [])
        }
        let routerSettings = try builder.router(
            clients: urls(Inproc.clients, 0), workers: urls(Inproc.workers, 1),
            journal: Inproc.journal)
        let journalSettings = builder.journal(urls: urls(Inproc.journal, 2))
        let workerSettings = builders.map {
            $0.worker(routers: [Inproc.workers], journal: Inproc.journal)
        }
        let keys = try builder.keepKeys(of: HandshakeDomain.allCases, at: listen, context) { ids in
            routerMail.post(.allowed(ids))
            journalMail.post(.allowed(ids))
        }
        try loop.start(name: "event-loop") {
            let journal = try JournalRole(
                journalSettings, backend: backend, context: context, mailbox: journalMail,
                gate: gate, log: log)
            let router = try RouterRole(
                routerSettings, context: context, mailbox: routerMail, recorder: recorder,
                log: log)
            let hosted = try (0..<workers).map { number in
                let worker = try WorkerRole(
                    workerSettings[number], store: stores[number], context: context,
                    mailbox: workerMails[number], log: log)
                // One drains after the other; the journal is the last.
                return Hosted(role: worker) {
                    if number + 1 < workers {
                        workerMails[number + 1].post(.drain)
                    } else {
                        journalMail.post(.drain)
                    }
                }
            }
            return [Hosted(role: router) { workerMails[0].post(.drain) }] + hosted
                + [Hosted(role: journal)]
        }
        return Server(context: context, loop: loop, keys: keys) { routerMail.post(.drain) }
    }

    /// A router alone.
    public static func router(_ options: ServerOptions, log: Log) throws -> Server {
        try options.checkMayBind(options.listen)
        let builder = RoleBuilder(options: options, log: log)
        let settings = try builder.router(
            clients: [options.listen.url], workers: [options.listen.advanced(by: 1).url],
            journal: options.journal.url)
        let context = try Context()
        let loop = EventLoop(log: log)
        let mail = Mailbox<RouterRole.Letter>(waking: loop.signal)
        let recorder = try builder.openRecorder(keys: .asked { mail.post(.needsKey($0)) })
        let keys = try builder.keepKeys(
            of: [.clients, .workers], at: options.listen, context
        ) { mail.post(.allowed($0)) }
        try loop.start(name: "router") {
            let role = try RouterRole(
                settings, context: context, mailbox: mail, recorder: recorder, log: log)
            return [Hosted(role: role)]
        }
        return Server(context: context, loop: loop, keys: keys) { mail.post(.drain) }
    }

    /// A journal alone.
    public static func journal(_ options: ServerOptions, log: Log) throws -> Server {
        try options.checkMayBind(options.journal)
        let builder = RoleBuilder(options: options, log: log)
        let settings = builder.journal(urls: [options.journal.url])
        let backend = try builder.openJournal()
        let context = try Context()
        let loop = EventLoop(log: log)
        let mail = Mailbox<JournalRole.Letter>(waking: loop.signal)
        let keys = try builder.keepKeys(of: [.journal], at: options.journal, context) {
            mail.post(.allowed($0))
        }
        try loop.start(name: "journal") {
            let role = try JournalRole(
                settings, backend: backend, context: context, mailbox: mail, log: log)
            return [Hosted(role: role)]
        }
        return Server(context: context, loop: loop, keys: keys) { mail.post(.drain) }
    }

    /// A worker alone, with a replica of its own.
    public static func worker(_ options: ServerOptions, log: Log) throws -> Server {
        let builder = RoleBuilder(options: options, log: log)
        let settings = builder.worker(
            routers: options.routers.map(\.url), journal: options.journal.url)
        let store = try builder.openStore()
        let context = try Context()
        let loop = EventLoop(log: log)
        let mail = Mailbox<WorkerRole.Letter>(waking: loop.signal)
        try loop.start(name: "worker") {
            let role = try WorkerRole(
                settings, store: store, context: context, mailbox: mail, log: log)
            return [Hosted(role: role)]
        }
        return Server(context: context, loop: loop) { mail.post(.drain) }
    }
}
