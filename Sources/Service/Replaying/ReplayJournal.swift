import Foundation
import Journal
import Messages

/// The journal that a replay is answered from, and the positions that it can be brought to.
struct ReplayJournal {
    /// The journal, which is only read.
    let backend: JournalWithKeys
    /// The first sequence that a replica can still be brought to; nil if there is none.
    private let least: UInt64?

    /// Opens the journal of a data folder, or a backup, which is a journal's folder itself.
    ///
    /// - Throws: `ConfigurationError` if there is none, or what the folder refuses.
    init(data: String, keys: Keyring) throws {
        let inside = ServerOptions(data: data).journalFolder
        let folder = FileManager.default.fileExists(atPath: inside) ? inside : data
        do {
            backend = JournalWithKeys(
                try SegmentJournal(folder: folder, mode: .readOnly, newEpoch: 0), keys: keys)
        } catch {
            guard error.code == .notFound else { throw error }
            throw ConfigurationError(
                "'\(data)' holds no journal; --data names the folder that 'sightline serve' or "
                    + "'sightline journal' keeps, on the same machine, or a backup of it")
        }
        least = Self.least(of: backend)
    }

    private static func least(of backend: JournalWithKeys) -> UInt64? {
        let first = backend.firstSequence
        guard first > 1 else { return 0 }
        // A snapshot serves if the records behind it are all there.
        let starts = backend.snapshots.map { $0.position.sequence }
        return starts.filter { $0 + 1 >= first }.min()
    }

    /// Why nothing can be answered at a sequence; nil if it can.
    func whyUnreachable(_ sequence: UInt64) -> String? {
        guard sequence <= backend.head.sequence else { return "its position is not in the journal" }
        guard let least, sequence >= least else { return "its position was compacted away" }
        return nil
    }

    /// What is said if nothing can be answered at the positions of a recording, of which one is
    /// named.
    func refusal(of sequence: UInt64) -> ConfigurationError {
        let position = Position(epoch: backend.epoch, sequence: sequence)
        let (first, head) = (backend.firstSequence, backend.head.sequence)
        let records = first <= head ? "\(first) to \(head)" : "no records"
        let starts = backend.snapshots.map { "\($0.position.sequence)" }
        let snapshots =
            starts.isEmpty ? "no snapshot" : "snapshots at \(starts.joined(separator: ", "))"
        return ConfigurationError(
            "position \(position) is \(sequence > head ? "not" : "no longer") in the journal, "
                + "which has \(records), and \(snapshots)")
    }
}
