import Messages
import Queue

/// Clients: requests, changes and cancellations at random.
extension Simulation {
    func makeClient(_ identity: Identity, generation: Int) -> Client {
        var configuration = ClientConfiguration(
            identity: identity, incarnation: UInt64(generation) + 1)
        configuration.graceMilliseconds = 0
        configuration.planted = planted
        return Client(configuration)
    }

    func step(client: Int, _ event: ClientEvent) {
        guard clients[client].isUp else { return }
        var actions: [ClientAction] = []
        clients[client].machine.handle(event, at: clock(6 + client), into: &actions)
        for action in actions {
            switch action {
            case .send(let message): send(message, from: .client(client))
            case .finished(let ticket, let outcome): finished(client, ticket, outcome)
            case .reconnect: connect(.client(client))
            case .closed:
                // Replaced by nobody: only an old message can make a client think so.
                takeDown(.client(client))
                events.insert(
                    .restart(.client(client)), at: now + below(300) * Self.millisecond)
            case .fact, .notified: break
            }
        }
        if clients[client].isUp {
            schedule(.client(client), clients[client].machine.nextWake)
        }
    }

    private func finished(_ client: Int, _ ticket: Int, _ outcome: Outcome) {
        if let month {
            checker.finished(ticket, outcome, isJudgedElsewhere: false, at: now)
            if let fault = month.finished(ticket, outcome, at: now) { checker.fail(fault, at: now) }
            return
        }
        if let expectation = checker.submissions[ticket] {
            let isAboutJobs =
                expectation.message.header.flags.contains(.detached)
                || expectation.message.fields[.job] != nil
            checker.finished(ticket, outcome, isJudgedElsewhere: isAboutJobs, at: now)
            if isAboutJobs, finishedJob(client, expectation, outcome) { return }
        }
        guard let expectation = checker.submissions[ticket],
            expectation.message.command == .record
        else { return }
        switch outcome {
        case .ack(let position, _): clients[client].lastAcknowledged = position
        case .final: checker.fail("FINAL to a change", at: now)
        case .error, .timedOut:
            // The same change again: the journal must not store it twice.
            guard !isCalm, happens(1, in: 2) else { return }
            submit(client, expectation.message, isCalm: false)
        }
    }

    func submit(_ client: Int, _ message: Message, isCalm: Bool) {
        guard clients[client].isUp else { return }
        let ticket = nextTicket
        nextTicket += 1
        let budget = UInt64(message.header.budgetMilliseconds) * Self.millisecond
        checker.submissions[ticket] = Expectation(
            client: client, deadline: now + budget, message: message, isCalm: isCalm)
        step(client: client, .submit(ticket: ticket, message))
    }

    func act(_ client: Int) {
        guard !isCalm else { return }
        events.insert(.clientActs(client), at: now + below(60) * Self.millisecond)
        guard clients[client].isUp else { return }
        if let month { return send(month, from: client) }
        switch below(27) {
        case 20, 21: submitJob(client)
        case 22, 23: askForJob(client)
        case 0..<13:
            var message = SimulatedSearch.request(
                question: below(1_000), limit: happens(1, in: 3) ? 3 : 1_000,
                budget: UInt32(1 + below(happens(1, in: 4) ? 30 : 800)),
                picture: happens(1, in: 2) ? makePicture() : nil)
            if happens(1, in: 5) {
                message.fields.set(.leastShare, integer: UInt32(happens(1, in: 2) ? 50 : 100))
            }
            message.header.priority = UInt8(below(10))
            if happens(1, in: 4) {
                message.fields.leastPosition = clients[client].lastAcknowledged
            }
            submit(client, message, isCalm: false)
        case 13..<17: submit(client, makeChange(budget: 600), isCalm: false)
        case 17:
            var message = Message(Header(.request, budgetMilliseconds: 200))
            message.fields.set(.service, text: happens(1, in: 2) ? "status" : "unknown")
            submit(client, message, isCalm: false)
        case 18 where happens(1, in: 2), 24, 25, 26:
            var message = Message(Header(.request, budgetMilliseconds: 700))
            message.fields.set(.service, text: SimulatedSearch.once)
            for _ in 0..<4 { submit(client, message, isCalm: false) }
        case 18: burst(client)
        default:
            let open = checker.submissions.filter {
                $0.value.client == client && $0.value.outcomes == 0
            }
            guard let ticket = open.keys.max() else { return }
            step(client: client, .cancel(ticket: ticket))
        }
    }

    /// More at once than the workers and queues hold.
    private func burst(_ client: Int) {
        for _ in 0..<20 {
            let message = SimulatedSearch.request(
                question: below(1_000), limit: 10, budget: UInt32(100 + below(300)))
            submit(client, message, isCalm: false)
        }
    }

    /// One that no other request has.
    func makePicture() -> [UInt8] {
        defer { nextPicture += 1 }
        return bigEndianBytes(nextPicture)
    }

    func makeChange(budget: UInt32) -> Message {
        let kind: RecordKind = happens(1, in: 2) ? .entityRemove : .calendarAccess
        var message = Message(Header(.record, budgetMilliseconds: budget))
        message.fields.set(.recordKind, text: kind.rawValue)
        message.fields.set(.source, text: "simulation")
        message.fields.set(.changeID, text: "\(nextChange)")
        nextChange += 1
        message.body = Array("{}".utf8)
        return message
    }

    func submitCalm(_ client: Int) {
        let message = SimulatedSearch.request(
            question: below(1_000), limit: 1_000, budget: 1_000, picture: makePicture())
        submit(client, message, isCalm: true)
        submit(client, makeChange(budget: 1_000), isCalm: true)
    }
}
