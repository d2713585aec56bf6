import Foundation
import Journal
import Locking
import Messages
import TestSupport
import Testing

/// The power fails before any operation on the disk: what was never synced is gone, wholly or in
/// part, and so are names in folders that were not synced. Nothing acknowledged may be lost.
@Suite(.timeLimit(.minutes(5)))
struct PowerLossTests {
    /// What a disk would hold, from the operations that a journal asks for.
    struct Disk {
        let source: String
        /// Bytes of each file that are on the disk, by path.
        var synced: [String: Int] = [:]
        /// Paths whose names are on the disk.
        var named: Set<String> = []
        /// The operation that was asked for last, which is done once another one is asked for.
        var pending: (DiskOperation, String)?

        mutating func see(_ operation: DiskOperation, _ path: String) {
            finish()
            pending = (operation, path)
        }

        /// The last operation has returned.
        mutating func finish() {
            guard let (operation, path) = pending else { return }
            pending = nil
            switch operation {
            case .sync: synced[path] = Self.size(path)
            case .syncFolder:
                let names = try? FileManager.default.contentsOfDirectory(atPath: path)
                named.formUnion((names ?? []).map { "\(path)/\($0)" })
            case .rename:
                // The same file has a new name: `incoming/abcdef` is now `ab/cdef`.
                let parts = path.split(separator: "/").suffix(2)
                synced[path] = synced.removeValue(
                    forKey: "\(source)/blobs/incoming/\(parts.joined())")
            case .write: break
            }
        }

        /// Copies to another folder what survives.
        func survive(to target: String, using random: inout SeededRandom) throws {
            let manager = FileManager.default
            try manager.createDirectory(atPath: target, withIntermediateDirectories: true)
            let paths = manager.subpaths(atPath: source) ?? []
            for relative in paths.sorted() {
                let path = "\(source)/\(relative)"
                var isFolder: ObjCBool = false
                guard manager.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
                if isFolder.boolValue {
                    try manager.createDirectory(
                        atPath: "\(target)/\(relative)", withIntermediateDirectories: true)
                    continue
                }
                guard named.contains(path) || Bool.random(using: &random) else { continue }
                let bytes = try Data(contentsOf: URL(filePath: path))
                let certain = min(synced[path] ?? 0, bytes.count)
                let kept = Int.random(in: certain...bytes.count, using: &random)
                try bytes.prefix(kept).write(to: URL(filePath: "\(target)/\(relative)"))
            }
        }

        private static func size(_ path: String) -> Int {
            ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
        }
    }

    private static func entry(_ number: Int, _ random: inout SeededRandom) throws -> JournalEntry {
        let blobs = (0..<Int.random(in: 0...2, using: &random)).map { _ in random.bytes(40) }
        let padding = String(repeating: "x", count: Int.random(in: 0...200, using: &random))
        return try Make.entry("c\(number)", blobs: blobs, body: "{\"p\":\"\(padding)\"}")
    }

    @Test(arguments: 0..<60)
    func nothingAcknowledgedIsLostAndNothingUnknownAppears(seed: UInt64) throws {
        try withMemoryDirectory { path in
            var random = SeededRandom(seed: seed)
            let source = "\(path)/before"
            let target = "\(path)/after"
            // Draws before which operation the power fails; late enough for some groups.
            let fatal = Int.random(in: 1...80, using: &random)
            let state = Locked((disk: Disk(source: source), count: 0, survived: false))
            let saved = Locked(SeededRandom(seed: seed &+ 1_000))
            let probe = DiskProbe { operation, file in
                state.withLock { state in
                    state.disk.see(operation, file)
                    state.count += 1
                    guard state.count == fatal else { return }
                    // A test that cannot copy fails below, where the copy is missed.
                    saved.withLock { random in
                        state.survived =
                            (try? state.disk.survive(to: target, using: &random)) != nil
                    }
                }
                return state.withLock { $0.survived } ? 5 : 0
            }
            var acknowledged: [JournalEntry] = []
            var tried: [JournalEntry] = []
            do {
                let journal = try SegmentJournal(
                    folder: source, mode: .readWrite, newEpoch: 3, segmentBytesMax: 1_500,
                    probe: probe)
                while state.withLock({ $0.count < fatal }) {
                    let group = try (0..<Int.random(in: 1...4, using: &random)).map {
                        try Self.entry(tried.count + $0, &random)
                    }
                    tried += group
                    _ = try journal.append(group)
                    state.withLock { $0.disk.finish() }
                    acknowledged += group
                }
                Issue.record("the power did not fail")
            } catch is JournalError {}
            #expect(state.withLock { $0.survived })
            let journal = try SegmentJournal(
                folder: target, mode: .readWrite, newEpoch: 4, segmentBytesMax: 1_500)
            #expect(journal.damage == nil)
            let ids = try journal.changeIDs()
            #expect(ids.count >= acknowledged.count)
            #expect(ids == tried.prefix(ids.count).map { $0.record.fields.text(.changeID) })
            if !ids.isEmpty { #expect(journal.epoch == 3) }
            for entry in tried.prefix(ids.count) {
                for blob in entry.blobs {
                    #expect(try journal.blob(try Make.hash(blob)) == blob)
                }
            }
            // What was not acknowledged is sent again and stored once.
            let outcomes = try journal.append(tried)
            let all = try journal.changeIDs()
            #expect(outcomes.allSatisfy { $0.refusal == nil })
            #expect(all == tried.map { $0.record.fields.text(.changeID) })
        }
    }
}
