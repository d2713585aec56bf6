import Journal
import Messages

/// The journal's server and its disk.
extension Simulation {
    static func makeJournal(_ generation: Int, _ disk: SimulatedDisk) -> JournalServer {
        var configuration = JournalServerConfiguration(
            identity: Identity(high: 9, low: 9), incarnation: UInt64(generation) + 1)
        configuration.tailRecordsMax = 5
        configuration.groupRecordsMax = 3
        return JournalServer(
            configuration: configuration, head: disk.head, holdings: disk.holdings)
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
            case .keys(_, _, let question):
                answer(.keys([], isLast: true, for: question))
            case .fetch(let id, let first, let streams, let question):
                answer(.chunk(journal.disk.fetched(id, from: first, streams), for: question))
            case .fact: break
            }
        }
        schedule(.journal, journal.machine.nextWake)
    }

    private func answer(_ event: JournalEvent) {
        events.insert(
            .answer(generation: journal.generation, event), at: now + below(2_000_000))
    }

    func diskWrote(_ generation: Int) {
        guard journal.generation == generation, journal.isUp, let group = journal.group,
            !isPaused(.journal, .diskWrote(generation: generation))
        else { return }
        journal.group = nil
        let outcomes = group.map { (ticket: $0.ticket, outcome: journal.disk.append($0.entry)) }
        stepJournal(.appended(outcomes, head: journal.disk.head))
        if happens(1, in: 15) {
            journal.disk.compact()
            stepJournal(.holds(journal.disk.holdings))
        }
    }

    func diskRead(_ generation: Int, _ ticket: Int, _ after: UInt64, _ recordsMax: Int) {
        let event = SimulatedEvent.diskRead(
            generation: generation, ticket: ticket, after: after, recordsMax: recordsMax)
        guard journal.generation == generation, journal.isUp, !isPaused(.journal, event)
        else { return }
        let records = journal.disk.records.dropFirst(Int(after)).prefix(recordsMax)
        stepJournal(.read(ticket, TailPart(records: Array(records))))
    }

    /// The crash may come before or after the disk has what it was writing.
    func crashJournal() {
        let group = journal.group ?? []
        journal.group = nil
        for (_, entry) in group where happens(1, in: 2) { _ = journal.disk.append(entry) }
    }
}
