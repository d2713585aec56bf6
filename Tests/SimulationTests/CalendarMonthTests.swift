import Calendar
import Foundation
import Journal
import Messages
import Queue
import Service
import TestSupport
import Testing

/// A month of calendar traffic through a journal to replicas that crash, fall behind, start late
/// from a snapshot, and all end as a recomputation from scratch says.
@Suite(.timeLimit(.minutes(10)))
struct CalendarMonthTests {
    private static let start: Int64 = 1_796_000_000_000

    @Test("A month of 10 accounts and 600 events", arguments: 1...4 as ClosedRange<UInt64>)
    func shortMonth(seed: UInt64) throws {
        try run(seed: seed, accounts: 10, events: 600)
    }

    @Test("A month of 100 accounts and 20,000 events", .enabled(if: Soak.isOn))
    func wholeMonth() throws {
        try run(seed: 7, accounts: 100, events: 20_000)
    }

    private func run(seed: UInt64, accounts: Int, events: Int) throws {
        let month = CalendarMonth(
            seed: seed, accounts: accounts, events: events, start: Self.start)
        var random = SeededRandom(seed: seed)
        let journal = MemoryJournal(epoch: seed)
        try declareZoneData("2025a", in: journal)
        try withMemoryDirectory { folder in
            var replicas = try (0..<3).map {
                try SimulatedReplica(folder: "\(folder)/\($0)", journal: journal)
            }
            var stored = 0
            for delivery in month.deliveries {
                stored += try deliver(delivery, to: journal) ? 1 : 0
                guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
                let chosen = Int.random(in: 0..<replicas.count, using: &random)
                try disturb(replicas[chosen], using: &random)
                try makeSnapshotOrNot(of: journal, using: &random)
            }
            try declareZoneData("2025b", in: journal)
            // One that begins only now, and one that lost its disk.
            replicas.append(try SimulatedReplica(folder: "\(folder)/late", journal: journal))
            try replicas[0].beginAnew(folder: "\(folder)/anew")
            for replica in replicas {
                try replica.catchUp()
                try replica.crash()
                try expect(replica, holds: month.expected)
            }
            let states = replicas.map { $0.store.content().accounts }
            for state in states.dropFirst() { #expect(state == states[0]) }
            #expect(stored > month.deliveries.count / 2)
        }
    }

    private func declareZoneData(_ version: String, in journal: MemoryJournal) throws {
        var record = Record(
            fields: Fields(), body: ZoneDeclare(version: version).json.canonical())
        record.fields.set(.recordKind, text: RecordKind.zoneDeclare.rawValue)
        record.fields.set(.source, text: "journal")
        record.fields.set(.changeID, text: version)
        _ = try journal.append([
            JournalEntry(record: record, recordedTime: Timestamp(milliseconds: Self.start))
        ])
        #expect(journal.zoneData == version)
    }

    /// Whether it was stored; what is not allowed never is.
    private func deliver(
        _ delivery: CalendarMonth.Delivery, to journal: MemoryJournal
    ) throws -> Bool {
        var record = Record(fields: Fields(), body: delivery.body.canonical())
        record.fields.set(.recordKind, text: delivery.kind.rawValue)
        record.fields.set(.source, text: "month")
        record.fields.set(.changeID, text: delivery.id)
        record.fields.set(.account, text: delivery.account)
        let outcomes = try journal.append([
            JournalEntry(record: record, recordedTime: Timestamp(milliseconds: delivery.time))
        ])
        switch outcomes.first {
        case .stored, .duplicate:
            #expect(delivery.isAllowed, "\(delivery.id)")
        case .accessRequired:
            #expect(!delivery.isAllowed, "\(delivery.id)")
        case .refused, nil:
            Issue.record("\(delivery.id) is refused")
        }
        if case .stored = outcomes.first { return true }
        return false
    }

    private func disturb(
        _ replica: SimulatedReplica, using random: inout SeededRandom
    ) throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try replica.crash()
        case 1: try replica.catchUp()
        default: try replica.pull(recordsMax: Int.random(in: 1...60, using: &random))
        }
    }

    private func makeSnapshotOrNot(
        of journal: MemoryJournal, using random: inout SeededRandom
    ) throws {
        guard Int.random(in: 0..<40, using: &random) == 0 else { return }
        _ = try SnapshotMaker(journal).make()
        _ = try journal.compact(
            RetentionPolicy(historyMilliseconds: 0), now: Timestamp(milliseconds: .max))
    }

    private func expect(
        _ replica: SimulatedReplica, holds expected: [String: CalendarMonth.Expected]
    ) throws {
        let accounts = replica.store.content().accounts
        for (name, wanted) in expected {
            let held = accounts[name] ?? AccountCalendars()
            #expect(held.access == wanted.access, "\(name)")
            let calendars = held.calendars.mapValues { calendar in
                calendar.resources.mapValues {
                    CalendarMonth.essence(of: String(decoding: $0.text, as: UTF8.self))
                }
            }.filter { !$0.value.isEmpty }
            let essence = wanted.calendars.mapValues { $0.mapValues(CalendarMonth.essence) }
            #expect(calendars == essence, "\(name)")
        }
        #expect(replica.store.content().putAside.isEmpty)
        #expect(replica.store.content().zoneData == "2025b")
    }
}

/// A replica's store that pulls from a journal, and may lose its memory or its disk.
private final class SimulatedReplica {
    private(set) var store: ReplicaStore
    private var folder: String
    private let journal: MemoryJournal
    private let log = Log(threshold: .error)

    init(folder: String, journal: MemoryJournal) throws {
        self.folder = folder
        self.journal = journal
        store = try ReplicaStore(folder: folder, log: log)
        store.replaceKeys(by: journal.keyring.all)
    }

    /// The process is killed and started again: what is on the disk remains.
    func crash() throws {
        store.close()
        store = try Self.reopened(&store, folder, log)
        store.replaceKeys(by: journal.keyring.all)
    }

    /// The file is another process's until the store is gone.
    private static func reopened(
        _ store: inout ReplicaStore, _ folder: String, _ log: Log
    ) throws -> ReplicaStore {
        let placeholder = "\(folder)-closed"
        store = try ReplicaStore(folder: placeholder, log: log)
        return try ReplicaStore(folder: folder, log: log)
    }

    /// Begins on an empty disk.
    func beginAnew(folder: String) throws {
        self.folder = folder
        store = try ReplicaStore(folder: folder, log: log)
        store.replaceKeys(by: journal.keyring.all)
    }

    /// Applies the next records, or the snapshot that holds them.
    func pull(recordsMax: Int) throws {
        let last = store.position?.sequence ?? 0
        guard last + 1 >= journal.firstSequence else { return try load() }
        let part = try journal.tail(
            after: last, recordsMax: recordsMax, bytesMax: 1 << 20,
            streams: ["calendar", "account", "catalog"])
        guard let through = part.records.last?.position else { return }
        store.add(part.keys)
        _ = store.apply(part.records, blobs: [], through: through)
    }

    func catchUp() throws {
        while store.position?.sequence ?? 0 < journal.head.sequence { try pull(recordsMax: 64) }
    }

    private func load() throws {
        guard let snapshot = journal.snapshots.last else { return }
        store.reset(epoch: journal.epoch)
        store.replaceKeys(by: journal.keyring.all)
        for (index, chunk) in snapshot.chunks.enumerated() {
            let bytes = try journal.chunk(index, of: snapshot.id) ?? []
            try store.load(
                SnapshotChunk(
                    snapshot: PartialSnapshot(
                        id: snapshot.id, position: snapshot.position, nextChunk: index + 1),
                    index: index, bytes: bytes, hash: chunk.hash))
        }
        store.finishSnapshot(through: snapshot.position)
    }
}
