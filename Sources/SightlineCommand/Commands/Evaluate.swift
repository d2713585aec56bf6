import Evaluation
import Foundation
import Locking
import Messages
import Raster
import Service

/// `sightline evaluate`.
enum Evaluate: Subcommand {
    static let name = "evaluate"
    static let summary = "measure recall and false accepts on pictures with known answers"
    static let usage = [
        "--root DIR [--set NAME]… [--distractors DIR] [--entries N] [--json]",
        "--pictures DIR [--distort N] [--distractors DIR] [--entries N] [--json]",
        "--root DIR [--set NAME]… --connect ADDRESS [--json]",
    ]
    static let options: [CommandOption] = [
        .value("root", "DIR", "where the files and the pictures that they name are"),
        .value("catalog", "FILE", "set and picture, tab-separated (default catalog.tsv in --root)"),
        .value("pairs", "FILE", "set, query, target (default pairs.tsv in --root)"),
        .value(
            "negatives", "FILE",
            "set, query that must find nothing (default negatives.tsv in --root)"),
        .value("set", "NAME", repeats: true, "a set of these files (default all)"),
        .value(
            "distractors", "DIR",
            "pictures that fill the catalog up; distorted, each is a stranger to all others"),
        .value("entries", "N", "fill the catalog up with generated entries to N in all"),
        .value("seed", "N", "what is generated and distorted follows from it (default 1)"),
        .value("strength", "PERCENT", "how harsh pictures are distorted, 0 to 100 (default 70)"),
        .value("strangers", "N", "distort the first N distractors only (default all)"),
        .value(
            "series", "N",
            "add a generated cover of N series each; another volume, distorted, is a stranger"),
        .value(
            "pictures", "DIR",
            "a catalog of your own: each picture is an entry, and distorted views are the queries"),
        .value(
            "distort", "N",
            "distorted views of each picture (default 3 with --pictures, otherwise none)"),
        .value(
            "kind", "KIND",
            "what is done to them: photo, screenshot or edit (default each, by chance)"),
        .value("write-queries", "DIR", "write the files of distorted views there"),
        .value(
            "curves", "FILE.png",
            "draw what each cut would accept, and of how many strangers"),
        .value(
            "failures", "FILE.png",
            "draw each failed query with what it should find and what it found"),
        .value("out", "FILE.json", "write the run with each query's answer"),
        .value("compare", "FILE.json", "say what changed since that run, of any print version"),
        .value("cache", "DIR", "keep prints there for the next run"),
        .value("connect", "ADDRESS", "measure through this router (default: in this process)"),
        .key, .serverKey,
        .value(
            "type", "TYPE",
            "with --connect: import as this type, which needs a title only (default movie)"),
        .value("in-flight", "N", "searches under way at a time (default: one a core)"),
        .entities, .deadline, .json,
    ]
    static let details = """
        Recall ranks without a cut; accepted is what stands at rank 1 within the default cut of 1.0.
        Several rows of one query are alternatives, but in sets named *-full each is an object to be
        found. All catalogs, distractors and generated entries stand in one collection; a query of a
        set sees the set's own catalog and what fills it up.

        Strangers that must not be accepted are the rows of negatives.tsv; the queries of each set
        against everything but the catalogs of its family; and a distorted view of each distractor,
        with the distractor, its near-duplicates, theirs, and the entries generated from any of them
        taken out. Sets are of one family if their names are the same up to the first hyphen or if
        they share a catalog picture, and so on from set to set.

        --pictures needs no files with answers. Prints of two versions are never mixed: to compare
        them, run each with --out, the second one with --compare.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(0...0, "no argument")
        try arguments.refuse(["key", "server-key", "type"], without: "connect")
        DecoderProcesses.prepare()  // before this process grows
        do {
            let outputs = try EvaluateOutputs(arguments)
            let sets = try sets(arguments)
            var evaluation: LocalEvaluation?
            let run: EvaluationRun
            if arguments["connect"] == nil {
                let local = LocalEvaluation(
                    try EvaluateArguments.options(arguments), maker: .worker, instruments: .machine)
                evaluation = local
                run = try await inProcess(sets, local)
            } else {
                try EvaluateArguments.refuseLocalOptions(arguments)
                run = try await throughRouter(sets, arguments)
            }
            let comparison = try await outputs.write(run, evaluation)
            EvaluateReport(run: run, comparison: comparison)
                .print(asJSON: arguments.isSet("json"))
            return .success
        } catch let error as EvaluationError {
            throw ConfigurationError(error.description)
        }
    }

    private static func sets(_ arguments: Arguments) throws -> [EvaluationSet] {
        if let folder = arguments["pictures"] {
            if let option = EvaluateArguments.ofSets.first(where: arguments.isGiven) {
                throw UsageError("--\(option) is for --root, not for --pictures")
            }
            return [try EvaluationSet(picturesOf: folder)]
        }
        guard let root = arguments["root"] else {
            throw UsageError("--root or --pictures is missing")
        }
        func file(_ option: String) -> String {
            arguments[option].map { $0.hasPrefix("/") ? $0 : "\(root)/\($0)" }
                ?? "\(root)/\(option).tsv"
        }
        let hasNegatives = FileManager.default.fileExists(atPath: file("negatives"))
        return try EvaluationSet.read(
            catalog: file("catalog"), pairs: file("pairs"),
            negatives: hasNegatives ? file("negatives") : nil, named: arguments.values("set"))
    }

    private static func inProcess(
        _ sets: [EvaluationSet], _ evaluation: LocalEvaluation
    ) async throws -> EvaluationRun {
        let bars = Bars()
        let run = try await evaluation.run(sets) { bars.show($0, $1, $2) }
        bars.end()
        return run
    }

    private static func throughRouter(
        _ sets: [EvaluationSet], _ arguments: Arguments
    ) async throws -> EvaluationRun {
        let type = try EntityTypeDocument(
            named: arguments["type"] ?? "movie", folder: arguments["entities"])
        let budget = try arguments.deadline()
        let inFlight = try arguments.integer("in-flight", in: 1...64) ?? 2
        let root = arguments["root"] ?? ""
        return try await arguments.withConnection { connection in
            let evaluation = RouterEvaluation(
                connection: connection, type: type, root: root, budgetMilliseconds: budget,
                inFlight: inFlight)
            var results: [EvaluationResult] = []
            for set in sets {
                let bars = Bars(prefix: "\(set.name): ")
                results.append(try await evaluation.run(set) { bars.show($0, $1, $2) })
                bars.end()
            }
            return EvaluationRun(results)
        }
    }
}

/// A bar for each stage, one after another.
private final class Bars: Sendable {
    private let prefix: String
    private let current = Locked<(stage: String, bar: ProgressBar)?>(nil)

    init(prefix: String = "") { self.prefix = prefix }

    func show(_ stage: String, _ done: Int, _ total: Int) {
        let prefix = prefix
        let bar = current.withLock { current -> ProgressBar in
            if let current, current.stage == stage { return current.bar }
            current?.bar.end()
            let bar = ProgressBar(total: total, label: prefix + stage)
            current = (stage, bar)
            return bar
        }
        bar.show(done)
    }

    func end() { current.withLock { $0?.bar.end() } }
}
