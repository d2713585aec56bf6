public import Messages

/// How an import went, or would go.
public struct ImportSummary: Sendable {
    /// Entities put that were not there.
    public private(set) var added = 0
    /// Entities put that were there otherwise.
    public private(set) var changed = 0
    /// Entities that were there already.
    public private(set) var unchanged = 0
    /// Entities removed, since no row has them any more.
    public internal(set) var pruned = 0
    /// Entities put whose pictures have too little content to be recognised.
    public private(set) var withoutContent = 0
    /// Rows that could not be imported.
    public private(set) var refused = 0
    /// The first of them, at most `Limits.badRowsShown`.
    public private(set) var bad: [BadRow] = []
    /// It was stopped before all rows were read.
    public internal(set) var isStopped = false
    /// Why nothing was removed although that was asked for.
    public internal(set) var whyNotPruned: String?
    /// The position of the last change; nil if there was none.
    public internal(set) var position: Position?

    /// Entities put.
    public var imported: Int { added + changed }
    /// Rows done with.
    public var done: Int { imported + unchanged + refused }

    /// Counts a row, and gives back what could not be imported.
    mutating func add(_ outcome: RowOutcome) -> BadRow? {
        switch outcome {
        case .put(let at, let isNew, let hasContent):
            if isNew { added += 1 } else { changed += 1 }
            if !hasContent { withoutContent += 1 }
            move(to: at)
        case .unchanged: unchanged += 1
        case .bad(let row):
            refused += 1
            if bad.count < Limits.badRowsShown { bad.append(row) }
            return row
        }
        return nil
    }

    mutating func move(to place: Position?) {
        guard let place, place.sequence > position?.sequence ?? 0 else { return }
        position = place
    }
}
