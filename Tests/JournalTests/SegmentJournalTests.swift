import Foundation
import Glibc
import Journal
import Locking
import Messages
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SegmentJournalTests {
    private static func open(
        _ path: String, _ mode: SegmentLog.Mode = .readWrite, probe: DiskProbe = .none
    ) throws -> SegmentJournal {
        try SegmentJournal(
            folder: path, mode: mode, newEpoch: 9, segmentBytesMax: 2_000, changeWindowMax: 100,
            probe: probe)
    }

    @Test func reopenedJournalKeepsEpochRecordsBlobsAndWindow() throws {
        try withMemoryDirectory { path in
            do {
                let journal = try Self.open(path)
                _ = try journal.append(try Make.entries(150))
                _ = try journal.append([try Make.entry("blob", blobs: [[1, 2, 3]])])
            }
            let journal = try SegmentJournal(
                folder: path, mode: .readWrite, newEpoch: 10, changeWindowMax: 100)
            #expect(journal.head == Position(epoch: 9, sequence: 151))
            #expect(try journal.changeIDs().count == 151)
            #expect(try journal.blob(try Make.hash([1, 2, 3])) == [1, 2, 3])
            let outcomes = try journal.append([
                try Make.entry("c150"), try Make.entry("c52"), try Make.entry("c51"),
            ])
            #expect(
                outcomes == [
                    .duplicate(journal.position(150)), .duplicate(journal.position(52)),
                    .stored(journal.position(152)),
                ])
        }
    }

    @Test func secondWriterIsRefusedAndReaderIsNot() throws {
        try withMemoryDirectory { path in
            let writer = try Self.open(path)
            _ = try writer.append(try Make.entries(3))
            let error = #expect(throws: JournalError.self) { _ = try Self.open(path) }
            #expect(error?.code == .locked)
            let reader = try Self.open(path, .readOnly)
            #expect(try reader.changeIDs() == ["c1", "c2", "c3"])
            _ = try writer.append(try Make.entries(60, prefix: "d"))
            _ = try writer.append([try Make.entry("last", blobs: [[5]])])
            #expect(reader.head.sequence == 3)
            try reader.refresh()
            #expect(reader.head == writer.head)
            #expect(try reader.changeIDs() == (try writer.changeIDs()))
            #expect(try reader.blob(try Make.hash([5])) == [5])
            let refusal = #expect(throws: JournalError.self) {
                _ = try reader.append(try Make.entries(1, prefix: "x"))
            }
            #expect(refusal?.code == .readOnly)
        }
    }

    @Test func blobsAreOnTheDiskBeforeTheRecordAndTheRecordBeforeTheAnswer() throws {
        try withMemoryDirectory { path in
            let seen = Locked<[String]>([])
            let journal = try Self.open(
                path,
                probe: DiskProbe { operation, file in
                    let name = file.contains("/blobs/") ? "blob" : "records"
                    seen.withLock { $0.append("\(operation) \(name)") }
                    return 0
                })
            seen.withLock { $0 = [] }
            _ = try journal.append([try Make.entry("a", blobs: [[1], [2]])])
            let operations = seen.withLock { $0 }
            let firstRecord = try #require(operations.firstIndex(of: "write records"))
            let lastBlob = try #require(operations.lastIndex { $0.hasSuffix(" blob") })
            let lastRename = try #require(operations.lastIndex(of: "rename blob"))
            let firstRename = try #require(operations.firstIndex(of: "rename blob"))
            let syncs = operations.indices.filter { operations[$0] == "sync blob" }
            #expect(syncs.count == 2)
            #expect(syncs.allSatisfy { $0 < firstRename })
            #expect(operations[lastRename...].contains("syncFolder blob"))
            #expect(lastBlob < firstRecord)
            #expect(operations.last == "sync records")
        }
    }

    @Test(arguments: [DiskOperation.write, .sync, .rename, .syncFolder], [ENOSPC, EIO, EROFS])
    func failedOperationStopsTheJournalUntilItIsOpenedAgain(
        operation: DiskOperation, number: Int32
    ) throws {
        try withMemoryDirectory { path in
            let fails = Locked(false)
            let probe = DiskProbe { seen, _ in
                fails.withLock { $0 } && seen == operation ? number : 0
            }
            do {
                let journal = try Self.open(path, probe: probe)
                _ = try journal.append(try Make.entries(3))
                fails.withLock { $0 = true }
                let error = #expect(throws: JournalError.self) {
                    _ = try journal.append([try Make.entry("lost", blobs: [[1]])])
                }
                #expect(error?.code != .stopped)
                #expect(error?.context.contains(path) == true)
                fails.withLock { $0 = false }
                let later = #expect(throws: JournalError.self) {
                    _ = try journal.append(try Make.entries(1, prefix: "later"))
                }
                #expect(later?.code == .stopped)
                #expect(journal.head.sequence == 3)
                #expect(try journal.changeIDs() == ["c1", "c2", "c3"])
            }
            let journal = try Self.open(path)
            #expect(try journal.changeIDs() == ["c1", "c2", "c3"])
            #expect(
                try journal.append([try Make.entry("lost", blobs: [[1]])])
                    == [.stored(journal.position(4))])
        }
    }

    @Test func blobLeftBehindByACrashIsRemovedAndOneThatIsNamedIsUsed() throws {
        try withMemoryDirectory { path in
            do { _ = try Self.open(path).append([try Make.entry("a", blobs: [[1]])]) }
            let left = "\(path)/blobs/incoming/0123"
            try Data([1, 2]).write(to: URL(filePath: left))
            let synced = Locked<[String]>([])
            let journal = try Self.open(
                path,
                probe: DiskProbe { operation, file in
                    if operation == .syncFolder { synced.withLock { $0.append(file) } }
                    return 0
                })
            #expect(FileManager.default.fileExists(atPath: left) == false)
            var entry = try Make.entry("b", blobs: [[1]])
            entry.blobs = []
            synced.withLock { $0 = [] }
            #expect(try journal.append([entry]) == [.stored(journal.position(2))])
            // Who gave the blob its name may have died before the name was on the disk.
            #expect(synced.withLock { $0.count } == 1)
            _ = try journal.append([try Make.entry("c", blobs: [[1]])])
            #expect(synced.withLock { $0.count } == 1)
        }
    }

    @Test func changedBlobIsDamageAndDoesNotStopTheTail() throws {
        try withMemoryDirectory { path in
            let journal = try Self.open(path)
            _ = try journal.append([try Make.entry("a", blobs: [[1], [2]])])
            let hash = try Make.hash([1])
            let digits = hash.description
            let file = "\(path)/blobs/\(digits.prefix(2))/\(digits.dropFirst(2))"
            try Data([9]).write(to: URL(filePath: file))
            let error = #expect(throws: JournalError.self) { _ = try journal.blob(hash) }
            #expect(error?.code == .damaged)
            #expect(error?.context.contains(file) == true)
            let tail = try journal.tail(after: 0, recordsMax: 9, bytesMax: 999, streams: [])
            #expect(tail.records.count == 1)
            #expect(tail.blobs.map(\.1) == [[2]])
            #expect(tail.unreadable == [hash])
        }
    }

    @Test func damageIsReportedAndWhatStandsBeforeItServed() throws {
        try withMemoryDirectory { path in
            do {
                let journal = try Self.open(path)
                for entry in try Make.entries(30) { _ = try journal.append([entry]) }
            }
            let file = "\(path)/records-00000000000000000001.segment"
            var bytes = try Data(contentsOf: URL(filePath: file))
            bytes[bytes.count / 2] ^= 4
            try bytes.write(to: URL(filePath: file))
            for mode in [SegmentLog.Mode.readWrite, .readOnly] {
                let journal = try Self.open(path, mode)
                let served = try journal.changeIDs()
                #expect(served == (1...served.count).map { "c\($0)" })
                #expect(journal.damage?.file == file)
                #expect(journal.head.sequence == UInt64(served.count))
            }
            let journal = try Self.open(path)
            let error = #expect(throws: JournalError.self) {
                _ = try journal.append(try Make.entries(1, prefix: "x"))
            }
            #expect(error?.code == .damaged)
        }
    }

    @Test func journalWithoutItsFirstFileIsDamaged() throws {
        try withMemoryDirectory { path in
            do {
                let journal = try Self.open(path)
                for entry in try Make.entries(40) { _ = try journal.append([entry]) }
            }
            try FileManager.default.removeItem(
                atPath: "\(path)/records-00000000000000000001.segment")
            let error = #expect(throws: JournalError.self) { _ = try Self.open(path) }
            #expect(error?.code == .damaged)
        }
    }
}
