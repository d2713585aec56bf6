import Evaluation
import Foundation
import Messages
import Service

/// What an evaluation measured, for people or for programs.
struct EvaluateReport {
    let run: EvaluationRun
    let comparison: RunComparison?

    func print(asJSON: Bool) {
        if asJSON {
            var members = run.json.object ?? [:]
            members["printVersion"] = .string(ServiceVersions.featurePrint)
            members["comparison"] = comparison?.json
            write(String(decoding: JSONValue.object(members).canonical(), as: UTF8.self))
            return
        }
        printSets()
        printStrangers()
        printCut()
        for result in run.results {
            for remark in result.notImported + result.remarks { write("\(result.name): \(remark)") }
        }
        for remark in run.catalog?.notImported ?? [] { write("not imported: \(remark)") }
        printStages()
        printCatalog()
        printComparison()
    }

    private func write(_ text: String) { Swift.print(text) }

    private func printSets() {
        let results = run.results.filter {
            !$0.findings.isEmpty || $0.strangers(.listed).queries > 0
        }
        let all = results.count > 1 ? [run.together] : []
        let rows = (results + all).map { result in
            let (asked, accepted) = result.strangers(.listed)
            return [
                result.name, "\(result.findings.count)", Self.percent(result.recallAt1),
                Self.percent(result.recallAt10), Self.percent(result.accepted),
                "\(accepted)/\(asked)", "\(result.incomplete)",
                Self.milliseconds(0.5, result.milliseconds),
                Self.milliseconds(0.99, result.milliseconds),
            ]
        }
        let header = [
            "set", "queries", "recall@1", "recall@10", "accepted", "false accepts", "incomplete",
            "p50 ms", "p99 ms",
        ]
        write(Table(header: header, rows: rows).text)
    }

    private func printStrangers() {
        let kinds: [(EvaluatedQuery.Kind, String)] = [
            (.listed, "named in negatives"), (.otherSets, "queries without their family"),
            (.distorted, "distorted distractors"), (.series, "other volumes of a series"),
        ]
        let rows = kinds.compactMap { kind, name -> [String]? in
            let (asked, accepted) = run.together.strangers(kind)
            guard asked > 0 else { return nil }
            return [
                name, "\(asked)", "\(accepted)",
                String(format: "%.2f %%", Double(accepted) / Double(asked) * 100),
            ]
        }
        guard !rows.isEmpty else { return }
        write("")
        write(Table(header: ["strangers", "queries", "accepted", "rate"], rows: rows).text)
        if run.nearDuplicatesRemoved > 0 {
            write(
                "taken out as near-duplicates of distorted distractors: "
                    + "\(run.nearDuplicatesRemoved)")
        }
    }

    /// The cut that would let three of a thousand strangers pass.
    private func printCut() {
        let same = run.sameArtwork.count
        if same > 0 {
            write(
                "\(same) of those without their family found what their own target matches too: "
                    + "the same artwork; the cut is without them")
        }
        let choice = run.curveWithoutSameArtwork.choice(
            falseAccepts: EvaluationRun.falseAcceptsWanted)
        guard choice.fitting.queries > 0 else { return }
        write(
            String(
                format: "a cut of %.3f accepts %d of %d strangers of the fitting half, "
                    + "%d of %d of the reporting half, and %@ of what is looked for",
                Double(choice.distance) / 1e6, choice.fitting.accepted, choice.fitting.queries,
                choice.reporting.accepted, choice.reporting.queries,
                Self.percent(choice.accepted)))
    }

    private func printComparison() {
        guard let comparison else { return }
        func chance(_ test: RunComparison.SignTest) -> String {
            String(
                format: "%d better, %d worse (a coin does so in %.2g of all cases)", test.better,
                test.worse, test.chance)
        }
        write("")
        write(
            "compared \(comparison.compared) queries, not compared \(comparison.notCompared)")
        write("queries: \(chance(comparison.queries))")
        write(
            "distances: \(chance(comparison.distances))"
                + String(format: ", on average %+.4f", comparison.meanChange / 1e6))
        for line in comparison.better { write("better: \(line)") }
        for line in comparison.worse { write("worse: \(line)") }
    }

    private func printStages() {
        let all = run.together
        var values = all.stages.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        guard !values.isEmpty else { return }
        if !all.processorMilliseconds.isEmpty {
            values.append(("processor, in all", all.processorMilliseconds))
        }
        let rows = values.map { stage, values in
            [stage, Self.milliseconds(0.5, values), Self.milliseconds(0.99, values)]
        }
        write("")
        write(Table(header: ["stage", "p50 ms", "p99 ms"], rows: rows).text)
    }

    private func printCatalog() {
        guard let build = run.catalog?.build else { return }
        let checked = run.together.checked
        write("")
        write(
            "\(build.entries) entries: \(build.ofSets) of sets, \(build.distractors) distractors, "
                + "\(build.series) of series, \(build.generated) generated; \(build.cached) prints from the cache"
        )
        write(
            String(
                format:
                    "each %.0f features, %.0f bytes of print; kept %.0f bytes in memory and %.0f in files",
                build.each(build.features), build.each(build.printBytes),
                build.each(build.indexBytes.scanned), build.each(build.indexBytes.pictures)))
        write(
            String(
                format: "entries compared: p50 %.0f, p99 %.0f",
                EvaluationResult.percentile(0.5, of: checked),
                EvaluationResult.percentile(0.99, of: checked)))
    }

    private static func percent(_ share: Double) -> String {
        String(format: "%.1f %%", share * 100)
    }
    private static func milliseconds(_ share: Double, _ values: [Double]) -> String {
        String(format: "%.1f", EvaluationResult.percentile(share, of: values))
    }
}
