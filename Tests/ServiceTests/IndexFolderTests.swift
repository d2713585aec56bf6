import Foundation
import Journal
import Matching
import Messages
import Service
import TestSupport
import Testing

/// Index files hold what was put, and are thrown away when they are not what they should be.
@Suite(.timeLimit(.minutes(5)))
struct IndexFolderTests {
    private static let count = 2_100
    private let log = Log(threshold: .error)

    @Test func storedSegmentsFindTheSame() throws {
        try withTemporaryDirectory { path in
            let collection = try filled(path, catalog: "main")
            let files = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(files.count == 1)
            let stored = try IndexFolder(path: path, log: log).open()
            #expect(stored.map(\.catalog) == [IndexFolder.part(of: "main")])
            let restored = restored(stored[0].segments)
            #expect(restored.count > 2_000)
            for number in [3, 700, 1_999] {
                for query in [SyntheticPrint.print(number), SyntheticPrint.alike(number)] {
                    let found = collection.search(query, maxDistance: 2_000_000)
                    let again = restored.search(query, maxDistance: 2_000_000)
                    #expect(found.matches.first?.entry == number)
                    #expect(again.matches == found.matches)
                }
            }
        }
    }

    @Test func catalogsHaveFilesOfTheirOwn() throws {
        try withTemporaryDirectory { path in
            _ = try filled(path, catalog: "main")
            _ = try filled(path, catalog: "other")
            let stored = try IndexFolder(path: path, log: log).open()
            #expect(
                Set(stored.map(\.catalog))
                    == [IndexFolder.part(of: "main"), IndexFolder.part(of: "other")])
            #expect(stored.allSatisfy { $0.segments.count == 1 })
        }
    }

    @Test func damagedFilesAreRemoved() throws {
        try withTemporaryDirectory { path in
            _ = try filled(path, catalog: "main")
            let name = try #require(FileManager.default.contentsOfDirectory(atPath: path).first)
            let good = try #require(FileManager.default.contents(atPath: "\(path)/\(name)"))
            var spoiled: [Data] = [Data(), Data([1]), good.dropLast(1), good + Data([0])]
            let (last, step) = (good.count - 1, good.count / 6)
            for place in Array(stride(from: 0, to: good.count, by: step)) + [last, last - 40] {
                var bytes = good
                bytes[place] ^= 4
                spoiled.append(bytes)
            }
            for bytes in spoiled {
                try bytes.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
                #expect(try IndexFolder(path: path, log: log).open().isEmpty)
                #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
            }
            try good.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
            #expect(try IndexFolder(path: path, log: log).open().count == 1)
        }
    }

    @Test func foreignAndUnfinishedFilesAreRemoved() throws {
        try withTemporaryDirectory { path in
            _ = try filled(path, catalog: "main")
            for name in ["new-0-1.index", "a.index", "readme"] {
                try Data("no index".utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
            }
            #expect(try IndexFolder(path: path, log: log).open().count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 1)
        }
    }

    @Test func removedFileIsReadAsLongAsItIsUsed() throws {
        try withTemporaryDirectory { path in
            let collection = try filled(path, catalog: "main")
            try IndexFolder(path: path, log: log).sweep(keeping: [])
            #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
            let found = collection.search(SyntheticPrint.print(700), maxDistance: 0)
            #expect(found.matches.map(\.entry) == [700])
        }
    }

    @Test func withoutRoomTheIndexStaysInMemory() throws {
        try withTemporaryDirectory { path in
            for number in 0..<Limits.indexFilesMax {
                try Data().write(to: URL(fileURLWithPath: "\(path)/\(number).index"))
            }
            let collection = try filled(path, catalog: "main")
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(names.count == Limits.indexFilesMax)
            #expect(collection.keptSegments.allSatisfy { !($0 is IndexFile) })
            let found = collection.search(SyntheticPrint.print(700), maxDistance: 0)
            #expect(found.matches.map(\.entry) == [700])
        }
    }

    @Test func whereNothingCanBeWrittenTheIndexStaysInMemory() throws {
        try withTemporaryDirectory { path in
            let folder = try IndexFolder(path: "\(path)/index", log: log)
            try FileManager.default.removeItem(atPath: "\(path)/index")
            let collection = filled(CatalogIndexKeeper(folder: folder, catalog: "main"))
            let found = collection.search(SyntheticPrint.print(700), maxDistance: 0)
            #expect(found.matches.map(\.entry) == [700])
        }
    }

    // MARK: Collections

    private func filled(_ path: String, catalog: String) throws -> PrintCollection {
        filled(
            CatalogIndexKeeper(folder: try IndexFolder(path: path, log: log), catalog: catalog))
    }

    private func filled(_ keeper: CatalogIndexKeeper) -> PrintCollection {
        var collection = PrintCollection(keeper: keeper)
        for number in 0..<Self.count {
            collection.put([SyntheticPrint.print(number)], names: [name(number)], for: number)
        }
        return collection
    }

    private func restored(_ segments: [IndexFile]) -> PrintCollection {
        var restoration = PrintRestoration(segments)
        for number in 0..<Self.count {
            _ = restoration.claim([name(number)], for: number, order: 0)
        }
        return restoration.collection(keeper: nil, mergesWhenPutting: true)
    }

    private func name(_ number: Int) -> PrintName {
        PrintName(bytes: ContentHash.of(Array("print \(number)".utf8)).bytes)
    }
}
