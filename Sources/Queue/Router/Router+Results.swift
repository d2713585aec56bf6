internal import Bytes
internal import Messages

/// What workers answer.
extension Router {
    mutating func takeResult(
        _ message: Message, _ worker: Identity, _ now: Now, _ actions: inout [RouterAction]
    ) {
        let id = message.header.requestID
        guard let dispatch = liveDispatch(message, worker, now, &actions) else { return }
        let items: [MergeItem]
        do throws(WireError) {
            items = try MergeItem.decode(
                list: message.fields.slice(.items) ?? [], body: message.sharedBody)
        } catch {
            counters.malformed += 1
            actions.append(.fact(.refused(peer(of: worker), .malformed, error.description)))
            dropFaulty(id, dispatch, isOver: message.command == .final, now, &actions)
            return
        }
        let (key, part) = (dispatch.key, dispatch.part)
        let exchange = exchanges[key]
        exchange?.parts[part].add(message, items: items, to: id)
        if let position = message.fields.position { workers[worker]?.position = position }
        guard message.command == .final else { return }
        releaseCredit(id, dispatch.worker)
        if let exchange {
            won(id, dispatch, exchange, now, &actions)
            finishIfAnswered(exchange, now, &actions)
        }
        serveWaiting(worker, now, &actions)
    }

    /// The first FINAL of a part counts; whoever else is at it may stop.
    private mutating func won(
        _ id: RequestID, _ dispatch: Dispatch, _ exchange: Exchange, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        guard let win = exchange.parts[dispatch.part].win(id, at: now.monotonic) else { return }
        let core = exchange.core
        let part = parts[exchange.parts[dispatch.part].offer]
        let took = now.monotonic.nanoseconds &- win.since.nanoseconds
        part?.times.note(took, wasProbe: core.isProbe, at: now.monotonic)
        if dispatch.isHedge {
            counters.hedgesWon += 1
            services[core.metrics].hedgesWon += 1
        }
        guard let loser = win.loser else { return }
        if dispatch.isHedge {
            // It would have taken at least as long: a hedge must not hide that a worker is slow.
            let waited = now.monotonic.nanoseconds &- loser.since.nanoseconds
            part?.times.needed.noteGivenUp(after: waited, at: now.monotonic)
        }
        guard !configuration.planted.contains(.loserGoesOn) else { return }
        cancelDispatch(loser.id, now, &actions)
    }

    /// The dispatch that an answer belongs to; nil if nobody waits for it, which is counted. The
    /// last answer to a cancelled dispatch gives its credit back.
    private mutating func liveDispatch(
        _ message: Message, _ worker: Identity, _ now: Now, _ actions: inout [RouterAction]
    ) -> Dispatch? {
        let id = message.header.requestID
        let dispatch = dispatches[id]
        if let dispatch, dispatch.worker == worker, !dispatch.isCancelled { return dispatch }
        counters.late += 1
        if let dispatch { services[dispatch.metrics].late += 1 }
        actions.append(.fact(.late(worker)))
        guard let dispatch, dispatch.worker == worker, message.command != .partial else {
            return nil
        }
        if configuration.planted.contains(.lateResultIsSent), message.command == .final {
            reply(message, to: dispatch.key, &actions)
        }
        if configuration.planted.contains(.creditLeaks) {
            dispatches[id] = nil
        } else {
            releaseCredit(id, worker)
            serveWaiting(worker, now, &actions)
        }
        return nil
    }

    private mutating func dropFaulty(
        _ id: RequestID, _ dispatch: Dispatch, isOver: Bool, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        if isOver {
            releaseCredit(id, dispatch.worker)
        } else {
            cancelDispatch(id, now, &actions)
        }
        redispatch(id, dispatch, reason: .internalFault, now, &actions)
    }

    private func peer(of worker: Identity) -> Peer {
        workers[worker]?.peer ?? Peer(side: .worker, routingID: [])
    }

    mutating func takeError(
        _ message: Message, _ worker: Identity, _ now: Now, _ actions: inout [RouterAction]
    ) {
        let id = message.header.requestID
        guard id != .zero else {
            let text = message.fields.text(.errorText) ?? ""
            actions.append(
                .fact(.refused(peer(of: worker), message.errorCode ?? .internalFault, text)))
            return
        }
        guard let dispatch = liveDispatch(message, worker, now, &actions) else { return }
        releaseCredit(id, worker)
        exchanges[dispatch.key]?.parts[dispatch.part].lastError =
            message.fields.text(.errorText) ?? ""
        switch message.errorCode {
        case .handedBack: redispatch(id, dispatch, reason: .handedBack, now, &actions)
        case .positionNotReached, .deadlineExceeded, .cancelled:
            gaveUp(id, dispatch, message.errorCode ?? .internalFault, now, &actions)
        case .workerFailed, .internalFault, .malformed, .unsupportedVersion, .wrongState,
            .overloaded, .draining, .replaced, .keyRefused, .incomplete, nil:
            redispatch(
                id, dispatch, reason: message.errorCode ?? .internalFault,
                pushBack: configuration.planted.contains(.pushBackIsIgnored)
                    ? .none : PushBack(message), now, &actions)
        case .unknownService, .badRequest, .tooLarge, .epochChanged, .notKept, .accessRequired,
            .notFound, .printVersion, .badPicture, .journalUnavailable, .refused, .jobUnfinished:
            // The request itself is at fault: no other worker and no other part can help.
            fail(dispatch.key, message, now, &actions)
        }
        serveWaiting(worker, now, &actions)
    }

    /// A worker has no result and no other worker would: the part is missing, unless another
    /// attempt goes on.
    private mutating func gaveUp(
        _ id: RequestID, _ dispatch: Dispatch, _ code: ErrorCode, _ now: Now,
        _ actions: inout [RouterAction]
    ) {
        guard let exchange = exchanges[dispatch.key] else { return }
        guard !exchange.parts[dispatch.part].drop(id) else { return }
        exchange.parts[dispatch.part].stage = .missing(code)
        finishIfAnswered(exchange, now, &actions)
    }
}
