import Journal
import Messages
import Queue

/// Connections that drop, delay, duplicate, reorder and break.
extension Simulation {
    /// A new connection, or a new one in place of a broken one: another routing id.
    func connect(_ endpoint: Endpoint) {
        brokenAt[endpoint] = now
        if let old = connections[endpoint] { openers[old.number] = nil }
        connections[endpoint] = Connection(number: nextNumber)
        openers[nextNumber] = endpoint
        nextNumber += 1
    }

    func server(of endpoint: Endpoint) -> Node {
        switch endpoint {
        case .client(let client): .router(clients[client].router)
        case .worker(_, let link): .router(link)
        case .replica, .routerToJournal: .journal
        }
    }

    func isUp(_ node: Node) -> Bool {
        switch node {
        case .router(let router): routers[router].isUp
        case .journal: journal.isUp
        case .worker(let worker), .replica(let worker): workers[worker].isUp
        case .client(let client): clients[client].isUp
        }
    }

    private func opener(of endpoint: Endpoint) -> Node {
        switch endpoint {
        case .client(let client): .client(client)
        case .worker(let worker, _), .replica(let worker): .worker(worker)
        case .routerToJournal(let router): .router(router)
        }
    }

    /// Routing ids are bytes that may start with 0x00.
    func routingID(_ number: UInt64) -> [UInt8] { bigEndianBytes(number) }

    func send(_ message: Message, from endpoint: Endpoint) {
        guard isUp(server(of: endpoint)), let connection = connections[endpoint] else { return }
        transmit(message, endpoint, connection.number, toServer: true)
    }

    /// Sends from a server to a routing id; false if nobody is there.
    func send(_ message: Message, toRoutingID id: [UInt8]) -> Bool {
        let number: UInt64 = bigEndianInteger(id)
        guard let endpoint = openers[number], isUp(opener(of: endpoint)) else { return false }
        transmit(message, endpoint, number, toServer: false)
        return true
    }

    private func transmit(
        _ message: Message, _ endpoint: Endpoint, _ number: UInt64, toServer: Bool
    ) {
        guard !happens(faults.dropped, in: 1_000) else { return }
        let copies = happens(faults.duplicated, in: 1_000) ? 2 : 1
        for _ in 0..<copies {
            var arrival = now + 20_000 + below(faults.delayMax) * 1_000
            if !faults.reorders {
                let last =
                    toServer
                    ? connections[endpoint]?.lastArrivalAtServer
                    : connections[endpoint]?.lastArrivalAtOpener
                arrival = max(arrival, last ?? 0)
            }
            if toServer {
                connections[endpoint]?.lastArrivalAtServer = arrival
            } else {
                connections[endpoint]?.lastArrivalAtOpener = arrival
            }
            events.insert(
                .deliver(encoded(message), endpoint, number: number, toServer: toServer),
                at: arrival)
        }
    }

    /// The message as it comes out of its bytes, in some runs.
    private func encoded(_ message: Message) -> Message {
        guard faults.encodes else { return message }
        do {
            return try Message(frames: message.frames())
        } catch {
            checker.fail("a message that cannot be read: \(message.command) \(error)", at: now)
            return message
        }
    }

    func deliver(
        _ message: Message, _ endpoint: Endpoint, _ number: UInt64, _ toServer: Bool
    ) {
        let receiver = toServer ? server(of: endpoint) : opener(of: endpoint)
        let event = SimulatedEvent.deliver(message, endpoint, number: number, toServer: toServer)
        guard connections[endpoint]?.number == number, isUp(receiver),
            !isPaused(receiver, event)
        else { return }
        note(now ^ UInt64(message.command.rawValue) << 56 ^ message.header.requestID.low)
        switch (toServer, endpoint) {
        case (true, .client(let client)):
            let peer = Peer(side: .client, routingID: routingID(number))
            noteRequest(message, client)
            step(router: clients[client].router, .message(message, from: peer))
        case (true, .worker(_, let link)):
            let peer = Peer(side: .worker, routingID: routingID(number))
            step(router: link, .message(message, from: peer))
        case (true, .replica), (true, .routerToJournal):
            stepJournal(.message(message, from: routingID(number)))
        case (false, .client(let client)): step(client: client, .message(message))
        case (false, .worker(let worker, let link)):
            step(worker: worker, .message(message, link: link))
        case (false, .replica(let worker)): step(replica: worker, .message(message))
        case (false, .routerToJournal(let router)):
            step(router: router, .message(message, from: .journal))
        }
    }
}
