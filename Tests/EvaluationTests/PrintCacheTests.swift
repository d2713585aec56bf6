import Evaluation
import Foundation
import Matching
import TestSupport
import Testing

struct PrintCacheTests {
    private let prints: [FeaturePrint]
    private let keys = (0..<3).map { PrintCache.Key(file: [UInt8($0)]) }

    init() throws {
        prints = try (0..<3).map { try Fixtures.print(of: CatalogGenerator(seed: 5).picture($0)) }
    }

    private func fill(_ folder: String) throws {
        let cache = try PrintCache(folder: folder)
        #expect(cache.count == 0)
        for (print, key) in zip(prints, keys) { try cache.keep(print, for: key) }
    }

    private func damage(_ folder: String, _ change: (inout Data) -> Void) throws {
        let file = URL(fileURLWithPath: "\(folder)/prints.cache")
        var bytes = try Data(contentsOf: file)
        change(&bytes)
        try bytes.write(to: file)
    }

    @Test func printsComeBack() throws {
        try withTemporaryDirectory { folder in
            try fill("\(folder)/new/deep")
            let cache = try PrintCache(folder: "\(folder)/new/deep")
            #expect(cache.count == 3)
            #expect(cache.damagedStretches == 0)
            for (print, key) in zip(prints, keys) { #expect(cache.print(for: key) == print) }
            #expect(cache.print(for: PrintCache.Key(file: [9])) == nil)
        }
    }

    @Test func aTornEndLosesTheLastPrintOnly() throws {
        try withTemporaryDirectory { folder in
            try fill(folder)
            try damage(folder) { $0.removeLast(100) }
            let cache = try PrintCache(folder: folder)
            #expect(cache.print(for: keys[1]) == prints[1])
            #expect(cache.print(for: keys[2]) == nil)
            try cache.keep(prints[2], for: keys[2])
            let again = try PrintCache(folder: folder)
            #expect(again.damagedStretches == 1)
            #expect(again.print(for: keys[2]) == prints[2], "written behind the torn one")
            #expect(again.print(for: keys[0]) == prints[0])
        }
    }

    @Test func aChangedByteLosesOnePrint() throws {
        try withTemporaryDirectory { folder in
            try fill(folder)
            let first = prints[0].encoded().count
            try damage(folder) { $0[first / 2] ^= 1 }
            let cache = try PrintCache(folder: folder)
            #expect(!cache.has(keys[0]))
            #expect(cache.print(for: keys[0]) == nil)
            #expect(cache.print(for: keys[1]) == prints[1])
            #expect(cache.print(for: keys[2]) == prints[2])
        }
    }

    @Test func aChangedLengthLosesOnePrint() throws {
        try withTemporaryDirectory { folder in
            try fill(folder)
            try damage(folder) { $0[23] ^= 0xFF }
            let cache = try PrintCache(folder: folder)
            #expect(cache.print(for: keys[0]) == nil)
            #expect(cache.print(for: keys[1]) == prints[1])
        }
    }

    @Test func keysFollowFromAllThatAPrintFollowsFrom() {
        let key = PrintCache.Key(generatedWith: 1, index: 2, material: [[1, 2]])
        #expect(key == PrintCache.Key(generatedWith: 1, index: 2, material: [[1, 2]]))
        #expect(key != PrintCache.Key(generatedWith: 1, index: 3, material: [[1, 2]]))
        #expect(key != PrintCache.Key(generatedWith: 2, index: 2, material: [[1, 2]]))
        #expect(key != PrintCache.Key(generatedWith: 1, index: 2, material: [[1, 3]]))
    }

    @Test func aFolderThatCannotBeMadeIsNamed() {
        #expect(throws: EvaluationError.self) { try PrintCache(folder: "/dev/null/here") }
    }
}
