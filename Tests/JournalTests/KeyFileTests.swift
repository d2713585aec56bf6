import Foundation
import Journal
import Messages
import TestSupport
import Testing

/// The file of account keys after a crash.
struct KeyFileTests {
    private func makeJournal(_ path: String) throws -> SegmentJournal {
        try SegmentJournal(folder: path, mode: .readWrite, newEpoch: 9)
    }

    /// A key comes with the first record of its account.
    private func makeKey(of account: String, in journal: SegmentJournal) throws -> AccountKey {
        var entry = try Make.entry(
            "1", kind: .calendarAccess, body: "{\"status\":\"fullAccess\"}")
        entry.record.fields.set(.account, text: account)
        _ = try journal.append([entry])
        return try #require(journal.keyring.key(of: account))
    }

    private func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: "\(path)/keys", encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    @Test func keysComeBackAndSayThatTheyAreOnTheDisk() throws {
        try withMemoryDirectory { path in
            var keys: [AccountKey] = []
            for account in ["a", "b"] {
                keys.append(try makeKey(of: account, in: makeJournal(path)))
            }
            // For each a key and what its store's owner allows, and that they are on the disk.
            #expect(try lines(path).count == 8)
            let keyring = try makeJournal(path).keyring
            #expect(keyring.all == Keyring(keys).all)
            #expect(
                ["a", "b"].map { keyring.access(of: $0, .calendar) == .fullAccess } == [true, true])
        }
    }

    @Test func tornAppendOfSeveralKeysIsCutOff() throws {
        try withMemoryDirectory { path in
            let first = try makeKey(of: "a", in: makeJournal(path))
            let whole = try Data(contentsOf: URL(filePath: "\(path)/keys"))
            let other = try withMemoryDirectory { other in
                _ = try makeKey(of: "b", in: makeJournal(other))
                return try #require(try lines(other).first)
            }
            // The first sector of two lines never came to the disk, the second one did.
            let torn = Data(count: 100) + Data("0123 45\n\(other)\n".utf8)
            try (whole + torn).write(to: URL(filePath: "\(path)/keys"))
            let next: AccountKey
            do {
                let journal = try makeJournal(path)
                #expect(journal.keyring.all == [first])
                next = try makeKey(of: "c", in: journal)
            }
            #expect(try makeJournal(path).keyring.all == Keyring([first, next]).all)
        }
    }

    @Test func changedLineThatWasOnTheDiskIsDamage() throws {
        try withMemoryDirectory { path in
            for account in ["a", "b"] { _ = try makeKey(of: account, in: makeJournal(path)) }
            var bytes = try Data(contentsOf: URL(filePath: "\(path)/keys"))
            bytes[bytes.count - 20] ^= 1
            try bytes.write(to: URL(filePath: "\(path)/keys"))
            let error = #expect(throws: JournalError.self) { _ = try makeJournal(path) }
            #expect(error?.code == .damaged)
            #expect(error?.damage?.file == "\(path)/keys")
            #expect((error?.damage?.offset ?? 0) > 0)
        }
    }
}
