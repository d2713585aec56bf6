import Foundation
import Journal
import Messages
import TestSupport
import Testing

/// A journal that lost some of its files says so, and never begins anew or cuts what was stored.
@Suite(.timeLimit(.minutes(2)))
struct LostFilesTests {
    private static let segment = "records-00000000000000000001.segment"

    private func open(_ path: String) throws -> SegmentJournal {
        try SegmentJournal(folder: path, mode: .readWrite, newEpoch: 9)
    }

    /// 20 records, an account and a blob.
    private func fill(_ path: String) throws {
        let journal = try open(path)
        for number in 1...20 {
            _ = try journal.append([try Make.entry("c\(number)", blobs: [[UInt8(number)]])])
        }
        var access = try Make.entry(
            "1", kind: .calendarAccess, body: "{\"status\":\"fullAccess\"}")
        access.record.fields.set(.account, text: "somebody")
        _ = try journal.append([access])
    }

    private func flip(_ path: String, at offset: Int) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[offset] ^= 1
        try bytes.write(to: URL(filePath: path))
    }

    @Test(arguments: ["removed", "emptied"])
    func aJournalWhoseRecordsAreGoneDoesNotBeginAnew(how: String) throws {
        try withMemoryDirectory { path in
            try fill(path)
            let file = "\(path)/\(Self.segment)"
            try FileManager.default.removeItem(atPath: file)
            if how == "emptied" { try Data().write(to: URL(filePath: file)) }
            for _ in 0..<2 {
                let error = #expect(throws: JournalError.self) { _ = try open(path) }
                #expect(error?.code == .damaged)
            }
            let blobs = try FileManager.default.subpathsOfDirectory(atPath: "\(path)/blobs")
            #expect(blobs.count { $0.utf8.count > 60 } == 20)
        }
    }

    @Test func aRestoredJournalTellsDamageFromATornWrite() throws {
        try withMemoryDirectory { path in
            try fill("\(path)/journal")
            _ = try JournalBackup.run(folder: "\(path)/journal", to: "\(path)/backup")
            _ = try JournalRestore.run(
                backup: "\(path)/backup", to: "\(path)/new", keys: nil, epoch: 5,
                upToDamage: false)
            try flip("\(path)/new/\(Self.segment)", at: 600)
            let report = try JournalVerification.run(folder: "\(path)/new")
            #expect(report.faults.contains { $0.file.hasSuffix(Self.segment) })
            let size = try Data(contentsOf: URL(filePath: "\(path)/new/\(Self.segment)")).count
            let journal = try open("\(path)/new")
            #expect(journal.damage != nil)
            #expect(journal.cut == nil)
            let after = try Data(contentsOf: URL(filePath: "\(path)/new/\(Self.segment)")).count
            #expect(after == size)
            #expect(throws: JournalError.self) { try journal.append([try Make.entry("x")]) }
        }
    }

    @Test func anEndThatASnapshotIsAheadOfIsDamageAndNotCut() throws {
        try withMemoryDirectory { path in
            try fill(path)
            do {
                let journal = try open(path)
                try SnapshotContractTests.makeSnapshot(of: journal, at: 21, blobs: [])
            }
            let file = "\(path)/\(Self.segment)"
            let bytes = try Data(contentsOf: URL(filePath: file))
            try bytes.prefix(bytes.count / 2).write(to: URL(filePath: file))
            #expect(try JournalVerification.run(folder: path).faults.isEmpty == false)
            let error = #expect(throws: JournalError.self) {
                let journal = try open(path)
                _ = try journal.append([try Make.entry("x")])
            }
            #expect(error?.code == .damaged)
            #expect(try Data(contentsOf: URL(filePath: file)).count == bytes.count / 2)
        }
    }

    @Test func lostKeysAndAShortBackupAreFaults() throws {
        try withMemoryDirectory { path in
            try fill("\(path)/journal")
            _ = try JournalBackup.run(folder: "\(path)/journal", to: "\(path)/backup")
            #expect(try JournalVerification.run(folder: "\(path)/backup").faults == [])
            #expect(try JournalVerification.run(folder: "\(path)/journal").faults == [])
            try FileManager.default.removeItem(atPath: "\(path)/journal/keys")
            let faults = try JournalVerification.run(folder: "\(path)/journal").faults
            #expect(faults.map(\.file) == ["\(path)/journal/keys"])
            let file = "\(path)/backup/\(Self.segment)"
            let bytes = try Data(contentsOf: URL(filePath: file))
            try bytes.prefix(300).write(to: URL(filePath: file))
            #expect(try JournalVerification.run(folder: "\(path)/backup").faults.isEmpty == false)
        }
    }
}
