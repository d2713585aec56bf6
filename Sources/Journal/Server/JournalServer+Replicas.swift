internal import Messages

extension JournalServer {
    /// A SUBSCRIBE that is not answered yet.
    struct Subscription: Sendable {
        var requestID: RequestID
        let streams: Set<String>
        /// The sequence that the replica stated.
        let asked: UInt64
        /// How far the records behind `asked` are known to be of other streams.
        var after: UInt64
        /// The read that runs for it; nil while it waits for something new.
        var readTicket: Int?
    }

    /// Answers a SUBSCRIBE now, after a read, or when there is something new.
    mutating func subscribe(
        _ message: Message, from route: [UInt8], at now: Now, into actions: inout [JournalAction]
    ) {
        let requestID = message.header.requestID
        let streams = Set(message.fields.streams)
        let least = message.fields.leastPosition
        // Numbers of another epoch mean nothing here: such a replica starts over, and so does one
        // that has nothing. To both of them the epoch itself is news, so they need not wait.
        let known = least.flatMap { $0.epoch == head.epoch ? $0.sequence : nil }
        let after = known ?? 0
        guard after <= head.sequence else {
            let text = "position \(after) is ahead of the journal, which stands at \(head.sequence)"
            let error = Message.error(.refused, text, requestID: requestID)
            return send(error, to: route, at: now, into: &actions)
        }
        if let offer = holdings.snapshot, known == nil || after + 1 < holdings.firstSequence {
            return announce(offer, requestID, to: route, at: now, into: &actions)
        }
        guard after + 1 >= holdings.firstSequence else {
            let text =
                "records up to \(holdings.firstSequence - 1) are gone, and no snapshot is there"
            let error = Message.error(.journalUnavailable, text, requestID: requestID)
            return send(error, to: route, at: now, into: &actions)
        }
        if let old = peers[route]?.subscription {
            if old.asked == after, old.streams == streams, old.readTicket != nil {
                // Sent again while its read runs: the read answers this one.
                peers[route]?.subscription?.requestID = requestID
                return
            }
            if let ticket = old.readTicket { reads[ticket] = nil }
        }
        peers[route]?.subscription = Subscription(
            requestID: requestID, streams: streams, asked: after, after: after)
        if after < head.sequence {
            startRead(for: route, into: &actions)
        } else if known == nil || !message.header.flags.contains(.wait) {
            answer(route, through: after, TailPart(), at: now, into: &actions)
        }
    }

    /// Says that the state up to a position is to be fetched first.
    private mutating func announce(
        _ offer: SnapshotOffer, _ requestID: RequestID, to route: [UInt8], at now: Now,
        into actions: inout [JournalAction]
    ) {
        peers[route]?.subscription = nil
        var tail = Message(Header(.tail, requestID: requestID))
        tail.fields.position = head
        tail.fields.leastPosition = offer.position
        tail.fields.snapshot = offer.id
        tail.fields.set(.chunksTotal, integer: UInt32(offer.chunksTotal))
        send(tail, to: route, at: now, into: &actions)
    }

    /// Passes on what was read, or reads on if none of it is of the wanted streams.
    mutating func finishRead(
        _ ticket: Int, _ part: TailPart, at now: Now, into actions: inout [JournalAction]
    ) {
        guard let route = reads.removeValue(forKey: ticket),
            var subscription = peers[route]?.subscription
        else { return }
        var part = part
        let records = part.records
        let through = records.last?.position?.sequence ?? subscription.after
        // The backend may be ahead of the `appended` event that is still on its way.
        advance(to: Position(epoch: head.epoch, sequence: through))
        part.records = records.filter { $0.isWanted(in: subscription.streams) }
        if part.records.isEmpty, !records.isEmpty, through < head.sequence {
            subscription.after = through
            subscription.readTicket = nil
            peers[route]?.subscription = subscription
            return startRead(for: route, into: &actions)
        }
        answer(route, through: through, part, at: now, into: &actions)
    }

    mutating func failRead(
        _ ticket: Int, _ reason: String, at now: Now, into actions: inout [JournalAction]
    ) {
        actions.append(.fact(.readFailed(reason)))
        guard let route = reads.removeValue(forKey: ticket),
            let subscription = peers[route]?.subscription
        else { return }
        peers[route]?.subscription = nil
        let error = Message.error(
            .journalUnavailable, reason, requestID: subscription.requestID)
        send(error, to: route, at: now, into: &actions)
    }

    /// Reads for every replica that waited for something new and now has something.
    mutating func serveWaitingReplicas(into actions: inout [JournalAction]) {
        for peer in peersInOrder {
            guard let subscription = peer.subscription, subscription.readTicket == nil,
                subscription.after < head.sequence
            else { continue }
            startRead(for: peer.route, into: &actions)
        }
    }

    private mutating func startRead(for route: [UInt8], into actions: inout [JournalAction]) {
        guard let subscription = peers[route]?.subscription else { return }
        let ticket = makeNumber()
        reads[ticket] = route
        peers[route]?.subscription?.readTicket = ticket
        actions.append(
            .read(
                ticket: ticket, after: subscription.after,
                recordsMax: configuration.tailRecordsMax, bytesMax: configuration.tailBytesMax,
                streams: subscription.streams))
    }

    /// Sends TAIL: where the journal stands, how far this answer covers, and what is new.
    private mutating func answer(
        _ route: [UInt8], through: UInt64, _ part: TailPart, at now: Now,
        into actions: inout [JournalAction]
    ) {
        guard let subscription = peers[route]?.subscription else { return }
        peers[route]?.subscription = nil
        var tail = Message(Header(.tail, requestID: subscription.requestID))
        tail.fields.position = head
        tail.fields.leastPosition = Position(epoch: head.epoch, sequence: through)
        tail.fields.attachmentHashes = part.blobs.map(\.0)
        tail.fields.accountKeys = part.keys
        tail.attachments = part.blobs.map(\.1)
        tail.body = Record.encodeList(part.records)
        send(tail, to: route, at: now, into: &actions)
    }
}
