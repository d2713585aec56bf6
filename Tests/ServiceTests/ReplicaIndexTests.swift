import Catalog
import Foundation
import Journal
import Matching
import Messages
import Queue
import SQLite
import Service
import TestSupport
import Testing

/// A worker's replica begins with its index files, and does without them.
@Suite(.timeLimit(.minutes(5)))
struct ReplicaIndexTests {
    private static let count = 2_200
    private static let catalog = "main"
    private let log = Log(threshold: .error)

    @Test func restartBeginsWithTheIndexFiles() throws {
        try withTemporaryDirectory { path in
            let before = try filled(path)
            #expect(try indexFiles(path).count == 1)
            let store = try ReplicaStore(folder: path, log: log)
            #expect(filesInUse(store) == 1)
            #expect(answers(store) == before)
            #expect(before.contains(["600"]))
        }
    }

    @Test func withoutItsIndexFilesAReplicaIsMadeAnew() throws {
        try withTemporaryDirectory { path in
            let before = try filled(path)
            let name = try #require(try indexFiles(path).first)
            let file = "\(path)/index/\(name)"
            var bytes = try #require(FileManager.default.contents(atPath: file))
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: URL(fileURLWithPath: file))
            #expect(try ReplicaStore(folder: path, log: log).position == nil)
            #expect(try indexFiles(path).isEmpty)
            // The journal has all of it.
            #expect(try filled(path) == before)
            #expect(try indexFiles(path).count == 1)
        }
    }

    @Test func aPrintIsKeptOnce() throws {
        try withTemporaryDirectory { path in
            let before = try filled(path)
            let kept = try storedPrints(path)
            // Those that came after the last that an index file has.
            #expect(kept == hashes((Self.count - kept.count)..<Self.count))
            #expect(1..<256 ~= kept.count)
            // What a process did not come to remove is removed by the next one.
            let first = SyntheticPrint.print(0).encoded()
            try withDatabase(path) { database in
                try database.run(
                    "INSERT INTO print VALUES (?, ?)", .blob(ContentHash.of(first).bytes),
                    .blob(first))
            }
            #expect(answers(try ReplicaStore(folder: path, log: log)) == before)
            #expect(try storedPrints(path) == kept)
        }
    }

    @Test func aPrintOfTwoEntitiesIsKeptUntilBothAreInIndexFiles() throws {
        try withTemporaryDirectory { path in
            _ = try filled(path)
            do {
                let store = try ReplicaStore(folder: path, log: log)
                put(0, as: 9_000, store)
                store.mergeIndex()
                #expect(found(SyntheticPrint.print(0), store) == ["0", "9000"])
            }
            #expect(try storedPrints(path).isSuperset(of: hashes(0..<1)))
            let store = try ReplicaStore(folder: path, log: log)
            #expect(found(SyntheticPrint.print(0), store) == ["0", "9000"])
            _ = store.apply([removal(0)], blobs: [], through: position(20_000))
            #expect(found(SyntheticPrint.print(0), store) == ["9000"])
        }
    }

    @Test func removedEntitiesStayRemovedAfterARestart() throws {
        try withTemporaryDirectory { path in
            do {
                _ = try filled(path)
                let store = try ReplicaStore(folder: path, log: log)
                _ = store.apply([removal(600)], blobs: [], through: position(5_000))
                #expect(answers(store).contains([]))
            }
            let store = try ReplicaStore(folder: path, log: log)
            #expect(filesInUse(store) == 1)
            #expect(answers(store).contains([]))
            #expect(!answers(store).contains(["600"]))
        }
    }

    @Test func changesBesideAMergeAreSeenAndKept() throws {
        try withTemporaryDirectory { path in
            let store = try ReplicaStore(folder: path, log: log)
            declare(store)
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                for _ in 0..<200 { store.mergeIndex() }
                isDone.signal()
            }
            for number in 0..<Self.count {
                put(number, store)
                guard number.isMultiple(of: 100), number > 0 else { continue }
                _ = store.apply(
                    [removal(number - 50)], blobs: [], through: position(10_000 + number))
                #expect(found(SyntheticPrint.print(number), store) == ["\(number)"])
                #expect(found(SyntheticPrint.print(number - 50), store) == [])
            }
            isDone.wait()
            store.mergeIndex()
            #expect(!store.hasUnmergedIndex)
            for number in stride(from: 100, to: Self.count, by: 100) {
                #expect(found(SyntheticPrint.print(number), store) == ["\(number)"])
                #expect(found(SyntheticPrint.print(number - 50), store) == [])
            }
        }
    }

    @Test func aReplicaThatBeginsAgainKeepsNoIndexFiles() throws {
        try withTemporaryDirectory { path in
            _ = try filled(path)
            let store = try ReplicaStore(folder: path, log: log)
            store.reset(epoch: 7)
            store.mergeIndex()
            #expect(try indexFiles(path).isEmpty)
        }
    }

    // MARK: Records

    /// A replica of `count` entities, closed again, and what it answered.
    private func filled(_ path: String) throws -> [[String]] {
        let store = try ReplicaStore(folder: path, log: log)
        declare(store)
        for number in 0..<Self.count { put(number, store) }
        store.mergeIndex()
        return answers(store)
    }

    private func declare(_ store: ReplicaStore) {
        let type = JSONValue.object([
            "type": .string("sign"), "version": .integer(1),
            "display": .object(["name": .string("Sign"), "title": .string("{name}")]),
            "open": .string("sightline://sign/{id}"),
            "properties": .object(["name": .object(["kind": .string("string")])]),
        ])
        let message = Message.change(
            .typeDeclare, type, source: "test", id: "type", partitionKey: "sign",
            budgetMilliseconds: 1)
        _ = store.apply([record(message, 1)], blobs: [], through: position(1))
    }

    /// The prints that the replica's file has; nobody uses it.
    private func storedPrints(_ path: String) throws -> Set<[UInt8]> {
        var prints: Set<[UInt8]> = []
        try withDatabase(path) { database in
            prints = Set(try database.rows("SELECT hash FROM print") { $0.blob(0) })
        }
        return prints
    }

    private func withDatabase(_ path: String, _ body: (SQLite.Connection) throws -> Void) throws {
        try body(try SQLite.Connection(path: path + "/replica.sqlite"))
    }

    private func hashes(_ numbers: Range<Int>) -> Set<[UInt8]> {
        Set(numbers.map { ContentHash.of(SyntheticPrint.print($0).encoded()).bytes })
    }

    private func put(_ number: Int, as name: Int? = nil, _ store: ReplicaStore) {
        let id = name ?? number
        let bytes = SyntheticPrint.print(number).encoded()
        let hash = ContentHash.of(bytes)
        var entity = EntityPut(
            entity: EntityName(type: "sign", id: "\(id)"),
            properties: ["name": .string("Sign \(id)")], labels: [])
        entity.pictures = [
            EntityPut.Picture(picture: nil, prints: [FeaturePrint.version: hash])
        ]
        let message = Message.change(
            .entityPut, entity.json, source: "test", id: "\(id)", partitionKey: "\(id)",
            catalog: Self.catalog, budgetMilliseconds: 1)
        let place = id + 2
        _ = store.apply(
            [record(message, place)], blobs: [(hash, bytes)], through: position(place))
    }

    private func removal(_ number: Int) -> Record {
        let name = EntityName(type: "sign", id: "\(number)")
        let message = Message.change(
            .entityRemove, EntityRemove(entity: name).json, source: "test", id: "-\(number)",
            partitionKey: "\(number)", catalog: Self.catalog, budgetMilliseconds: 1)
        return record(message, 10_000 + number + 50)
    }

    private func record(_ message: Message, _ sequence: Int) -> Record {
        var record = Record(fields: message.fields, body: message.body)
        record.fields.position = position(sequence)
        return record
    }

    private func position(_ sequence: Int) -> Position {
        Position(epoch: 7, sequence: UInt64(sequence))
    }

    // MARK: What is found

    private func answers(_ store: ReplicaStore) -> [[String]] {
        [3, 600, 2_199].flatMap { number in
            [SyntheticPrint.print(number), SyntheticPrint.alike(number)].map { found($0, store) }
        }
    }

    private func found(_ query: FeaturePrint, _ store: ReplicaStore) -> [String] {
        guard let catalog = store.content().catalogs[Self.catalog] else { return [] }
        return catalog.prints.search(query, maxDistance: 1_000_000).matches.compactMap {
            catalog.content.entity(entry: $0.entry)?.key.id
        }
    }

    private func filesInUse(_ store: ReplicaStore) -> Int {
        store.content().catalogs[Self.catalog]?.prints.keptSegments.count { $0 is IndexFile } ?? 0
    }

    private func indexFiles(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/index").sorted()
    }
}
