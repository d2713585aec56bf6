import Foundation
import Journal
import Messages
import TestSupport
import Testing

/// Files of a journal are cut off or lose a bit, wherever and however much.
@Suite(.timeLimit(.minutes(5)))
struct DamageTests {
    /// A journal with records in several files, blobs, keys and snapshots, and what it holds.
    struct Specimen {
        let path: String
        var records: [Record] = []
        var blobs: [ContentHash: [UInt8]] = [:]
        var keyring = Keyring()
        var snapshots: [Snapshot] = []

        init(_ path: String) throws {
            self.path = path
            var random = SeededRandom(seed: 7)
            let journal = try SegmentJournal(
                folder: path, mode: .readWrite, newEpoch: 9, segmentBytesMax: 60_000)
            for number in 1...240 {
                var group = [try Self.entry(number, &random)]
                if number % 3 == 0 { group.append(try Self.personal(number)) }
                _ = try journal.append(group)
                for blob in group.flatMap(\.blobs) { blobs[ContentHash.of(blob)] = blob }
                guard number == 80 || number == 160 else { continue }
                let writer = try journal.beginSnapshot(at: journal.head)
                for _ in 0..<3 { try writer.append(random.bytes(9_000), stream: "catalog") }
                snapshots.append(try writer.finish(blobs: Array(blobs.keys)))
            }
            records = try journal.read(after: 0, recordsMax: 9_999, bytesMax: 1 << 30)
            keyring = journal.keyring
        }

        func files(_ folder: String, _ end: String) throws -> [String] {
            let all = FileManager.default.subpaths(atPath: path + folder) ?? []
            return all.filter { $0.hasSuffix(end) }.sorted().map { "\(path)\(folder)/\($0)" }
                .filter { (try? Self.size($0)) ?? 0 > 0 }
        }

        static func size(_ file: String) throws -> Int {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder),
                !isFolder.boolValue
            else { return 0 }
            return try Data(contentsOf: URL(filePath: file)).count
        }

        private static func entry(
            _ number: Int, _ random: inout SeededRandom
        ) throws -> JournalEntry {
            let padding = String(
                repeating: "x", count: Int.random(in: 0...1_500, using: &random))
            let blobs = number % 8 == 0 ? [random.bytes(300)] : []
            return try Make.entry("c\(number)", blobs: blobs, body: "{\"p\":\"\(padding)\"}")
        }

        private static func personal(_ number: Int) throws -> JournalEntry {
            var entry = try Make.entry("p\(number)", kind: .calendarAccess)
            entry.record.fields.set(.account, text: "account \(number % 4)")
            return entry
        }
    }

    /// What is done to a file.
    enum Harm {
        case truncation(Int)
        case flip(Int, UInt8)

        /// One drawn for a file of some bytes.
        init(of count: Int, using random: inout SeededRandom) {
            if Bool.random(using: &random) {
                self = .truncation(Int.random(in: 1...min(count, 65_536), using: &random))
            } else {
                self = .flip(
                    Int.random(in: 0..<count, using: &random),
                    1 << UInt8.random(in: 0..<8, using: &random))
            }
        }

        func applied(to bytes: Data) -> Data {
            switch self {
            case .truncation(let count): return bytes.dropLast(count)
            case .flip(let offset, let bit):
                var changed = bytes
                changed[offset] ^= bit
                return changed
            }
        }

        var isTruncation: Bool {
            if case .truncation = self { return true }
            return false
        }

        /// The first byte that is not as it was.
        func offset(in count: Int) -> Int {
            switch self {
            case .truncation(let lost): count - lost
            case .flip(let offset, _): offset
            }
        }
    }

    /// Harms a file, and afterwards puts back everything that a body may have changed in it.
    private func with(
        _ file: String, seed: UInt64, _ body: (Harm, Int, inout SeededRandom) throws -> Void
    ) throws {
        var random = SeededRandom(seed: seed)
        let bytes = try Data(contentsOf: URL(filePath: file))
        let harm = Harm(of: bytes.count, using: &random)
        try harm.applied(to: bytes).write(to: URL(filePath: file))
        try body(harm, bytes.count, &random)
        try bytes.write(to: URL(filePath: file))
    }

    @Test("T2: 1,000 seeds of truncation and bit flips on segments")
    func damagedSegmentsServeWhatStandsBefore() throws {
        try withMemoryDirectory { path in
            let specimen = try Specimen(path)
            let files = try specimen.files("", ".segment")
            #expect(files.count >= 3)
            for seed in 0..<1_000 as Range<UInt64> {
                let file = files[Int(seed) % files.count]
                try with(file, seed: seed) { harm, count, _ in
                    let problem = try problem(
                        of: specimen, harmed: file, at: harm.offset(in: count),
                        isLast: file == files.last)
                    if let problem { Issue.record("seed \(seed), \(harm): \(problem)") }
                }
            }
        }
    }

    /// What a journal with one harmed segment does wrong; nil if nothing.
    private func problem(
        of specimen: Specimen, harmed file: String, at offset: Int, isLast: Bool
    ) throws -> String? {
        do {
            let journal = try SegmentJournal(
                folder: specimen.path, mode: .readOnly, newEpoch: 1)
            let served = try journal.read(after: 0, recordsMax: 9_999, bytesMax: 1 << 30)
            guard served == Array(specimen.records.prefix(served.count)) else {
                return "a record is not as it was written"
            }
            guard served.count < specimen.records.count else { return "nothing was noticed" }
            // Torn or damaged: nobody can tell where nothing stands behind.
            let summary = try journal.summary()
            guard let place = summary.damage.first ?? summary.unfinished else {
                return "nothing is reported"
            }
            let next = file == place.file || (!isLast && place.file > file)
            guard next, place.file != file || place.offset <= offset else {
                return "the report is of another place: \(place)"
            }
            let report = try JournalVerification.run(folder: specimen.path)
            let found = report.faults.first ?? report.unfinished
            return found == nil ? "verify finds nothing" : nil
        } catch {
            guard error.code == .damaged, error.context.contains(specimen.path) else {
                return "\(error)"
            }
            return nil
        }
    }

    @Test("T2: a torn tail is cut and the journal goes on behind it")
    func tornTailIsCut() throws {
        try withMemoryDirectory { path in
            let specimen = try Specimen(path)
            let file = try #require(try specimen.files("", ".segment").last)
            let bytes = try Data(contentsOf: URL(filePath: file))
            for lost in 1...200 {
                try bytes.dropLast(lost).write(to: URL(filePath: file))
                let journal = try SegmentJournal(folder: path, mode: .readWrite, newEpoch: 1)
                #expect(journal.damage == nil)
                let served = journal.head.sequence
                #expect(served < specimen.records.count)
                let isWhole = journal.cut == nil
                #expect(isWhole || journal.cut?.file == file)
                let outcomes = try journal.append([try Make.entry("next")])
                #expect(outcomes == [.stored(journal.position(served + 1))])
                #expect(try JournalVerification.run(folder: path).faults == [])
            }
        }
    }

    @Test("T2: damaged snapshots, keys and blobs are found by file and never served")
    func damagedOtherFilesAreFound() throws {
        try withMemoryDirectory { path in
            let specimen = try Specimen(path)
            let kinds = try [
                specimen.files("/snapshots", ".chunks"), specimen.files("/snapshots", ".manifest"),
                ["\(path)/keys"], specimen.files("/blobs", ""),
            ]
            #expect(kinds.allSatisfy { !$0.isEmpty })
            for seed in 0..<400 as Range<UInt64> {
                let files = kinds[Int(seed) % kinds.count]
                let file = files[Int(seed) / kinds.count % files.count]
                try with(file, seed: seed) { harm, count, _ in
                    // A cut behind a line, or in what says that it was synced, shows nowhere.
                    let mayBeTorn =
                        file.hasSuffix("/keys")
                        && (harm.isTruncation || harm.offset(in: count) >= count - 7)
                    let report = try JournalVerification.run(folder: path)
                    let isFound = report.faults.contains { file == $0.file }
                    if !isFound, !mayBeTorn {
                        Issue.record("seed \(seed), \(harm): \(file) is not reported")
                    }
                    try expectNothingDamagedIsServed(by: specimen, "seed \(seed), \(harm)")
                }
            }
        }
    }

    private func expectNothingDamagedIsServed(by specimen: Specimen, _ place: String) throws {
        do {
            let journal = try SegmentJournal(folder: specimen.path, mode: .readOnly, newEpoch: 1)
            for key in journal.keyring.all {
                #expect(specimen.keyring[key.id] == key, "\(place)")
            }
            for (hash, bytes) in specimen.blobs {
                // A damaged blob is an error, which is what this is about.
                let served = (try? journal.blob(hash)) ?? bytes
                #expect(served == bytes, "\(place)")
            }
            for snapshot in journal.snapshots {
                #expect(specimen.snapshots.contains(snapshot), "\(place)")
            }
        } catch {
            #expect(error.code == .damaged, "\(place)")
        }
    }
}
