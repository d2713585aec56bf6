internal import Messages

extension JournalServer {
    /// Asks for a chunk of a snapshot.
    mutating func fetch(
        _ message: Message, from route: [UInt8], at now: Now, into actions: inout [JournalAction]
    ) {
        guard let question = admit(message, from: route, at: now, into: &actions) else { return }
        guard let snapshot = message.fields.snapshot,
            let chunk: UInt32 = message.fields.integer(.chunk)
        else {
            let error = Message.error(.badRequest, "FETCH has a snapshot and a chunk")
            return answer(question, error, at: now, into: &actions)
        }
        actions.append(
            .fetch(
                snapshot: snapshot, from: Int(chunk), streams: Set(message.fields.streams),
                for: question))
    }

    /// Asks for the keys behind an id, or for the one of an account.
    mutating func lookUpKeys(
        _ message: Message, from route: [UInt8], at now: Now, into actions: inout [JournalAction]
    ) {
        guard let question = admit(message, from: route, at: now, into: &actions) else { return }
        actions.append(
            .keys(
                account: message.fields.text(.account), after: message.fields.keyID,
                for: question))
    }

    /// Answers with keys; the last ones are marked.
    mutating func answer(
        _ question: JournalQuestion, _ keys: [AccountKey], isLast: Bool, at now: Now,
        into actions: inout [JournalAction]
    ) {
        var keyring = Message(Header(.keyring, flags: isLast ? .complete : []))
        keyring.fields.accountKeys = keys
        answer(question, keyring, at: now, into: &actions)
    }

    /// Answers with a chunk, or that there is no such snapshot any more.
    mutating func answer(
        _ question: JournalQuestion, _ chunk: FetchedChunk?, at now: Now,
        into actions: inout [JournalAction]
    ) {
        guard let chunk else {
            let error = Message.error(.notFound, "this snapshot is no longer kept: SUBSCRIBE")
            return answer(question, error, at: now, into: &actions)
        }
        var message = Message(Header(.chunk), body: chunk.bytes)
        message.fields.position = head
        message.fields.leastPosition = chunk.snapshot.position
        message.fields.snapshot = chunk.snapshot.id
        message.fields.set(.chunk, integer: UInt32(chunk.index))
        message.fields.set(.chunksTotal, integer: UInt32(chunk.snapshot.chunks.count))
        if chunk.snapshot.chunks.indices.contains(chunk.index) {
            message.fields.set(.chunkHash, chunk.snapshot.chunks[chunk.index].hash)
        }
        answer(question, message, at: now, into: &actions)
    }

    /// Sends the answer to a question, unless who asked is gone.
    mutating func answer(
        _ question: JournalQuestion, _ message: Message, at now: Now,
        into actions: inout [JournalAction]
    ) {
        guard let peer = peers[question.route], peer.questions > 0 else { return }
        peers[question.route]?.questions -= 1
        var answer = message
        answer.header.requestID = question.requestID
        send(answer, to: question.route, at: now, into: &actions)
    }

    private mutating func admit(
        _ message: Message, from route: [UInt8], at now: Now, into actions: inout [JournalAction]
    ) -> JournalQuestion? {
        let requestID = message.header.requestID
        guard let peer = peers[route], peer.questions < configuration.questionsMax else {
            let error = Message.error(
                .overloaded, "at most \(configuration.questionsMax) questions at a time",
                requestID: requestID,
                retryAfterMilliseconds: configuration.retryAfterMilliseconds)
            send(error, to: route, at: now, into: &actions)
            return nil
        }
        peers[route]?.questions += 1
        return JournalQuestion(route: route, requestID: requestID)
    }
}
