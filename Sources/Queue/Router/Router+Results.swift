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
                list: message.fields[.items] ?? [], body: message.body)
        } catch {
            counters.malformed += 1
            actions.append(.fact(.refused(peer(of: worker), .malformed, error.description)))
            dropFaulty(id, dispatch, isOver: message.command == .final, now, &actions)
            return
        }
        let (key, part) = (dispatch.key, dispatch.part)
        exchanges[key]?.parts[part].add(message, items: items)
        if let position = message.fields.position { workers[worker]?.position = position }
        guard message.command == .final else { return }
        let sentAt = exchanges[key]?.parts[part].dispatchedAt ?? now.monotonic
        exchanges[key]?.parts[part].milliseconds = now.monotonic.milliseconds(since: sentAt)
        exchanges[key]?.parts[part].stages = message.fields.text(.stages) ?? ""
        exchanges[key]?.parts[part].stage = .answered
        releaseCredit(id, worker)
        finishIfAnswered(key, now, &actions)
        serveWaiting(worker, now, &actions)
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
        redispatch(dispatch, reason: .internalFault, now, &actions)
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
        case .handedBack: redispatch(dispatch, reason: .handedBack, now, &actions)
        case .positionNotReached, .deadlineExceeded, .cancelled:
            exchanges[dispatch.key]?.parts[dispatch.part].stage =
                .missing(message.errorCode ?? .internalFault)
            finishIfAnswered(dispatch.key, now, &actions)
        case .workerFailed, .internalFault, .malformed, .unsupportedVersion, .wrongState,
            .overloaded, .draining, .replaced, nil:
            redispatch(
                dispatch, reason: message.errorCode ?? .internalFault, now, &actions)
        case .unknownService, .badRequest, .tooLarge, .epochChanged, .notKept, .accessRequired,
            .notFound, .printVersion, .badPicture, .journalUnavailable, .refused:
            // The request itself is at fault: no other worker and no other part can help.
            fail(dispatch.key, message, now, &actions)
        }
        serveWaiting(worker, now, &actions)
    }
}
