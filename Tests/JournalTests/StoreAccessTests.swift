import Foundation
import Journal
import Messages
import TestSupport
import Testing

/// Nothing is stored for a store whose owner does not allow all of it.
@Suite(.timeLimit(.minutes(2)))
struct StoreAccessTests {
    private func entry(_ kind: RecordKind, _ body: JSONValue, id: String) -> JournalEntry {
        var record = Make.record(id, kind: kind)
        record.body = body.canonical()
        record.fields.set(.account, text: "ada")
        return JournalEntry(record: record, recordedTime: Timestamp(milliseconds: 5))
    }

    private func access(_ status: AccessStatus, id: String) -> JournalEntry {
        entry(.calendarAccess, CalendarAccess(status: status).json, id: id)
    }

    private func change(_ id: String) -> JournalEntry {
        let change = CalendarChange(calendar: "home", revision: 1, put: ["BEGIN:VCALENDAR"])
        return entry(.calendarChange, change.json, id: id)
    }

    @Test(arguments: BackendContractTests.Kind.allCases)
    func withoutBeingAskedNothingIsStoredAndNoKeyIsMade(
        kind: BackendContractTests.Kind
    ) throws {
        try kind.withJournal { journal in
            let outcomes = try journal.append([change("1"), change("2")])
            #expect(
                outcomes == [
                    .accessRequired(.calendar, .notDetermined),
                    .accessRequired(.calendar, .notDetermined),
                ])
            #expect(journal.head.sequence == 0)
            #expect(journal.keyring.count == 0)
        }
    }

    @Test(arguments: BackendContractTests.Kind.allCases)
    func onlyFullAccessLetsChangesIn(kind: BackendContractTests.Kind) throws {
        try kind.withJournal { journal in
            for (number, status) in StoreKind.calendar.statuses.enumerated() {
                let outcomes = try journal.append([
                    access(status, id: "a\(number)"), change("c\(number)"),
                ])
                if status == .fullAccess {
                    #expect(outcomes.last == .stored(journal.head))
                } else {
                    #expect(outcomes.last == .accessRequired(.calendar, status))
                }
                #expect(journal.keyring.access(of: "ada", .calendar) == status)
            }
        }
    }

    @Test(arguments: BackendContractTests.Kind.allCases)
    func theKeyEndsWhenLessIsAllowedAndStaysWhenTheSameIsStatedAgain(
        kind: BackendContractTests.Kind
    ) throws {
        let steps: [(RecordKind, StoreKind, AccessStatus, endsKey: Bool)] = [
            (.contactAccess, .contacts, .limited, false),
            (.contactAccess, .contacts, .limited, false),
            (.contactAccess, .contacts, .fullAccess, false),
            (.healthAccess, .health, .unknown, false), (.healthAccess, .health, .unknown, false),
            (.contactAccess, .contacts, .limited, true),
            (.healthAccess, .health, .fullAccess, false),
            (.healthAccess, .health, .unknown, true), (.contactAccess, .contacts, .denied, true),
            (.healthAccess, .health, .notDetermined, true),
        ]
        try kind.withJournal { journal in
            for (number, (record, store, status, endsKey)) in steps.enumerated() {
                let before = journal.keyring.key(of: "ada", store)
                let body = JSONValue.object(["status": .string(status.rawValue)])
                let outcomes = try journal.append([entry(record, body, id: "\(number)")])
                #expect(outcomes == [.stored(journal.head)])
                let after = journal.keyring.key(of: "ada", store)
                if before != nil { #expect((before != after) == endsKey, "step \(number)") }
                #expect(journal.keyring.access(of: "ada", store) == status)
            }
        }
    }

    @Test(arguments: BackendContractTests.Kind.allCases)
    func accessOfOneGroupCountsForWhatFollowsInIt(kind: BackendContractTests.Kind) throws {
        try kind.withJournal { journal in
            let outcomes = try journal.append([
                change("1"), access(.fullAccess, id: "2"), change("3"), access(.denied, id: "4"),
                change("5"),
            ])
            #expect(
                outcomes == [
                    .accessRequired(.calendar, .notDetermined), .stored(journal.position(1)),
                    .stored(journal.position(2)), .stored(journal.position(3)),
                    .accessRequired(.calendar, .denied),
                ])
            // A change that was refused may come again once it is allowed.
            let later = try journal.append([access(.fullAccess, id: "6"), change("1")])
            #expect(later == [.stored(journal.position(4)), .stored(journal.position(5))])
        }
    }

    @Test(arguments: BackendContractTests.Kind.allCases)
    func erasingEndsAccessToo(kind: BackendContractTests.Kind) throws {
        try kind.withJournal { journal in
            _ = try journal.append([
                access(.fullAccess, id: "1"), change("2"),
                entry(.accountErase, .object([:]), id: "3"),
            ])
            let outcomes = try journal.append([change("4")])
            #expect(outcomes == [.accessRequired(.calendar, .notDetermined)])
        }
    }

    @Test func accessOutlivesARestart() throws {
        try withMemoryDirectory { path in
            for status in [AccessStatus.fullAccess, .denied, .fullAccess, .writeOnly] {
                do {
                    let journal = try SegmentJournal(folder: path, mode: .readWrite, newEpoch: 9)
                    _ = try journal.append([access(status, id: "\(journal.head)")])
                }
                let again = try SegmentJournal(folder: path, mode: .readWrite, newEpoch: 9)
                #expect(again.keyring.access(of: "ada", .calendar) == status)
                let outcome = try again.append([change("\(again.head)")])
                #expect((outcome == [.stored(again.head)]) == (status == .fullAccess))
            }
        }
    }

    @Test func aRecordWhoseAccessWasNotNotedBeforeACrashCounts() throws {
        try withMemoryDirectory { path in
            do {
                let journal = try SegmentJournal(folder: path, mode: .readWrite, newEpoch: 9)
                _ = try journal.append([access(.fullAccess, id: "1")])
            }
            // The key's line is there, what was stated under it is not.
            let file = URL(filePath: "\(path)/keys")
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            try Data("\(lines[0])\nsynced\n".utf8).write(to: file)
            do {
                let journal = try SegmentJournal(folder: path, mode: .readWrite, newEpoch: 9)
                let outcomes = try journal.append([change("2")])
                #expect(outcomes == [.stored(journal.position(2))])
            }
            #expect(try Keyring(file: "\(path)/keys").access(of: "ada", .calendar) == .fullAccess)
        }
    }

    @Test func statementsThatCountNoMoreDoNotFillTheKeyFile() throws {
        try withMemoryDirectory { path in
            let journal = try SegmentJournal(folder: path, mode: .readWrite, newEpoch: 9)
            for number in 0..<1_500 {
                let status: AccessStatus = number % 2 == 0 ? .denied : .restricted
                _ = try journal.append([access(status, id: "\(number)")])
            }
            let size = try Data(contentsOf: URL(filePath: "\(path)/keys")).count
            #expect(size < 70_000, "\(size)")
            #expect(try Keyring(file: "\(path)/keys") == journal.keyring)
        }
    }

    @Test func keysOfStoresAreApart() throws {
        let keys = StoreKind.allCases.map { AccountKey.random(for: "ada", $0) }
        var keyring = Keyring(keys)
        for key in keys {
            #expect(AccountKey(decoding: key.encoded()) == key)
            #expect(keyring.key(of: "ada", key.store) == key)
        }
        #expect(keyring.accounts == ["ada"])
        #expect(keyring.keys(of: "ada").map(\.store) == StoreKind.allCases)
        keyring.state(.fullAccess, under: keys[1].id)
        #expect(keyring.access(of: "ada", .contacts) == .fullAccess)
        #expect(keyring.access(of: "ada", .calendar) == .notDetermined)
        keyring.remove(keys[1].id)
        #expect(keyring.key(of: "ada", .contacts) == nil)
        #expect(keyring.key(of: "ada") == keys[0])
        // A calendar's key has one form, and an unknown store is none.
        let bytes = keys[0].encoded()
        #expect(AccountKey(decoding: bytes + [0] + Array("calendar".utf8)) == nil)
        #expect(AccountKey(decoding: bytes + [0] + Array("notes".utf8)) == nil)
    }
}
