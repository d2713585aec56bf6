import Journal
import Messages

/// The journal's server and its disk.
extension Simulation {
    static func makeJournal(
        _ generation: Int, _ disk: SimulatedDisk, _ month: SimulatedMonth?
    ) -> JournalServer {
        var configuration = JournalServerConfiguration(
            identity: Identity(high: 9, low: 9), incarnation: UInt64(generation) + 1)
        configuration.tailRecordsMax = 5
        configuration.groupRecordsMax = 3
        return JournalServer(
            configuration: configuration, head: month?.journal.head ?? disk.head,
            holdings: month?.holdings ?? disk.holdings)
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
            case .read(let ticket, let after, let recordsMax, _, let streams):
                events.insert(
                    .diskRead(
                        generation: journal.generation, ticket: ticket, after: after,
                        recordsMax: recordsMax, streams), at: now + below(2_000_000))
            case .keys(let account, let after, let question):
                let keys = month?.keys(of: account, after: after) ?? []
                answer(.keys(keys, isLast: true, for: question))
            case .fetch(let id, let first, let streams, let question):
                let chunk =
                    month.map { $0.fetched(id, from: first, streams) }
                    ?? journal.disk.fetched(id, from: first, streams)
                answer(.chunk(chunk, for: question))
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
        let outcomes = store(group.map(\.entry))
        let answers = zip(group, outcomes).map { (ticket: $0.ticket, outcome: $1) }
        stepJournal(.appended(answers, head: month?.journal.head ?? journal.disk.head))
        if happens(1, in: month == nil ? 15 : 150) {
            if let month { month.compact() } else { journal.disk.compact() }
            stepJournal(.holds(month?.holdings ?? journal.disk.holdings))
        }
    }

    private func store(_ entries: [JournalEntry]) -> [AppendOutcome] {
        if let month { return month.append(entries) }
        return entries.map { journal.disk.append($0) }
    }

    func diskRead(
        _ generation: Int, _ ticket: Int, _ after: UInt64, _ recordsMax: Int, _ streams: Set<String>
    ) {
        let event = SimulatedEvent.diskRead(
            generation: generation, ticket: ticket, after: after, recordsMax: recordsMax, streams)
        guard journal.generation == generation, journal.isUp, !isPaused(.journal, event)
        else { return }
        if let month {
            let part = month.tail(after: after, recordsMax: recordsMax, streams)
            return stepJournal(
                part.map { .read(ticket, $0) } ?? .readFailed(ticket, "records are gone"))
        }
        let records = journal.disk.records.dropFirst(Int(after)).prefix(recordsMax)
        stepJournal(.read(ticket, TailPart(records: Array(records))))
    }

    /// The crash may come before or after the disk has what it was writing.
    func crashJournal() {
        let group = journal.group ?? []
        journal.group = nil
        for (_, entry) in group where happens(1, in: 2) { _ = store([entry]) }
    }
}
