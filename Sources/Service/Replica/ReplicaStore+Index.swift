import Locking
import Matching
import Messages

extension ReplicaStore {
    /// Whether parts of an index wait to be merged.
    package var hasUnmergedIndex: Bool { nextMerge != nil }

    /// Whether so many parts wait that changes have to wait for them.
    var isIndexBehind: Bool {
        content().catalogs.values.contains {
            $0.prints.unmergedSegments > Limits.indexUnmergedMax
        }
    }

    /// Merges what waits to be merged, beside searches and changes, and removes the files that are
    /// not used any more; returns early once the store closes.
    package func mergeIndex() {
        merging.withLock { _ in
            while !isClosing, let (catalog, merge) = nextMerge {
                guard let result = merge.run(shouldStop: { isClosing }) else {
                    if !isClosing { log.error("index cannot be merged", ["catalog": catalog]) }
                    break
                }
                adopt(result, catalog)
                removePrints(result.newlyKept)
            }
            sweepIndex()
        }
    }

    /// The first merge that waits.
    private var nextMerge: (catalog: String, merge: SegmentMerge)? {
        for (name, catalog) in content().catalogs.sorted(by: { $0.key < $1.key }) {
            if let merge = catalog.prints.pendingMerge { return (name, merge) }
        }
        return nil
    }
}
