import Calendar
import Journal
import Messages
import Queue
import Service
import TestSupport

/// A month of calendar traffic for a simulation: what its clients send, the real journal backend
/// that takes it, and the real stores of its workers.
final class SimulatedMonth {
    /// Every account's changes, and what must be held at the end.
    let month: CalendarMonth
    /// The journal behind the simulated server.
    let journal: MemoryJournal
    /// What the workers hold; survives their crashes.
    private(set) var stores: [ReplicaStore] = []
    /// What the journal's clock shows, within a day.
    let wall: Int64

    private let accounts: [[CalendarMonth.Delivery]]
    /// How many changes of an account are answered.
    private var answered: [Int]
    /// The account whose change a ticket is.
    private var open: [Int: Int] = [:]
    /// The ticket under which an account's next change is sent.
    private var tickets: [Int?]
    /// Before that an account's next change is not sent.
    private var waits: [UInt64]
    private let folder: String
    private var folders = 0
    private var paths = ["", "", ""]
    private let log = Log(threshold: .error)

    static let streams = ["account", "calendar", "catalog"]

    /// Noon of a day, so that the few minutes of a run are of one.
    private static let noon: Int64 = 20_787 * 86_400_000 + 43_200_000

    init(seed: UInt64, accounts: Int, events: Int, folder: String) throws {
        wall = Self.noon
        month = CalendarMonth(
            seed: seed, accounts: accounts, events: events,
            start: wall - CalendarMonth.milliseconds, storedAt: wall)
        let byAccount = Dictionary(grouping: month.deliveries, by: \.account)
        self.accounts = byAccount.sorted { $0.key < $1.key }.map(\.value)
        answered = self.accounts.map { _ in 0 }
        tickets = self.accounts.map { _ in nil }
        waits = self.accounts.map { _ in 0 }
        self.folder = folder
        journal = MemoryJournal(epoch: seed + 1)
        for worker in 0..<3 { stores.append(try newStore(of: worker)) }
    }

    /// Both clocks of every process: what is stored is of one day, since what is kept depends on it.
    func clock(at now: UInt64) -> Now {
        Now(
            monotonic: MonotonicTime(nanoseconds: now),
            wall: Timestamp(milliseconds: wall + Int64(now / Simulation.millisecond)))
    }

    // MARK: Clients

    /// Every change was answered.
    var isSent: Bool { zip(answered, accounts).allSatisfy { $0 == $1.count } }
    var accountCount: Int { accounts.count }

    /// The change that an account sends next, if it may send one now.
    func next(of account: Int, at now: UInt64) -> CalendarMonth.Delivery? {
        guard tickets[account] == nil, waits[account] <= now,
            answered[account] < accounts[account].count
        else { return nil }
        return accounts[account][answered[account]]
    }

    func sent(_ account: Int, under ticket: Int) {
        tickets[account] = ticket
        open[ticket] = account
    }

    /// The client that sent a change is gone: nobody hears of its answer.
    func lost(_ ticket: Int) {
        guard let account = open.removeValue(forKey: ticket) else { return }
        tickets[account] = nil
    }

    /// What is wrong with an outcome; nil if nothing is. The same change is sent again unless it
    /// was stored or is not allowed.
    func finished(_ ticket: Int, _ outcome: Outcome, at now: UInt64) -> String? {
        guard let account = open.removeValue(forKey: ticket) else { return nil }
        tickets[account] = nil
        let delivery = accounts[account][answered[account]]
        switch outcome {
        case .ack:
            guard delivery.isAllowed else { return "\(delivery.id) is stored without access" }
        case .error(.accessRequired, _, _, _):
            guard !delivery.isAllowed else { return "\(delivery.id) is refused with access" }
        case .error, .timedOut: return nil
        case .final: return "FINAL to a change"
        }
        answered[account] += 1
        let following = accounts[account].dropFirst(answered[account]).first
        // A copy that the network still has must not come behind a loss of access and the next
        // grant of it: what was said under the old access counts no more.
        if following?.kind == .calendarAccess { waits[account] = now + 3_000_000_000 }
        return nil
    }

    // MARK: Journal

    var holdings: JournalHoldings {
        JournalHoldings(
            firstSequence: journal.firstSequence,
            snapshot: journal.snapshots.last.map { SnapshotOffer($0) })
    }

    func append(_ entries: [JournalEntry]) -> [AppendOutcome] {
        (try? journal.append(entries)) ?? entries.map { _ in .refused("the journal is broken") }
    }

    func tail(after sequence: UInt64, recordsMax: Int, _ streams: Set<String>) -> TailPart? {
        try? journal.tail(
            after: sequence, recordsMax: recordsMax, bytesMax: 1 << 20, streams: streams)
    }

    func keys(of account: String?, after last: KeyID?) -> [AccountKey] {
        guard let account else {
            return journal.keyring.all.filter { key in last.map { key.id > $0 } ?? true }
        }
        return journal.keyring.keys(of: account)
    }

    func fetched(_ id: ContentHash, from first: Int, _ streams: Set<String>) -> FetchedChunk? {
        guard let snapshot = journal.snapshots.last(where: { $0.id == id }) else { return nil }
        let index = snapshot.firstChunk(from: first, in: streams)
        let bytes = (try? journal.chunk(index, of: id)) ?? nil
        return FetchedChunk(snapshot: snapshot, index: index, bytes: bytes ?? [])
    }

    /// Takes a snapshot and removes what it holds.
    func compact() {
        guard (try? SnapshotMaker(journal).make()) != nil else { return }
        _ = try? journal.compact(
            RetentionPolicy(historyMilliseconds: 0), now: Timestamp(milliseconds: .max))
    }

    // MARK: Workers

    /// A worker's process begins again, on what its disk has or on an empty one.
    func restart(_ worker: Int, onEmptyDisk: Bool) throws {
        stores[worker].close()
        // The file is another process's until its store is gone.
        let path = paths[worker]
        stores[worker] = try newStore(of: worker)
        guard !onEmptyDisk else { return }
        paths[worker] = path
        stores[worker] = try ReplicaStore(folder: path, log: log)
    }

    /// A store on a folder of its own.
    private func newStore(of worker: Int) throws -> ReplicaStore {
        folders += 1
        paths[worker] = "\(folder)/\(worker)-\(folders)"
        return try ReplicaStore(folder: paths[worker], log: log)
    }

    // MARK: End

    /// What a worker does not hold, or holds and should not; nil if all is as expected.
    func fault(of worker: Int) -> String? {
        let content = stores[worker].content()
        guard stores[worker].position == journal.head else {
            return "replica \(worker) stands at \(stores[worker].position.map { "\($0)" } ?? "0")"
        }
        guard content.putAside.isEmpty else {
            return "replica \(worker) put aside \(content.putAside)"
        }
        for (name, wanted) in month.expected.sorted(by: { $0.key < $1.key }) {
            let held = content.accounts[name] ?? AccountCalendars()
            guard held.access == wanted.access else {
                return "replica \(worker): access of \(name) is \(held.access)"
            }
            let calendars = held.calendars.mapValues { calendar in
                calendar.resources.mapValues {
                    CalendarMonth.essence(of: String(decoding: $0.text, as: UTF8.self))
                }
            }.filter { !$0.value.isEmpty }
            guard calendars == wanted.calendars.mapValues({ $0.mapValues(CalendarMonth.essence) })
            else { return "replica \(worker) holds other events of \(name)" }
        }
        return nil
    }
}
