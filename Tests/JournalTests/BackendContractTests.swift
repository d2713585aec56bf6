import Journal
import Messages
import TestSupport
import Testing

/// The laws that every backend keeps.
@Suite(.timeLimit(.minutes(5)))
struct BackendContractTests {
    enum Kind: CaseIterable {
        case segments, memory

        /// Runs `body` with an empty journal that remembers 100 changes.
        func withJournal(_ body: (any JournalBackend) throws -> Void) throws {
            switch self {
            case .memory: try body(MemoryJournal(epoch: 77, changeWindowMax: 100))
            case .segments:
                try withMemoryDirectory { path in
                    try body(
                        try SegmentJournal(
                            folder: path, mode: .readWrite, newEpoch: 77, segmentBytesMax: 2_000,
                            changeWindowMax: 100))
                }
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func emptyJournalStandsBeforeItsFirstRecord(kind: Kind) throws {
        try kind.withJournal { journal in
            #expect(journal.epoch == 77)
            #expect(journal.head == journal.position(0))
            let records = try journal.read(after: 0, recordsMax: 10, bytesMax: 1_000)
            #expect(records.isEmpty)
            let outcomes = try journal.append([])
            #expect(outcomes.isEmpty)
        }
    }

    @Test(arguments: Kind.allCases)
    func recordsComeBackInOrderWithWhatTheJournalAdds(kind: Kind) throws {
        try kind.withJournal { journal in
            let entries = try Make.entries(50)
            #expect(
                try journal.append(Array(entries[..<20]))
                    == (1...20).map { .stored(journal.position($0)) })
            #expect(
                try journal.append(Array(entries[20...]))
                    == (21...50).map { .stored(journal.position($0)) })
            #expect(journal.head == journal.position(50))
            #expect(try journal.changeIDs() == (1...50).map { "c\($0)" })
            let record = try #require(
                try journal.read(after: 41, recordsMax: 1, bytesMax: 1_000).first)
            var expected = entries[41].record
            expected.fields.position = journal.position(42)
            expected.fields.set(.recordedTime, timestamp: entries[41].recordedTime)
            expected.fields.set(.stream, text: "catalog")
            #expect(record == expected)
        }
    }

    @Test(arguments: Kind.allCases)
    func readKeepsBothLimitsButGivesAtLeastOne(kind: Kind) throws {
        try kind.withJournal { journal in
            _ = try journal.append(try Make.entries(20))
            let size = try journal.read(after: 0, recordsMax: 1, bytesMax: 1)[0].encodedByteCount
            #expect(try journal.read(after: 3, recordsMax: 5, bytesMax: 1 << 20).count == 5)
            let count = try journal.read(after: 3, recordsMax: 20, bytesMax: 4 * size + 60).count
            #expect((3...4).contains(count))
            #expect(try journal.read(after: 3, recordsMax: 20, bytesMax: 0).count == 1)
            #expect(try journal.read(after: 3, recordsMax: 0, bytesMax: 1_000) == [])
            #expect(try journal.read(after: 20, recordsMax: 9, bytesMax: 1_000) == [])
            #expect(try journal.read(after: 900, recordsMax: 9, bytesMax: 1_000) == [])
        }
    }

    @Test(arguments: Kind.allCases)
    func duplicateGetsTheFirstPositionAndIsNotStored(kind: Kind) throws {
        try kind.withJournal { journal in
            let first = try Make.entry("a", body: "{\"first\":true}")
            let again = try Make.entry("a", body: "{\"first\":false}")
            let other = try Make.entry("a", source: "elsewhere")
            #expect(
                try journal.append([first, again, other]) == [
                    .stored(journal.position(1)), .duplicate(journal.position(1)),
                    .stored(journal.position(2)),
                ])
            #expect(try journal.append([again]) == [.duplicate(journal.position(1))])
            #expect(journal.head == journal.position(2))
            let record = try journal.read(after: 0, recordsMax: 1, bytesMax: 1_000)[0]
            #expect(record.body == first.record.body)
        }
    }

    @Test(arguments: Kind.allCases)
    func windowForgetsTheOldestFirst(kind: Kind) throws {
        try kind.withJournal { journal in
            _ = try journal.append(try Make.entries(101))
            #expect(
                try journal.append([try Make.entry("c2")]) == [.duplicate(journal.position(2))])
            #expect(try journal.append([try Make.entry("c1")]) == [.stored(journal.position(102))])
            #expect(
                try journal.append([try Make.entry("c101")]) == [.duplicate(journal.position(101))]
            )
        }
    }

    @Test(arguments: Kind.allCases)
    func blobIsStoredOnceAndFoundByItsHash(kind: Kind) throws {
        try kind.withJournal { journal in
            let blob = Array("a print".utf8)
            let hash = try Make.hash(blob)
            #expect(journal.hasBlob(hash) == false)
            #expect(try journal.blob(hash) == nil)
            _ = try journal.append([try Make.entry("a", blobs: [blob, blob])])
            #expect(journal.hasBlob(hash))
            #expect(try journal.blob(hash) == blob)
            var without = try Make.entry("b", blobs: [blob])
            without.blobs = []
            #expect(try journal.append([without]) == [.stored(journal.position(2))])
        }
    }

    @Test(arguments: Kind.allCases)
    func blobOfTheSameGroupCounts(kind: Kind) throws {
        try kind.withJournal { journal in
            var later = try Make.entry("b", blobs: [[1, 2, 3]])
            later.blobs = []
            let outcomes = try journal.append([try Make.entry("a", blobs: [[1, 2, 3]]), later])
            #expect(outcomes == [.stored(journal.position(1)), .stored(journal.position(2))])
        }
    }

    @Test(arguments: Kind.allCases)
    func badChangeIsRefusedByItself(kind: Kind) throws {
        try kind.withJournal { journal in
            var lacking = try Make.entry("lacking", blobs: [[1]])
            lacking.blobs = []
            var changed = try Make.entry("changed", blobs: [[2]])
            changed.blobs = [[3]]
            var nameless = try Make.entry("nameless")
            nameless.record.fields.set(.changeID, nil)
            var large = try Make.entry("large")
            large.record.body = [UInt8](repeating: 0x20, count: Limits.recordBytesMax)
            let outcomes = try journal.append([
                lacking, try Make.entry("good"), changed, nameless, large, try Make.entry("last"),
            ])
            #expect(outcomes[0].refusal?.contains("neither brought nor stored") == true)
            #expect(outcomes[1] == .stored(journal.position(1)))
            #expect(outcomes[2].refusal?.contains("none of the hashes") == true)
            #expect(outcomes[3].refusal?.contains("change id") == true)
            #expect(outcomes[4].refusal?.contains("\(Limits.recordBytesMax)") == true)
            #expect(outcomes[5] == .stored(journal.position(2)))
            #expect(journal.hasBlob(try Make.hash([1])) == false)
            #expect(journal.hasBlob(try Make.hash([3])) == false)
            #expect(try journal.changeIDs() == ["good", "last"])
        }
    }

    @Test(arguments: Kind.allCases)
    func refusedChangeMayComeAgain(kind: Kind) throws {
        try kind.withJournal { journal in
            var entry = try Make.entry("a", blobs: [[1]])
            entry.blobs = []
            #expect(try journal.append([entry])[0].refusal != nil)
            entry.blobs = [[1]]
            #expect(try journal.append([entry]) == [.stored(journal.position(1))])
        }
    }

    @Test(arguments: Kind.allCases)
    func tailCarriesTravellingBlobsOfWantedStreamsOnce(kind: Kind) throws {
        try kind.withJournal { journal in
            var personal = try Make.entry("c", kind: .calendarAccess)
            personal.record.fields.set(.account, text: "somebody")
            let entries = [
                try Make.entry("a", blobs: [[1]], role: .print),
                try Make.entry("b", blobs: [[2]], role: .picture),
                personal,
                try Make.entry("d", blobs: [[1], [4]], role: .thumbnail),
            ]
            _ = try journal.append(entries)
            let all = try journal.tail(after: 0, recordsMax: 9, bytesMax: 9_999, streams: [])
            #expect(all.records.count == 4)
            #expect(all.blobs.map(\.1) == [[1], [4]])
            #expect(all.blobs.map(\.0) == (try [[1], [4]].map { try Make.hash($0) }))
            let calendar = try journal.tail(
                after: 0, recordsMax: 9, bytesMax: 9_999, streams: ["calendar"])
            #expect(calendar.records.count == 4)
            #expect(calendar.blobs.isEmpty)
            let catalog = try journal.tail(
                after: 0, recordsMax: 9, bytesMax: 9_999, streams: ["catalog"])
            #expect(catalog.records.count == 4)
            #expect(catalog.blobs.map(\.1) == [[1], [4]])
            #expect(catalog.unreadable.isEmpty)
        }
    }

    @Test(arguments: Kind.allCases)
    func tailCountsBlobsAndLeavesRoomForTheOtherFrames(kind: Kind) throws {
        try kind.withJournal { journal in
            let entries = try (0..<8).map { entry in
                try Make.entry("e\(entry)", blobs: (0..<60).map { [UInt8(entry), UInt8($0)] })
            }
            for entry in entries { _ = try journal.append([entry]) }
            let byFrames = try journal.tail(
                after: 0, recordsMax: 99, bytesMax: 1 << 30, streams: [])
            #expect(byFrames.records.count == 4)
            #expect(byFrames.blobs.count == 240)
            let byBytes = try journal.tail(after: 0, recordsMax: 99, bytesMax: 1, streams: [])
            #expect(byBytes.records.count == 1)
            #expect(byBytes.blobs.count == 60)
        }
    }
}
