import Foundation
import Journal
import Messages
import TestSupport
import Testing

/// Payloads of accounts are sealed, and end with their key.
@Suite(.timeLimit(.minutes(2)))
struct AccountKeyTests {
    private static let secret = "Dinner with Beatrice"

    private func entry(
        _ kind: RecordKind, _ body: JSONValue, id: String, account: String = "lovelace"
    ) -> JournalEntry {
        var record = Record(fields: Fields(), body: body.canonical())
        record.fields.set(.recordKind, text: kind.rawValue)
        record.fields.set(.source, text: "phone of \(account)")
        record.fields.set(.changeID, text: id)
        record.fields.set(.account, text: account)
        return JournalEntry(record: record, recordedTime: Timestamp(milliseconds: 5))
    }

    private func access(
        _ status: CalendarAccess.Status, id: String, account: String = "lovelace"
    ) -> JournalEntry {
        entry(.calendarAccess, CalendarAccess(status: status).json, id: id, account: account)
    }

    private func change(id: String, account: String = "lovelace") -> JournalEntry {
        let change = CalendarChange(calendar: "home", revision: 1, put: [Self.secret])
        return entry(.calendarChange, change.json, id: id, account: account)
    }

    private func records(_ journal: any JournalBackend) throws -> [Record] {
        try journal.read(after: 0, recordsMax: 100, bytesMax: 1 << 20)
    }

    @Test(arguments: BackendContractTests.Kind.allCases)
    func whatBelongsToAnAccountIsSealedAndOpensToWhatItWas(
        kind: BackendContractTests.Kind
    ) throws {
        try kind.withJournal { journal in
            let sent = [access(.fullAccess, id: "1"), change(id: "2")]
            _ = try journal.append(sent)
            let stored = try records(journal)
            for record in stored {
                let clear = String(decoding: record.encoded(), as: UTF8.self)
                for word in ["lovelace", "Dinner", "home", "phone"] {
                    #expect(!clear.contains(word), "\(word) is readable")
                }
            }
            let opened = stored.compactMap { SealedRecord.open($0, with: journal.keyring) }
            #expect(opened.map(\.body) == sent.map(\.record.body))
            #expect(opened.map { $0.fields.text(.account) } == ["lovelace", "lovelace"])
            #expect(opened.map { $0.fields.text(.changeID) } == ["1", "2"])
            #expect(opened.map { $0.fields.text(.stream) } == ["calendar", "calendar"])
            #expect(opened.map(\.position) == [journal.position(1), journal.position(2)])
            #expect(journal.keyring.count == 1)
        }
    }

    @Test(arguments: BackendContractTests.Kind.allCases)
    func aChangeThatComesAgainIsKnownAlthoughItIsSealed(
        kind: BackendContractTests.Kind
    ) throws {
        try kind.withJournal { journal in
            _ = try journal.append([access(.fullAccess, id: "1"), change(id: "2")])
            #expect(try journal.append([change(id: "2")]) == [.duplicate(journal.position(2))])
            // The same id of another account is another change.
            _ = try journal.append([access(.fullAccess, id: "1", account: "bob")])
            #expect(
                try journal.append([change(id: "2", account: "bob")])
                    == [.stored(journal.position(4))])
        }
    }

    @Test(arguments: BackendContractTests.Kind.allCases)
    func losingAccessEndsTheKey(kind: BackendContractTests.Kind) throws {
        try kind.withJournal { journal in
            _ = try journal.append([access(.fullAccess, id: "1"), change(id: "2")])
            let first = try #require(journal.keyring.key(of: "lovelace"))
            _ = try journal.append([access(.denied, id: "3")])
            let second = try #require(journal.keyring.key(of: "lovelace"))
            #expect(second.id != first.id)
            #expect(journal.keyring[first.id] == nil)
            let stored = try records(journal)
            #expect(stored.last?.fields.retiredKeys == [first.id])
            let opened = stored.map { SealedRecord.open($0, with: journal.keyring) }
            #expect(opened.map { $0 != nil } == [false, false, true])
        }
    }

    @Test(arguments: BackendContractTests.Kind.allCases)
    func refusalsOfAccessShareAKeyUntilThereIsSomethingToEnd(
        kind: BackendContractTests.Kind
    ) throws {
        try kind.withJournal { journal in
            _ = try journal.append([access(.denied, id: "1"), access(.restricted, id: "2")])
            let key = try #require(journal.keyring.key(of: "lovelace"))
            _ = try journal.append([access(.writeOnly, id: "3")])
            #expect(journal.keyring.key(of: "lovelace") == key)
            #expect(journal.keyring.count == 1)
            _ = try journal.append([access(.fullAccess, id: "4")])
            #expect(journal.keyring.key(of: "lovelace") == key)
            _ = try journal.append([access(.denied, id: "5")])
            #expect(journal.keyring[key.id] == nil)
        }
    }

    @Test(arguments: BackendContractTests.Kind.allCases)
    func erasingLeavesNeitherKeyNorName(kind: BackendContractTests.Kind) throws {
        try kind.withJournal { journal in
            let erase = entry(.accountErase, .object([:]), id: "3")
            _ = try journal.append([access(.fullAccess, id: "1"), change(id: "2"), erase])
            #expect(journal.keyring.count == 0)
            let last = try #require(try records(journal).last)
            #expect(last.kind == .accountErase)
            #expect(!String(decoding: last.encoded(), as: UTF8.self).contains("lovelace"))
            // Erasing who is unknown is no fault: an answer may have been lost.
            #expect(try journal.append([erase]) == [.stored(journal.position(4))])
            #expect(try records(journal).last?.fields.retiredKeys == [])
        }
    }

    @Test(arguments: BackendContractTests.Kind.allCases)
    func changesOfOneGroupSeeTheKeysOfThoseBefore(kind: BackendContractTests.Kind) throws {
        try kind.withJournal { journal in
            _ = try journal.append([
                access(.fullAccess, id: "1"), access(.denied, id: "2"),
                access(.fullAccess, id: "3"), change(id: "4"),
            ])
            let opened = try records(journal).map {
                SealedRecord.open($0, with: journal.keyring) != nil
            }
            #expect(opened == [false, true, true, true])
        }
    }

    @Test func keysOutliveARestartAndAreInTheirFileAlone() throws {
        try withTemporaryDirectory { folder in
            let first = try SegmentJournal(folder: folder, mode: .readWrite, newEpoch: 7)
            _ = try first.append([access(.fullAccess, id: "1"), change(id: "2")])
            let key = try #require(first.keyring.key(of: "lovelace"))
            let reader = try SegmentJournal(folder: folder, mode: .readOnly, newEpoch: 7)
            #expect(reader.keyring == first.keyring)
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
            for name in names where name != "keys" {
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
                #expect(bytes.range(of: Data(key.secret)) == nil, "\(name) holds the key")
                let hex = Data(Hex.encode(key.secret).utf8)
                #expect(bytes.range(of: hex) == nil, "\(name) holds the key")
            }
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/keys")[
                .posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    @Test func aKeyWhoseEndWasInterruptedEndsAtTheNextStart() throws {
        try withTemporaryDirectory { folder in
            let fails = DiskProbe { operation, path in
                operation == .rename && path.hasSuffix("/keys") ? EIO : 0
            }
            do {
                let journal = try SegmentJournal(
                    folder: folder, mode: .readWrite, newEpoch: 7, probe: fails)
                _ = try journal.append([access(.fullAccess, id: "1"), change(id: "2")])
                #expect(throws: JournalError.self) {
                    try journal.append([self.entry(.accountErase, .object([:]), id: "3")])
                }
                // Nothing is acknowledged while what was promised to end has not.
                #expect(throws: JournalError.self) { try journal.append([self.change(id: "4")]) }
            }
            let again = try SegmentJournal(folder: folder, mode: .readWrite, newEpoch: 7)
            #expect(again.keyring.count == 0)
            #expect(try again.append([change(id: "4")]).count == 1)
        }
    }

    @Test func aTornWriteOfTheKeyFileIsCutOffAndDamageIsNamed() throws {
        try withTemporaryDirectory { folder in
            do {
                let journal = try SegmentJournal(folder: folder, mode: .readWrite, newEpoch: 7)
                _ = try journal.append([access(.fullAccess, id: "1")])
                _ = try journal.append([access(.fullAccess, id: "1", account: "bob")])
            }
            let path = "\(folder)/keys"
            let whole = try #require(FileManager.default.contents(atPath: path))
            // Of two keys that were written at once only the second one reached the disk.
            do {
                let journal = try SegmentJournal(folder: folder, mode: .readWrite, newEpoch: 7)
                _ = try journal.append(
                    ["carl", "dora"].map { access(.fullAccess, id: "1", account: $0) })
            }
            // Without the line that says that all before it is durable, and what came later.
            let both = try #require(FileManager.default.contents(atPath: path))
            let end = try #require(
                both.range(of: Data("synced\n".utf8), in: whole.count..<both.count))
            var torn = both[..<end.lowerBound]
            for index in whole.count..<whole.count + 20 { torn[index] = 0 }
            try torn.write(to: URL(fileURLWithPath: path))
            do {
                let journal = try SegmentJournal(folder: folder, mode: .readWrite, newEpoch: 7)
                #expect(journal.keyring.count == 2)
                #expect(FileManager.default.contents(atPath: path) == whole)
            }
            var damaged = whole
            damaged[20] ^= 1
            try damaged.write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: JournalError.self) {
                try SegmentJournal(folder: folder, mode: .readWrite, newEpoch: 7)
            }
            #expect(error?.code == .damaged)
            #expect(error?.context.contains("keys at byte 0") == true)
        }
    }
}
