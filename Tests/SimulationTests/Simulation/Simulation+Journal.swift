import Journal
import Messages

/// The journal's server and its disk.
extension Simulation {
    static func makeJournal(_ generation: Int, head: Position) -> JournalServer {
        var configuration = JournalServerConfiguration(
            identity: Identity(high: 9, low: 9), incarnation: UInt64(generation) + 1)
        configuration.tailRecordsMax = 5
        configuration.groupRecordsMax = 3
        return JournalServer(configuration: configuration, head: head)
    }

    func stepJournal(_ event: JournalEvent) {
        guard journal.isUp else { return }
        var actions: [JournalAction] = []
        journal.machine.handle(event, at: clock(8), into: &actions)
        for action in actions {
            switch action {
            case .send(let message, let id): _ = send(message, toRoutingID: id)
            case .append(let group):
                journal.group = group
                events.insert(
                    .diskWrote(generation: journal.generation),
                    at: now + (3 + below(6)) * Self.millisecond)
            case .read(let ticket, let after, let recordsMax, _, _):
                events.insert(
                    .diskRead(
                        generation: journal.generation, ticket: ticket, after: after,
                        recordsMax: recordsMax), at: now + below(2_000_000))
            case .fact: break
            }
        }
        schedule(.journal, journal.machine.nextWake)
    }

    func diskWrote(_ generation: Int) {
        guard journal.generation == generation, journal.isUp, let group = journal.group,
            !isPaused(.journal, .diskWrote(generation: generation))
        else { return }
        journal.group = nil
        let outcomes = group.map { (ticket: $0.ticket, outcome: journal.disk.append($0.entry)) }
        stepJournal(.appended(outcomes, head: journal.disk.head))
    }

    func diskRead(_ generation: Int, _ ticket: Int, _ after: UInt64, _ recordsMax: Int) {
        let event = SimulatedEvent.diskRead(
            generation: generation, ticket: ticket, after: after, recordsMax: recordsMax)
        guard journal.generation == generation, journal.isUp, !isPaused(.journal, event)
        else { return }
        let records = journal.disk.records.dropFirst(Int(after)).prefix(recordsMax)
        stepJournal(.read(ticket, records: Array(records), blobs: []))
    }

    /// The crash may come before or after the disk has what it was writing.
    func crashJournal() {
        let group = journal.group ?? []
        journal.group = nil
        for (_, entry) in group where happens(1, in: 2) { _ = journal.disk.append(entry) }
    }
}
