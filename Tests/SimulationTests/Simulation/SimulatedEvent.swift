import Journal
import Messages
import Queue

/// A process or state machine of the simulation.
enum Node: Hashable {
    case router(Int), journal, worker(Int), replica(Int), client(Int)
}

/// The end of a connection that opened it.
enum Endpoint: Hashable {
    case client(Int)
    case worker(Int, link: Int)
    case replica(Int)
    case routerToJournal(Int)
}

/// A connection as the network sees it; its number is the routing id that the server sees.
struct Connection {
    var number: UInt64
    var lastArrivalAtServer: UInt64 = 0
    var lastArrivalAtOpener: UInt64 = 0
}

/// What the simulation does next.
enum SimulatedEvent {
    case deliver(Message, Endpoint, number: UInt64, toServer: Bool)
    case undeliverable(Int, generation: Int, Peer, unsent: Message?)
    case tick(Node)
    case jobEnds(Int, generation: Int, JobID)
    case jobHasPart(Int, generation: Int, JobID)
    case applied(Int, generation: Int, [Record], Position)
    case loaded(Int, generation: Int, SnapshotChunk)
    case finished(Int, generation: Int, Position)
    case answer(generation: Int, JournalEvent)
    case diskWrote(generation: Int)
    case diskRead(generation: Int, ticket: Int, after: UInt64, recordsMax: Int, Set<String>)
    case jobFolder(Int, generation: Int, JobFolderChange)
    case clientActs(Int)
    case calmRequest(Int)
    case jobQuestions(Int)
    case fault
    case restart(Node)
    case stopLimit(Int, generation: Int)
    case heal
    case end
}

/// Events by time, then by order of insertion.
struct EventQueue {
    private var entries: [(time: UInt64, ordinal: UInt64, event: SimulatedEvent)] = []
    private var ordinal: UInt64 = 0

    mutating func insert(_ event: SimulatedEvent, at time: UInt64) {
        entries.append((time, ordinal, event))
        ordinal += 1
        var child = entries.count - 1
        while child > 0, precedes(child, (child - 1) / 2) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop() -> (time: UInt64, event: SimulatedEvent)? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return (first.time, first.event) }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && precedes(child, least) {
                least = child
            }
            guard least != parent else { return (first.time, first.event) }
            entries.swapAt(parent, least)
            parent = least
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (entries[left].time, entries[left].ordinal)
            < (entries[right].time, entries[right].ordinal)
    }
}
