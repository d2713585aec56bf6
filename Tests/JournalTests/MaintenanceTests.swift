import Foundation
import Journal
import Messages
import TestSupport
import Testing

/// Verification, backup and restore.
@Suite(.timeLimit(.minutes(5)))
struct MaintenanceTests {
    private static let policy = RetentionPolicy(historyMilliseconds: 0, snapshotsMin: 1)
    private static let later = Timestamp(milliseconds: 1_700_000_000_001)

    private static func open(
        _ path: String, _ mode: SegmentLog.Mode = .readWrite
    ) throws -> SegmentJournal {
        try SegmentJournal(
            folder: path, mode: mode, newEpoch: 9, segmentBytesMax: 4_000, changeWindowMax: 200)
    }

    /// 100 records with blobs and accounts, some of them removed behind a snapshot.
    private static func fill(_ journal: SegmentJournal) throws {
        for number in 1...90 {
            let blobs = number % 10 == 0 ? [Array("blob \(number)".utf8)] : []
            _ = try journal.append([try Make.entry("c\(number)", blobs: blobs)])
        }
        try SnapshotContractTests.makeSnapshot(
            of: journal, at: 60, blobs: [Array("blob 20".utf8)])
        for number in 1...10 {
            var entry = try Make.entry(
                "p\(number)", kind: .calendarAccess, body: "{\"status\":\"fullAccess\"}")
            entry.record.fields.set(.account, text: "somebody")
            _ = try journal.append([entry])
        }
        _ = try journal.compact(policy, now: later)
        #expect(journal.firstSequence > 30)
    }

    private static func copy(of journal: SegmentJournal) throws -> [Record] {
        try journal.read(
            after: journal.firstSequence - 1, recordsMax: 9_999, bytesMax: 1 << 30)
    }

    @Test func soundJournalHasNoFaultsAndItsPartsAreCounted() throws {
        try withMemoryDirectory { path in
            let journal = try Self.open(path)
            try Self.fill(journal)
            let report = try JournalVerification.run(folder: path)
            #expect(report.faults == [])
            #expect(report.records == 101 - journal.firstSequence)
            #expect(report.snapshots == 1)
            #expect(report.chunks == 1)
            #expect(report.keys == 1)
            #expect(report.erasedRecords == 0)
            let summary = try Self.open(path, .readOnly).summary()
            #expect(report.blobs == summary.blobs)
            #expect(summary.records == report.records)
            #expect(summary.accounts == 1)
            #expect(summary.damage == [])
        }
    }

    @Test func missingBlobIsAFaultThatNamesItsFileAndWhoNeedsIt() throws {
        try withMemoryDirectory { path in
            try Self.fill(try Self.open(path))
            for (text, who) in [("blob 90", "record 90"), ("blob 20", "the snapshot at 60")] {
                let hash = ContentHash.of(Array(text.utf8)).description
                let file = "\(path)/blobs/\(hash.prefix(2))/\(hash.dropFirst(2))"
                let bytes = try Data(contentsOf: URL(filePath: file))
                try FileManager.default.removeItem(atPath: file)
                let report = try JournalVerification.run(folder: path)
                #expect(report.faults.map(\.file) == [file])
                #expect(report.faults.first?.reason.contains(who) == true)
                try bytes.write(to: URL(filePath: file))
            }
        }
    }

    @Test func restoredJournalHoldsTheSameUnderANewEpoch() throws {
        try withMemoryDirectory { path in
            let journal = try Self.open("\(path)/journal")
            try Self.fill(journal)
            let backup = try JournalBackup.run(
                folder: "\(path)/journal", to: "\(path)/backup")
            #expect(backup.position == journal.head)
            #expect(
                try JournalBackup.writeKeys(of: "\(path)/journal", to: "\(path)/keys") == 1)
            #expect(FileManager.default.fileExists(atPath: "\(path)/backup/keys") == false)
            let mode =
                try FileManager.default.attributesOfItem(atPath: "\(path)/keys")[.posixPermissions]
                as? Int
            #expect(mode == 0o600)
            let result = try JournalRestore.run(
                backup: "\(path)/backup", to: "\(path)/new", keys: "\(path)/keys", epoch: 77,
                upToDamage: false)
            #expect(result.position == Position(epoch: 77, sequence: 100))
            #expect(result.snapshots == 1)
            #expect(result.keys == 1)
            let restored = try Self.open("\(path)/new")
            #expect(restored.epoch == 77)
            #expect(restored.head == result.position)
            #expect(restored.firstSequence == journal.firstSequence)
            #expect(restored.keyring == journal.keyring)
            #expect(restored.snapshots.map(\.position) == [Position(epoch: 77, sequence: 60)])
            let moved = try Self.copy(of: journal).map { record in
                var moved = record
                moved.fields.position = Position(
                    epoch: 77, sequence: record.position?.sequence ?? 0)
                return moved
            }
            #expect(try Self.copy(of: restored) == moved)
            #expect(try JournalVerification.run(folder: "\(path)/new").faults == [])
            // Changes are known as before, also those whose records are gone.
            #expect(
                try restored.append([try Make.entry("c5"), try Make.entry("fresh")])
                    == [.duplicate(restored.position(5)), .stored(restored.position(101))])
        }
    }

    @Test func restoredWithoutKeysNobodyReadsWhatBelongsToAccounts() throws {
        try withMemoryDirectory { path in
            try Self.fill(try Self.open("\(path)/journal"))
            _ = try JournalBackup.run(folder: "\(path)/journal", to: "\(path)/backup")
            _ = try JournalRestore.run(
                backup: "\(path)/backup", to: "\(path)/new", keys: nil, epoch: 77,
                upToDamage: false)
            #expect(try JournalVerification.run(folder: "\(path)/new").erasedRecords == 10)
        }
    }

    @Test func secondBackupCopiesOnlyWhatIsNewAndDropsWhatIsGone() throws {
        try withMemoryDirectory { path in
            let journal = try Self.open("\(path)/journal")
            try Self.fill(journal)
            let first = try JournalBackup.run(folder: "\(path)/journal", to: "\(path)/backup")
            #expect(first.present == 0)
            _ = try journal.append([try Make.entry("new", blobs: [[1, 2, 3]])])
            let second = try JournalBackup.run(folder: "\(path)/journal", to: "\(path)/backup")
            // The last segment, the blob, and the window of changes.
            #expect(second.files == 3)
            #expect(second.present == first.files - 2)
            #expect(second.position.sequence == 101)
            try SnapshotContractTests.makeSnapshot(of: journal, at: 101, blobs: [])
            _ = try journal.compact(Self.policy, now: Self.later)
            _ = try JournalBackup.run(folder: "\(path)/journal", to: "\(path)/backup")
            #expect(try JournalVerification.run(folder: "\(path)/backup").faults == [])
            let summary = try Self.open("\(path)/backup", .readOnly).summary()
            #expect(summary.firstSequence == journal.firstSequence)
            #expect(summary.snapshots.map(\.position.sequence) == [101])
        }
    }

    @Test func backupGoesNowhereElse() throws {
        try withMemoryDirectory { path in
            try Self.fill(try Self.open("\(path)/journal"))
            let other = try SegmentJournal(
                folder: "\(path)/other", mode: .readWrite, newEpoch: 10)
            _ = try other.append(try Make.entries(1))
            _ = try JournalBackup.run(folder: "\(path)/other", to: "\(path)/theirs")
            try FileManager.default.createDirectory(
                atPath: "\(path)/full/photos", withIntermediateDirectories: true)
            for target in ["theirs", "full"] {
                let error = #expect(throws: JournalError.self) {
                    _ = try JournalBackup.run(
                        folder: "\(path)/journal", to: "\(path)/\(target)")
                }
                #expect(error?.code == .notEmpty)
            }
            let error = #expect(throws: JournalError.self) {
                _ = try JournalRestore.run(
                    backup: "\(path)/theirs", to: "\(path)/journal", keys: nil, epoch: 1,
                    upToDamage: false)
            }
            #expect(error?.code == .notEmpty)
        }
    }

    @Test func damagedBackupIsRefusedUnlessWhatItHasIsWanted() throws {
        try withMemoryDirectory { path in
            try Self.fill(try Self.open("\(path)/journal"))
            _ = try JournalBackup.run(folder: "\(path)/journal", to: "\(path)/backup")
            let file = try #require(
                try FileManager.default.contentsOfDirectory(atPath: "\(path)/backup").sorted()
                    .last { $0.hasSuffix(".segment") })
            let place = URL(filePath: "\(path)/backup/\(file)")
            let bytes = try Data(contentsOf: place)
            for harmed in [bytes.dropLast(3), bytes.dropLast(bytes.count)] {
                try harmed.write(to: place)
                let error = #expect(throws: JournalError.self) {
                    _ = try JournalRestore.run(
                        backup: "\(path)/backup", to: "\(path)/new", keys: nil, epoch: 7,
                        upToDamage: false)
                }
                #expect(error?.code == .damaged)
                #expect(FileManager.default.fileExists(atPath: "\(path)/new") == false)
            }
            let result = try JournalRestore.run(
                backup: "\(path)/backup", to: "\(path)/new", keys: nil, epoch: 7, upToDamage: true)
            #expect(!result.faults.isEmpty)
            #expect(result.position.sequence < 100)
            #expect(try Self.open("\(path)/new").head == result.position)
        }
    }

    @Test func backupRunsBesideAppendsAndCompactions() async throws {
        try await withMemoryDirectory { path in
            let journal = try Self.open("\(path)/journal")
            try Self.fill(journal)
            let writes = Task.detached {
                for number in 0..<120 {
                    let blob = Array("other \(number)".utf8)
                    _ = try journal.append([try Make.entry("w\(number)", blobs: [blob])])
                    guard number % 20 == 0 else { continue }
                    let writer = try journal.beginSnapshot(at: journal.head)
                    _ = try writer.finish(blobs: [ContentHash.of(blob)])
                    _ = try journal.compact(Self.policy, now: Self.later)
                }
            }
            for _ in 0..<6 {
                _ = try JournalBackup.run(folder: "\(path)/journal", to: "\(path)/backup")
                #expect(try JournalVerification.run(folder: "\(path)/backup").faults == [])
            }
            try await writes.value
        }
    }
}
