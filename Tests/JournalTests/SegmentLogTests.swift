import Foundation
import Journal
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SegmentLogTests {
    private static func open(
        _ path: String, _ mode: SegmentLog.Mode = .readWrite, segmentBytesMax: Int = 1_000
    ) throws -> SegmentLog {
        try SegmentLog(
            folder: path, prefix: "test", mode: mode, newEpoch: 5,
            segmentBytesMax: segmentBytesMax, recordBytesMax: 500)
    }
    private static func all(_ log: SegmentLog) throws -> [[UInt8]] {
        try log.read(after: 0, recordsMax: .max, bytesMax: .max)
    }
    private static func files(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasSuffix(".segment") }.sorted().map { "\(path)/\($0)" }
    }
    /// Groups of one to five records of 1 to 200 bytes each.
    private static func groups(_ count: Int, _ random: inout SeededRandom) -> [[[UInt8]]] {
        (0..<count).map { _ in
            (0..<Int.random(in: 1...5, using: &random)).map { _ in
                random.bytes(Int.random(in: 1...200, using: &random))
            }
        }
    }

    @Test(arguments: 0..<10)
    func reopenedLogHoldsWhatWasAppended(seed: UInt64) throws {
        try withMemoryDirectory { path in
            var random = SeededRandom(seed: seed)
            var written: [[UInt8]] = []
            for group in Self.groups(12, &random) {
                let log = try Self.open(path)
                #expect(log.lastSequence == UInt64(written.count))
                #expect(try log.append(group) == UInt64(written.count + 1))
                written += group
                #expect(try Self.all(log) == written)
                #expect(log.damage == nil && log.cut == nil)
            }
            let log = try Self.open(path, .readOnly)
            #expect(log.epoch == 5)
            #expect(try Self.all(log) == written)
            #expect(try Self.files(path).count > 1)
        }
    }

    @Test func filesAreForTheirOwnerOnly() throws {
        try withMemoryDirectory { path in
            _ = try Self.open("\(path)/a/b").append([[1]])
            for name in ["a", "a/b"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
                #expect(attributes[.posixPermissions] as? Int == 0o700)
            }
            let file = try #require(try Self.files("\(path)/a/b").first)
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func secondWriterIsRefusedWhileTheFirstIsOpen() throws {
        try withMemoryDirectory { path in
            var first: SegmentLog? = try Self.open(path)
            try first?.append([[1]])
            let error = #expect(throws: JournalError.self) { _ = try Self.open(path) }
            #expect(error?.code == .locked)
            first = nil
            #expect(try Self.all(try Self.open(path)) == [[1]])
        }
    }

    @Test func readerSeesWhatIsAppendedOnceItLooks() throws {
        try withMemoryDirectory { path in
            let writer = try Self.open(path)
            let reader = try Self.open(path, .readOnly)
            var written: [[UInt8]] = []
            var random = SeededRandom(seed: 1)
            for group in Self.groups(20, &random) {
                try writer.append(group)
                #expect(reader.lastSequence == UInt64(written.count))
                written += group
                try reader.refresh()
                #expect(try Self.all(reader) == written)
            }
            #expect(try Self.files(path).count > 3)
            let error = #expect(throws: JournalError.self) { try reader.append([[1]]) }
            #expect(error?.code == .readOnly)
        }
    }

    @Test func nothingToReadIsNotFound() throws {
        try withMemoryDirectory { path in
            for folder in [path, "\(path)/absent"] {
                let error = #expect(throws: JournalError.self) {
                    _ = try Self.open(folder, .readOnly)
                }
                #expect(error?.code == .notFound)
            }
        }
    }

    @Test func recordOverTheLimitIsRefusedAndStopsNothing() throws {
        try withMemoryDirectory { path in
            let log = try Self.open(path)
            let error = #expect(throws: JournalError.self) {
                try log.append([[1], [UInt8](repeating: 0, count: 501)])
            }
            #expect(error?.code == .tooLarge)
            #expect(log.lastSequence == 0)
            #expect(try log.append([[1]]) == 1)
        }
    }

    @Test(arguments: 0..<200)
    func truncatedLogServesAndKeepsWhatIsWhole(seed: UInt64) throws {
        try withMemoryDirectory { path in
            var random = SeededRandom(seed: seed)
            let groups = Self.groups(8, &random)
            do {
                let log = try Self.open(path)
                for group in groups { try log.append(group) }
            }
            let last = try #require(try Self.files(path).last)
            let size = try Data(contentsOf: URL(filePath: last)).count
            let cut = Int.random(in: 0..<size, using: &random)
            try FileHandle(forWritingTo: URL(filePath: last)).truncate(atOffset: UInt64(cut))
            let written = groups.flatMap(\.self)

            let isOnlyFile = try Self.files(path).count == 1
            if !(isOnlyFile && cut < 32) {
                let reader = try Self.open(path, .readOnly)
                #expect(written.starts(with: try Self.all(reader)))
                #expect(reader.damage == nil)
            }
            let log = try Self.open(path)
            let served = try Self.all(log)
            #expect(written.starts(with: served))
            #expect(log.damage == nil)
            // Every record that ends before the cut is there.
            let lost = written[served.count...]
            #expect(lost.isEmpty == false)
            let again = try log.append([[9, 9]])
            #expect(again == UInt64(served.count + 1))
            #expect(try Self.all(log) == served + [[9, 9]])
        }
    }

    @Test(arguments: 0..<200)
    func flippedBitIsNeverServedAndNothingBeforeItIsLost(seed: UInt64) throws {
        try withMemoryDirectory { path in
            var random = SeededRandom(seed: seed)
            let groups = Self.groups(8, &random)
            do {
                let log = try Self.open(path)
                for group in groups { try log.append(group) }
            }
            let written = groups.flatMap(\.self)
            let files = try Self.files(path)
            let file = try #require(files.randomElement(using: &random))
            var bytes = try Data(contentsOf: URL(filePath: file))
            let place = Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            try bytes.write(to: URL(filePath: file))
            let before = try Self.recordsBefore(place, of: file, written)

            guard let log = try Self.openUnlessHeaderLost(path, place, isFirst: file == files[0])
            else { return }
            let served = try Self.all(log)
            #expect(written.starts(with: served))
            #expect(served.count == before)
            // Only the last group may pass for a torn write; anything else is named and kept.
            let isInLastGroup = before >= written.count - (groups.last?.count ?? 0)
            if let damage = log.damage {
                #expect(damage.file == file)
                #expect(damage.offset <= place)
                let error = #expect(throws: JournalError.self) { try log.append([[1]]) }
                #expect(error?.code == .damaged)
                #expect(error?.context.contains(file) == true)
                #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
            } else {
                #expect(isInLastGroup)
                #expect(log.cut?.file == file)
                #expect(try log.append([[1]]) == UInt64(before + 1))
            }
        }
    }

    /// Records that end before a byte of a file; its name says which one it begins with.
    private static func recordsBefore(
        _ place: Int, of file: String, _ written: [[UInt8]]
    ) throws -> Int {
        let digits = file.dropLast(".segment".count).suffix(20)
        var count = try #require(Int(digits)) - 1
        guard place >= SegmentFormat.headerBytes else { return count }
        var end = SegmentFormat.headerBytes
        while count < written.count {
            end += SegmentFormat.recordHeaderBytes + written[count].count
            guard end <= place else { break }
            count += 1
        }
        return count
    }

    /// Nil if the very first header is lost, which leaves nothing to serve and is said.
    private static func openUnlessHeaderLost(
        _ path: String, _ place: Int, isFirst: Bool
    ) throws -> SegmentLog? {
        guard isFirst, place < SegmentFormat.headerBytes else { return try open(path) }
        let error = #expect(throws: JournalError.self) { _ = try open(path) }
        #expect(error?.code == .damaged)
        return nil
    }

    @Test func missingFileInTheMiddleIsDamage() throws {
        try withMemoryDirectory { path in
            let record = [UInt8](repeating: 7, count: 400)
            do {
                let log = try Self.open(path)
                for _ in 0..<8 { try log.append([record]) }
            }
            let files = try Self.files(path)
            #expect(files.count >= 4)
            try FileManager.default.removeItem(atPath: files[1])
            let log = try Self.open(path)
            #expect(log.damage?.file == files[2])
            #expect(try Self.all(log).count == 2)
            #expect(throws: JournalError.self) { try log.append([[1]]) }
        }
    }

    @Test func fileOfAnotherLogIsDamage() throws {
        try withMemoryDirectory { path in
            do { try Self.open("\(path)/a").append([[1], [2]]) }
            let other = try SegmentLog(
                folder: "\(path)/b", prefix: "test", mode: .readWrite, newEpoch: 6)
            try other.append([[3]])
            let source = try #require(try Self.files("\(path)/b").first)
            try FileManager.default.copyItem(
                atPath: source, toPath: "\(path)/a/test-00000000000000000003.segment")
            let log = try Self.open("\(path)/a")
            #expect(log.damage?.reason == "the file belongs to another log")
            #expect(try Self.all(log) == [[1], [2]])
        }
    }

    @Test func damageThatComesWhileOpenIsNotServed() throws {
        try withMemoryDirectory { path in
            let log = try Self.open(path)
            for byte in UInt8(1)...5 { try log.append([[byte, byte, byte]]) }
            let file = try #require(try Self.files(path).first)
            let handle = try FileHandle(forUpdating: URL(filePath: file))
            try handle.seek(toOffset: UInt64(32 + 2 * 15 + 13))
            try handle.write(contentsOf: [0xEE])
            #expect(try Self.all(log) == [[1, 1, 1], [2, 2, 2]])
            let error = #expect(throws: JournalError.self) {
                _ = try log.read(after: 2, recordsMax: 1, bytesMax: 100)
            }
            #expect(error?.code == .damaged)
            #expect(error?.context.contains("byte 62") == true)
            #expect(
                try log.read(after: 3, recordsMax: 9, bytesMax: 100) == [[4, 4, 4], [5, 5, 5]])
        }
    }

    @Test func unsyncedAppendsAreReadableAndSyncedLater() throws {
        try withMemoryDirectory { path in
            let log = try Self.open(path, segmentBytesMax: 100)
            for byte in UInt8(1)...20 { try log.append([[byte]], synced: false) }
            try log.sync()
            try log.sync()
            #expect(try Self.all(log) == (1...20).map { [$0] })
            #expect(try Self.files(path).count > 2)
        }
    }

    @Test func readersRunBesideAnAppendingThread() async throws {
        try await withMemoryDirectory { path in
            let log = try Self.open(path)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { @concurrent in
                    for number in UInt8(1)...100 { try log.append([[number], [number]]) }
                }
                for _ in 0..<2 {
                    group.addTask { @concurrent in
                        var seen = 0
                        while seen < 200 {
                            let records = try Self.all(log)
                            #expect(records == (2..<records.count + 2).map { [UInt8($0 / 2)] })
                            seen = records.count
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
