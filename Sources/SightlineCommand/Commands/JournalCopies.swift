import Foundation
import Journal
import Messages
import Service

/// `sightline journal backup`, `restore` and `compact`.
extension JournalCommand {
    static func backup(
        _ folder: String, to target: String, _ arguments: Arguments
    ) throws -> ExitStatus {
        if let file = arguments["keys"], path(file).hasPrefix(target + "/") {
            throw UsageError(
                "--keys '\(file)' is inside the backup; keys are kept apart from what they open")
        }
        let result = try JournalBackup.run(
            folder: folder, to: target, progress: bar("copying"))
        print(
            "backed up to record \(result.position.sequence): \(result.files) files, "
                + "\(result.bytes) bytes; \(result.present) files were there already")
        guard let file = arguments["keys"] else {
            print("without the accounts' keys: what belongs to accounts needs --keys FILE")
            return .success
        }
        let count = try JournalBackup.writeKeys(of: folder, to: path(file))
        print("\(count) account keys in \(file), for its owner only; keep it apart")
        return .success
    }

    static func restore(
        _ backup: String, to data: String, _ arguments: Arguments
    ) throws -> ExitStatus {
        let manager = FileManager.default
        // A folder that does not exist is as good as an empty one.
        let names = (try? manager.contentsOfDirectory(atPath: data)) ?? []
        guard names.allSatisfy({ $0 == "journal.restoring" }) else {
            throw UsageError("'\(data)' is not empty; restore into an empty data folder")
        }
        let epoch = UInt64.random(in: .min ... .max)
        let result = try JournalRestore.run(
            backup: backup, to: "\(data)/journal", keys: arguments["keys"].map(path), epoch: epoch,
            upToDamage: arguments.isSet("up-to-damage"), progress: bar("verifying"))
        for fault in result.faults { print("damage: \(fault)") }
        print(
            "restored \(result.records) records up to \(result.position.sequence), "
                + "\(result.snapshots) snapshots, \(result.blobs) blobs, \(result.keys) account keys"
        )
        print("new epoch \(digits(result.position.epoch)); every replica starts again from it")
        if arguments["keys"] == nil {
            print("without the accounts' keys: what belongs to accounts cannot be read")
        }
        return result.faults.isEmpty ? .success : .negative
    }

    static func compact(_ folder: String, _ arguments: Arguments) throws -> ExitStatus {
        var policy = RetentionPolicy()
        if let days = try arguments.integer("history", in: 0...36_500) {
            policy.historyMilliseconds = Int64(days) * 86_400_000
        }
        // Compacting never begins a journal.
        _ = try SegmentJournal(folder: folder, mode: .readOnly, newEpoch: 0)
        let journal = try SegmentJournal(folder: folder, mode: .readWrite, newEpoch: 0)
        if let snapshot = try SnapshotMaker(journal).make() {
            print(
                "snapshot at record \(snapshot.position.sequence): \(snapshot.chunks.count) chunks, "
                    + "\(snapshot.byteCount) bytes")
        }
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        let result = try journal.compact(policy, now: now)
        print(
            "removed \(result.records) records, \(result.snapshots) snapshots, "
                + "\(result.blobs) blobs: \(result.bytes) bytes")
        return .success
    }

    private static func path(_ file: String) -> String {
        URL(fileURLWithPath: file).standardizedFileURL.path
    }
}
