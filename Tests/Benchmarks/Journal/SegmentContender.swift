import Journal
import Messages

/// The journal's own backend, called in this process.
final class SegmentContender: AppendContender {
    let name = "Sightline"
    private let journal: SegmentJournal

    init(folder: String) throws {
        journal = try SegmentJournal(folder: "\(folder)/segments", mode: .readWrite, newEpoch: 1)
    }

    var processorSeconds: Double { ProcessorTime.ofSelf() }

    func append(_ group: [AppendSample]) throws {
        for outcome in try journal.append(group.map(\.entry)) {
            guard case .stored = outcome else { throw BenchError(.answer, "\(outcome)") }
        }
    }
}
