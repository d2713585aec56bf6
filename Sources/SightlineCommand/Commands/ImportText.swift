import Service

/// What an import says at its end.
enum ImportText {
    static func write(_ summary: ImportSummary, of count: Int, isDryRun: Bool) {
        for row in summary.bad { Sightline.complain("skipped \(row)") }
        if summary.refused > summary.bad.count {
            Sightline.complain(
                "skipped \(summary.refused - summary.bad.count) more rows; --report FILE has all")
        }
        print(isDryRun ? prospect(of: summary) : result(of: summary))
        if summary.withoutContent > 0 {
            print(
                "\(summary.withoutContent) with too little content: only an identical picture finds them"
            )
        }
        if let reason = summary.whyNotPruned {
            Sightline.complain("nothing was removed, since \(reason)")
        }
        if summary.isStopped {
            Sightline.complain(
                "stopped after \(summary.done) of \(count) rows; the same command goes on")
        }
    }

    private static func result(of summary: ImportSummary) -> String {
        var line = "imported \(summary.imported)"
        if summary.changed > 0 { line += " (\(summary.changed) of them changed)" }
        line += ", unchanged \(summary.unchanged), skipped \(summary.refused)"
        if summary.pruned > 0 { line += ", removed \(summary.pruned)" }
        if let position = summary.position { line += "; position \(position)" }
        return line
    }

    private static func prospect(of summary: ImportSummary) -> String {
        "would add \(summary.added), change \(summary.changed), leave \(summary.unchanged), "
            + "remove \(summary.pruned), skip \(summary.refused); nothing was changed"
    }
}
