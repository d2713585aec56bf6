import Journal
import Messages
import TestSupport
import Testing

/// The laws of snapshots and compaction that every backend keeps.
@Suite(.timeLimit(.minutes(5)))
struct SnapshotContractTests {
    typealias Kind = BackendContractTests.Kind

    private static let now = Timestamp(milliseconds: 1_700_000_000_000)
    /// Keeps nothing of the past but one snapshot.
    private static let smallest = RetentionPolicy(historyMilliseconds: 0, snapshotsMin: 1)
    /// All test records are older.
    private static let later = Timestamp(milliseconds: now.milliseconds + 1)

    @Test(arguments: Kind.allCases)
    func snapshotComesBackChunkByChunk(kind: Kind) throws {
        try kind.withJournal { journal in
            #expect(journal.firstSequence == 1)
            #expect(journal.snapshots.isEmpty)
            _ = try journal.append(try Make.entries(5))
            let hashes = try [[9], [8]].map { try Make.hash($0) }
            let writer = try journal.beginSnapshot(at: journal.position(4))
            try writer.append([1, 2, 3], stream: "catalog")
            try writer.append([4], stream: "calendar")
            #expect(journal.snapshots.isEmpty)
            let snapshot = try writer.finish(blobs: hashes + hashes)
            #expect(snapshot.position == journal.position(4))
            #expect(snapshot.blobs == hashes.sorted())
            #expect(snapshot.chunks.map(\.stream) == ["catalog", "calendar"])
            #expect(snapshot.chunks.map(\.byteCount) == [3, 1])
            #expect(journal.snapshots == [snapshot])
            #expect(try journal.chunk(0, of: snapshot.id) == [1, 2, 3])
            #expect(try journal.chunk(1, of: snapshot.id) == [4])
            #expect(try journal.chunk(2, of: snapshot.id) == nil)
            #expect(try journal.chunk(-1, of: snapshot.id) == nil)
            #expect(try journal.chunk(0, of: try Make.hash([])) == nil)
        }
    }

    @Test(arguments: Kind.allCases)
    func oneSnapshotIsMadeAtATimeAndAnAbandonedOneIsNotKept(kind: Kind) throws {
        try kind.withJournal { journal in
            _ = try journal.append(try Make.entries(2))
            do {
                let writer = try journal.beginSnapshot(at: journal.position(1))
                try writer.append([1], stream: "catalog")
                let error = #expect(throws: JournalError.self) {
                    _ = try journal.beginSnapshot(at: journal.position(2))
                }
                #expect(error?.code == .busy)
            }
            #expect(journal.snapshots.isEmpty)
            let finished = try journal.beginSnapshot(at: journal.position(1))
            _ = try finished.finish(blobs: [])
            let next = try journal.beginSnapshot(at: journal.position(2))
            _ = try next.finish(blobs: [])
            #expect(journal.snapshots.map(\.position.sequence) == [1, 2])
        }
    }

    @Test(arguments: Kind.allCases)
    func snapshotOfAPositionThatIsNotThereIsRefused(kind: Kind) throws {
        try kind.withJournal { journal in
            _ = try journal.append(try Make.entries(2))
            for position in [journal.position(3), Position(epoch: 5, sequence: 1)] {
                let error = #expect(throws: JournalError.self) {
                    _ = try journal.beginSnapshot(at: position)
                }
                #expect(error?.code == .outOfRange)
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func nothingIsRemovedWithoutASnapshotButBlobsThatNothingNames(kind: Kind) throws {
        try kind.withJournal { journal in
            _ = try journal.append([try Make.entry("a", blobs: [[1]])])
            _ = try journal.append(try Make.entries(100))
            let result = try journal.compact(Self.smallest, now: Self.later)
            #expect(result == CompactionResult())
            #expect(journal.firstSequence == 1)
            #expect(journal.hasBlob(try Make.hash([1])))
        }
    }

    @Test(arguments: Kind.allCases)
    func compactionRemovesWhatTheOldestKeptSnapshotHolds(kind: Kind) throws {
        try kind.withJournal { journal in
            _ = try journal.append([try Make.entry("gone", blobs: [[1], [2]])])
            try Self.appendSingly(try Make.entries(60), to: journal)
            try Self.makeSnapshot(of: journal, at: 30, blobs: [])
            try Self.makeSnapshot(of: journal, at: 50, blobs: [[2]])
            _ = try journal.append([try Make.entry("kept", blobs: [[3]])])
            let before = try journal.read(after: 50, recordsMax: 99, bytesMax: 1 << 20)
            let result = try journal.compact(Self.smallest, now: Self.later)
            let first = journal.firstSequence
            #expect(first > 30 && first <= 51)
            #expect(result.records == first - 1)
            #expect(result.snapshots == 1)
            #expect(result.blobs == 1)
            #expect(result.bytes > 0)
            #expect(journal.snapshots.map(\.position.sequence) == [50])
            #expect(journal.hasBlob(try Make.hash([1])) == false)
            #expect(try journal.blob(try Make.hash([2])) == [2])
            #expect(try journal.blob(try Make.hash([3])) == [3])
            #expect(try journal.read(after: 50, recordsMax: 99, bytesMax: 1 << 20) == before)
            for after in [0, first - 2] {
                let error = #expect(throws: JournalError.self) {
                    _ = try journal.read(after: after, recordsMax: 1, bytesMax: 1)
                }
                #expect(error?.code == .compacted)
            }
            #expect(
                try journal.read(after: first - 1, recordsMax: 1, bytesMax: 1)[0].position
                    == journal.position(first))
        }
    }

    @Test(arguments: Kind.allCases)
    func historyAndTheLeastNumberOfSnapshotsAreKept(kind: Kind) throws {
        try kind.withJournal { journal in
            for number in 1...60 {
                var entry = try Make.entry("c\(number)")
                entry.recordedTime = Timestamp(milliseconds: Int64(number) * 1_000)
                _ = try journal.append([entry])
            }
            for sequence: UInt64 in [20, 40, 60] {
                try Self.makeSnapshot(of: journal, at: sequence, blobs: [])
            }
            // Records from 31 s on are young, so the snapshot at 20 is needed for them.
            let history = RetentionPolicy(historyMilliseconds: 30_000, snapshotsMin: 1)
            _ = try journal.compact(history, now: Timestamp(milliseconds: 61_000))
            #expect(journal.snapshots.map(\.position.sequence) == [20, 40, 60])
            #expect(journal.firstSequence <= 21)
            let two = RetentionPolicy(historyMilliseconds: 0, snapshotsMin: 2)
            _ = try journal.compact(two, now: Timestamp(milliseconds: 61_000))
            #expect(journal.snapshots.map(\.position.sequence) == [40, 60])
            #expect(journal.firstSequence > 1 && journal.firstSequence <= 41)
            _ = try journal.compact(Self.smallest, now: Timestamp(milliseconds: 61_000))
            #expect(journal.snapshots.map(\.position.sequence) == [60])
        }
    }

    @Test(arguments: Kind.allCases)
    func changeWhoseRecordIsGoneIsStillADuplicate(kind: Kind) throws {
        try kind.withJournal { journal in
            try Self.appendSingly(try Make.entries(120), to: journal)
            try Self.makeSnapshot(of: journal, at: 120, blobs: [])
            _ = try journal.compact(Self.smallest, now: Self.later)
            #expect(journal.firstSequence > 80)
            #expect(
                try journal.append([try Make.entry("c30"), try Make.entry("c21")])
                    == [.duplicate(journal.position(30)), .duplicate(journal.position(21))])
            #expect(try journal.append([try Make.entry("c20")]) == [.stored(journal.position(121))])
        }
    }

    @Test(arguments: Kind.allCases)
    func snapshotThatIsBeingMadeKeepsWhatItNeeds(kind: Kind) throws {
        try kind.withJournal { journal in
            try Self.appendSingly(try Make.entries(60), to: journal)
            try Self.makeSnapshot(of: journal, at: 10, blobs: [])
            try Self.makeSnapshot(of: journal, at: 60, blobs: [])
            let writer = try journal.beginSnapshot(at: journal.position(20))
            _ = try journal.compact(Self.smallest, now: Self.later)
            #expect(journal.snapshots.map(\.position.sequence) == [10, 60])
            #expect(journal.firstSequence <= 21)
            _ = try writer.finish(blobs: [])
            #expect(journal.snapshots.map(\.position.sequence) == [10, 20, 60])
        }
    }

    static func appendSingly(_ entries: [JournalEntry], to journal: any JournalBackend) throws {
        for entry in entries { _ = try journal.append([entry]) }
    }

    @discardableResult
    static func makeSnapshot(
        of journal: any JournalBackend, at sequence: UInt64, blobs: [[UInt8]]
    ) throws -> Snapshot {
        let writer = try journal.beginSnapshot(at: journal.position(sequence))
        try writer.append(Array("state at \(sequence)".utf8), stream: "catalog")
        return try writer.finish(blobs: try blobs.map { try Make.hash($0) })
    }
}
