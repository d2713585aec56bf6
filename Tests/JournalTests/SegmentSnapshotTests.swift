import Foundation
import Journal
import Locking
import Messages
import TestSupport
import Testing

/// What is particular to snapshots and compaction in files.
@Suite(.timeLimit(.minutes(5)))
struct SegmentSnapshotTests {
    private static let policy = RetentionPolicy(historyMilliseconds: 0, snapshotsMin: 1)
    private static let later = Timestamp(milliseconds: 1_700_000_000_001)

    private static func open(
        _ path: String, _ mode: SegmentLog.Mode = .readWrite, probe: DiskProbe = .none
    ) throws -> SegmentJournal {
        try SegmentJournal(
            folder: path, mode: mode, newEpoch: 9, segmentBytesMax: 2_000, changeWindowMax: 100,
            probe: probe)
    }

    /// A journal of 120 records with a snapshot of 119, compacted.
    private static func makeCompacted(_ path: String) throws -> Snapshot {
        let journal = try open(path)
        try SnapshotContractTests.appendSingly(try Make.entries(120), to: journal)
        let snapshot = try SnapshotContractTests.makeSnapshot(of: journal, at: 119, blobs: [])
        _ = try journal.compact(policy, now: later)
        #expect(journal.firstSequence > 80)
        return snapshot
    }

    private static func files(_ path: String, _ end: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/snapshots")
            .filter { $0.hasSuffix(end) }.map { "\(path)/snapshots/\($0)" }
    }

    @Test func compactedJournalOpensAgainWithItsSnapshotAndItsWindow() throws {
        try withMemoryDirectory { path in
            let snapshot = try Self.makeCompacted(path)
            for mode in [SegmentLog.Mode.readOnly, .readWrite] {
                let journal = try Self.open(path, mode)
                #expect(journal.damage == nil)
                #expect(journal.firstSequence > 80)
                #expect(journal.snapshots == [snapshot])
                #expect(try journal.chunk(0, of: snapshot.id) == Array("state at 119".utf8))
            }
            let journal = try Self.open(path)
            #expect(
                try journal.append([try Make.entry("c30"), try Make.entry("c20")])
                    == [.duplicate(journal.position(30)), .stored(journal.position(121))])
            // Once compacted again, what the file of the first compaction knew is not lost.
            _ = try journal.compact(Self.policy, now: Self.later)
            #expect(
                try journal.append([try Make.entry("c31"), try Make.entry("c20")])
                    == [.duplicate(journal.position(31)), .duplicate(journal.position(121))])
        }
    }

    @Test func missingRecordsWithoutASnapshotAreDamage() throws {
        try withMemoryDirectory { path in
            _ = try Self.makeCompacted(path)
            for file in try Self.files(path, ".manifest") {
                try FileManager.default.removeItem(atPath: file)
            }
            let error = #expect(throws: JournalError.self) { _ = try Self.open(path, .readOnly) }
            #expect(error?.code == .damaged)
        }
    }

    @Test func recordsThatOnlyASnapshotHoldsAreDamageAtTheEnd() throws {
        try withMemoryDirectory { path in
            do {
                let journal = try Self.open(path)
                _ = try journal.append(try Make.entries(10))
                try SnapshotContractTests.makeSnapshot(of: journal, at: 10, blobs: [])
            }
            let file = "\(path)/records-00000000000000000001.segment"
            let bytes = try Data(contentsOf: URL(filePath: file))
            try bytes.dropLast(5).write(to: URL(filePath: file))
            let journal = try Self.open(path)
            #expect(journal.head.sequence == 9)
            #expect(journal.damage?.file == file)
            let error = #expect(throws: JournalError.self) {
                _ = try journal.append(try Make.entries(1, prefix: "x"))
            }
            #expect(error?.code == .damaged)
        }
    }

    @Test func unfinishedSnapshotIsRemovedAtTheNextStart() throws {
        try withMemoryDirectory { path in
            do { _ = try Self.open(path).append(try Make.entries(3)) }
            let folder = "\(path)/snapshots"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            for name in ["incoming.chunks", "incoming.manifest", "00000000000000000002-ab.chunks"] {
                try Data([1]).write(to: URL(filePath: "\(folder)/\(name)"))
            }
            let journal = try Self.open(path)
            #expect(journal.snapshots.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func damagedManifestOrMissingChunksAreReportedAndNotListed() throws {
        try withMemoryDirectory { path in
            do {
                let journal = try Self.open(path)
                _ = try journal.append(try Make.entries(3))
                for sequence: UInt64 in 1...3 {
                    try SnapshotContractTests.makeSnapshot(of: journal, at: sequence, blobs: [])
                }
            }
            let manifest = try Self.files(path, ".manifest").sorted()[0]
            var bytes = try Data(contentsOf: URL(filePath: manifest))
            bytes[20] ^= 1
            try bytes.write(to: URL(filePath: manifest))
            let chunks = try Self.files(path, ".chunks").sorted()[1]
            try Data([1]).write(to: URL(filePath: chunks))
            let journal = try Self.open(path)
            #expect(journal.snapshots.map(\.position.sequence) == [3])
            #expect(Set(journal.snapshotDamage.map(\.file)) == [manifest, chunks])
        }
    }

    @Test func damagedWindowStopsStoringButNotServing() throws {
        try withMemoryDirectory { path in
            _ = try Self.makeCompacted(path)
            let file = "\(path)/changes"
            var bytes = try Data(contentsOf: URL(filePath: file))
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: URL(filePath: file))
            let journal = try Self.open(path)
            #expect(try journal.read(after: 118, recordsMax: 9, bytesMax: 9_999).count == 2)
            let error = #expect(throws: JournalError.self) {
                _ = try journal.append([try Make.entry("c30")])
            }
            #expect(error?.code == .stopped)
            #expect(error?.context.contains(file) == true)
        }
    }

    @Test func snapshotIsOnTheDiskBeforeItIsListedAndTheWindowBeforeRecordsGo() throws {
        try withMemoryDirectory { path in
            let seen = Locked<[String]>([])
            let journal = try Self.open(
                path,
                probe: DiskProbe { operation, file in
                    let name = file.split(separator: "/").last ?? ""
                    let end = name.split(separator: ".").last ?? ""
                    seen.withLock { $0.append("\(operation.rawValue) \(end)") }
                    return 0
                })
            try SnapshotContractTests.appendSingly(try Make.entries(60), to: journal)
            let writer = try journal.beginSnapshot(at: journal.position(60))
            try writer.append([1], stream: "catalog")
            seen.withLock { $0 = [] }
            _ = try writer.finish(blobs: [])
            #expect(
                seen.withLock { $0 } == [
                    "sync chunks", "write manifest", "sync manifest", "rename chunks",
                    "syncFolder snapshots", "rename manifest", "syncFolder snapshots",
                ])
            seen.withLock { $0 = [] }
            _ = try journal.compact(Self.policy, now: Self.later)
            #expect(
                seen.withLock { Array($0.prefix(3)) } == [
                    "write new", "sync new", "rename changes",
                ]
            )
        }
    }

    @Test func compactionRunsBesideAppends() async throws {
        try await withMemoryDirectory { path in
            let journal = try Self.open(path)
            let shared = Array("shared".utf8)
            try SnapshotContractTests.appendSingly(try Make.entries(60), to: journal)
            let writes = Task.detached {
                for number in 0..<150 {
                    let own = Array("blob \(number)".utf8)
                    let blobs = number % 2 == 0 ? [own] : [own, shared]
                    _ = try journal.append([try Make.entry("w\(number)", blobs: blobs)])
                }
            }
            for _ in 0..<15 {
                let head = journal.head
                let named = try journal.read(
                    after: journal.firstSequence - 1, recordsMax: 9_999, bytesMax: 1 << 30
                ).filter { ($0.position?.sequence ?? 0) <= head.sequence }
                let writer = try journal.beginSnapshot(at: head)
                try writer.append([1], stream: "catalog")
                let kept = Set(journal.snapshots.flatMap(\.blobs))
                _ = try writer.finish(
                    blobs: Array(kept) + named.flatMap { $0.fields.blobs.map(\.hash) })
                _ = try journal.compact(Self.policy, now: Self.later)
            }
            try await writes.value
            for number in 0..<150 {
                let blob = Array("blob \(number)".utf8)
                #expect(try journal.blob(try Make.hash(blob)) == blob)
            }
            #expect(try journal.blob(try Make.hash(shared)) == shared)
        }
    }
}
