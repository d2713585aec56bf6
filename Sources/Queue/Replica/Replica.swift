public import Messages

/// Follows a journal: asks for the records after a position, hands them to a store in order,
/// each once, and begins again when the journal is another one. Where the journal no longer has
/// the records, it takes a snapshot first, in chunks.
///
/// It owns no socket, clock or store: events go in, actions come out.
public struct Replica: Sendable {
    let configuration: ReplicaConfiguration
    /// What the store holds, as far as it has said; nil: nothing.
    public internal(set) var position: Position?
    var link: Link
    /// The SUBSCRIBE whose TAIL is awaited.
    var asked: RequestID?
    /// When something was last asked, or the answer to a part of it came.
    var askedAt = MonotonicTime(nanoseconds: 0)
    /// The position that the store works towards; no question is asked meanwhile.
    var applying: Position?
    /// The store has something, complete or not.
    var isStoreEmpty: Bool
    /// The snapshot that is being taken.
    var load: SnapshotLoad?
    /// The chunk that the store works on, of this snapshot or of one that was given up.
    var isStoreLoading: Int?
    var keys: KeysState
    private var head: Position?
    private var isCaughtUp = false
    private var nextQuestion: UInt64 = 1

    /// A replica that has not greeted a journal yet.
    public init(_ configuration: ReplicaConfiguration) {
        self.configuration = configuration
        position = configuration.position
        isStoreEmpty = configuration.position == nil && configuration.partialSnapshot == nil
        load = configuration.partialSnapshot.map { SnapshotLoad($0) }
        keys = configuration.wantsKeys ? .needed : .had
        link = Link(intervalMilliseconds: configuration.pingIntervalMilliseconds)
    }

    /// When `tick` is wanted at the latest.
    public var nextWake: MonotonicTime? {
        [link.nextWake, isWaiting ? askAgainAt : nil].compactMap(\.self).min()
    }

    /// Takes one event and appends what is to be done about it.
    public mutating func handle(
        _ event: ReplicaEvent, at now: Now, into actions: inout [ReplicaAction]
    ) {
        let time = now.monotonic
        switch event {
        case .message(let message): receive(message, time, &actions)
        case .malformed(let error): actions.append(.fact(.malformed(error)))
        case .applied(let through): applied(through, &actions)
        case .loaded(let chunk): loaded(chunk)
        case .loadFailed(let chunk, let reason): loadFailed(chunk, reason, time, &actions)
        case .tick: break
        }
        keepUp(time, &actions)
        ask(time, &actions)
    }

    /// An answer of the journal is awaited.
    private var isWaiting: Bool {
        asked != nil || keys.question != nil || load?.asked.isEmpty == false
    }

    private var askAgainAt: MonotonicTime {
        askedAt.adding(
            milliseconds: UInt64(configuration.pingIntervalMilliseconds)
                * Limits.missedPingsMax)
    }

    private mutating func keepUp(_ now: MonotonicTime, _ actions: inout [ReplicaAction]) {
        switch link.due(at: now) {
        case .nothing: break
        case .ping:
            var ping = Message(Header(.ping))
            ping.fields.position = position
            actions.append(.send(ping))
        case .hello: actions.append(.send(hello()))
        case .reconnect:
            forgetQuestions()
            actions.append(.fact(.journalLost))
            actions.append(.reconnect)
            actions.append(.send(hello()))
        }
    }

    private func hello() -> Message {
        .hello(
            identity: configuration.identity, incarnation: configuration.incarnation,
            name: configuration.name,
            intervalMilliseconds: configuration.pingIntervalMilliseconds)
    }

    /// What was asked may have been lost with a connection.
    private mutating func forgetQuestions() {
        asked = nil
        load?.forgetQuestions()
        keys.forgetQuestion()
    }

    /// Keys first, then a snapshot if one is being taken, then records: whatever is asked is asked
    /// again when no answer comes.
    private mutating func ask(_ now: MonotonicTime, _ actions: inout [ReplicaAction]) {
        guard link.state == .open else { return }
        if isWaiting, now >= askAgainAt { forgetQuestions() }
        if keys.isNeeded { return askForKeys(now, &actions) }
        guard keys.isHad, applying == nil else { return }
        if load != nil { return askForChunks(now, &actions) }
        // What a store still works on of a snapshot that was given up is reset behind it.
        guard asked == nil, isStoreLoading == nil else { return }
        let id = makeQuestion(at: now)
        asked = id
        // Until it knows where the journal stands, even an empty answer tells it something.
        var message = Message(Header(.subscribe, requestID: id, flags: isCaughtUp ? .wait : []))
        message.fields.streams = configuration.streams
        message.fields.leastPosition = position
        actions.append(.send(message))
    }

    /// The id of a question that is sent now.
    mutating func makeQuestion(at now: MonotonicTime) -> RequestID {
        askedAt = now
        defer { nextQuestion += 1 }
        return RequestID(high: configuration.incarnation, low: nextQuestion)
    }

    private mutating func receive(
        _ message: Message, _ now: MonotonicTime, _ actions: inout [ReplicaAction]
    ) {
        link.heard(at: now)
        switch message.command {
        case .welcome:
            // Whoever says WELCOME may never have seen the question. Another incarnation may have
            // destroyed keys, and so may the same one while this replica was away.
            if link.welcome(message) {
                forgetQuestions()
                if configuration.wantsKeys { keys = .needed }
            }
            actions.append(.fact(.welcomed))
        case .tail: takeTail(message, &actions)
        case .chunk: takeChunk(message, now, &actions)
        case .keyring: takeKeys(message, &actions)
        case .ping: actions.append(.send(Message(Header(.pong))))
        case .pong, .draining: break
        case .bye:
            forgetQuestions()
            link.greet(at: now)
        case .error: refused(message, now, &actions)
        case .hello, .ready, .request, .partial, .final, .cancel, .record, .ack, .subscribe,
            .fetch, .keys, .notify:
            actions.append(.fact(.refused(.wrongState, "\(message.command) from a journal")))
        }
    }

    private mutating func refused(
        _ message: Message, _ now: MonotonicTime, _ actions: inout [ReplicaAction]
    ) {
        let text = message.fields.text(.errorText) ?? ""
        actions.append(.fact(.refused(message.errorCode, text)))
        if message.errorCode == .notFound, load?.asked[message.header.requestID] != nil {
            // The snapshot is no longer kept; the journal will name another one.
            load = nil
        }
        guard message.errorCode == .wrongState, link.state == .open else { return }
        link.greet(at: now)
        forgetQuestions()
        actions.append(.send(hello()))
    }

    private mutating func takeTail(_ tail: Message, _ actions: inout [ReplicaAction]) {
        let isAsked = asked != nil && tail.header.requestID == asked
        guard isAsked || configuration.planted.contains(.recordsApplyAgain),
            let newHead = tail.fields.position
        else {
            actions.append(.fact(.stale))
            return
        }
        let records: [Record]
        do throws(WireError) {
            records = try Record.decodeList(tail.body)
        } catch {
            // The question is asked again after a while, not at once: the answer may be the same.
            actions.append(.fact(.malformed(error)))
            return
        }
        asked = nil
        head = newHead
        if tail.fields.snapshot != nil { return beginSnapshot(tail, &actions) }
        let covered = tail.fields.leastPosition ?? records.last?.position ?? newHead
        var isNewJournal = false
        let staysBlind = position != nil && configuration.planted.contains(.epochIsIgnored)
        if newHead.epoch != position?.epoch, !staysBlind {
            if !isStoreEmpty { startOver(in: newHead.epoch, &actions) }
            position = Position(epoch: newHead.epoch, sequence: 0)
            isCaughtUp = false
            isNewJournal = true
        }
        let keys = tail.fields.accountKeys
        if !keys.isEmpty { actions.append(.addKeys(keys)) }
        apply(
            records, blobs: tail.namedAttachments, through: covered,
            evenIfEmpty: isNewJournal, &actions)
    }

    private mutating func apply(
        _ records: [Record], blobs: [(hash: ContentHash, bytes: [UInt8])],
        through covered: Position, evenIfEmpty: Bool, _ actions: inout [ReplicaAction]
    ) {
        guard let position, let head else { return }
        let takesAll = configuration.planted.contains(.recordsApplyAgain)
        let new = records.filter { record in
            guard let place = record.position, place.epoch == head.epoch else { return false }
            return takesAll || place.sequence > position.sequence
        }
        // A store learns of a journal that holds nothing yet, too: replies state the position.
        guard covered.sequence > position.sequence || !new.isEmpty || evenIfEmpty else {
            return noteCaughtUp(&actions)
        }
        if head.sequence > position.sequence { isCaughtUp = false }
        applying = covered
        isStoreEmpty = false
        actions.append(.apply(records: new, blobs: blobs, through: covered))
    }

    private mutating func applied(_ through: Position, _ actions: inout [ReplicaAction]) {
        guard let applying, through.epoch == applying.epoch,
            through.sequence >= applying.sequence
        else { return }
        self.applying = nil
        position = applying
        noteCaughtUp(&actions)
    }

    private mutating func noteCaughtUp(_ actions: inout [ReplicaAction]) {
        guard !isCaughtUp, let position, let head, position.epoch == head.epoch,
            position.sequence >= head.sequence
        else { return }
        isCaughtUp = true
        actions.append(.caughtUp(position))
    }

    /// What the store holds is of no use any more.
    mutating func startOver(in epoch: UInt64, _ actions: inout [ReplicaAction]) {
        actions.append(.reset(epoch: epoch))
        isStoreEmpty = true
        position = nil
        isCaughtUp = false
    }
}

extension Message {
    /// The attachments with their names.
    var namedAttachments: [(hash: ContentHash, bytes: [UInt8])] {
        zip(fields.attachmentHashes, attachments).map { (hash: $0, bytes: $1) }
    }
}
