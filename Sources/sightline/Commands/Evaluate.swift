import Foundation
import Messages
import Service

/// `sightline evaluate`.
enum Evaluate: Subcommand {
    static let name = "evaluate"
    static let summary = "measure recall and false accepts on pictures with known answers"
    static let usage = ["--root DIR [--set NAME]… [--connect ADDRESS] [--json]"]
    static let options: [CommandOption] = [
        .value("root", "DIR", "where the files and the pictures that they name are"),
        .value("catalog", "FILE", "set and picture, tab-separated (default catalog.tsv in --root)"),
        .value("pairs", "FILE", "set, query, target (default pairs.tsv in --root)"),
        .value(
            "negatives", "FILE",
            "set, query that must find nothing (default negatives.tsv in --root)"),
        .value("set", "NAME", repeats: true, "a set of these files (default all)"),
        .value("connect", "ADDRESS", "measure through this router (default: an embedded server)"),
        .value(
            "type", "TYPE",
            "import the pictures as this type, which needs a title only (default movie)"),
        .value("in-flight", "N", "searches under way at a time (default 2)"),
        .entities, .deadline, .json,
    ]
    static let details = """
        Recall ranks without a cut; false accepts are counted with the default cut. Several rows of
        one query are alternatives, but in sets named *-full each is an object to be found.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(0...0, "no argument")
        guard let root = arguments["root"] else { throw UsageError("--root is missing") }
        func file(_ option: String) -> String {
            arguments[option].map { $0.hasPrefix("/") ? $0 : "\(root)/\($0)" }
                ?? "\(root)/\(option).tsv"
        }
        let hasNegatives = FileManager.default.fileExists(atPath: file("negatives"))
        let sets = try EvaluationSet.read(
            catalog: file("catalog"), pairs: file("pairs"),
            negatives: hasNegatives ? file("negatives") : nil, named: arguments.values("set"))
        let type = try EntityTypeDocument(
            named: arguments["type"] ?? "movie", folder: arguments["entities"])
        let budget = try arguments.deadline()
        let inFlight = try arguments.integer("in-flight", in: 1...64) ?? 2
        let results = try await withServer(arguments) { connection in
            let evaluation = Evaluation(
                connection: connection, type: type, root: root, budgetMilliseconds: budget,
                inFlight: inFlight)
            var results: [EvaluationResult] = []
            for set in sets {
                results.append(try await run(set, evaluation))
            }
            return results
        }
        report(results, asJSON: arguments.isSet("json"))
        return .success
    }

    private static func run(
        _ set: EvaluationSet, _ evaluation: Evaluation
    ) async throws -> EvaluationResult {
        let imports = ProgressBar(total: set.catalog.count, label: "\(set.name): import")
        let searches = ProgressBar(
            total: set.queries.count + set.negatives.count, label: "\(set.name): search")
        let result = try await evaluation.run(set) { stage, done, _ in
            (stage == "import" ? imports : searches).show(done)
        }
        searches.end()
        return result
    }

    /// Runs a body against the router named, or against an embedded server on a folder that is
    /// removed afterwards.
    private static func withServer<Result>(
        _ arguments: Arguments, _ body: (RouterConnection) async throws -> Result
    ) async throws -> Result {
        guard arguments["connect"] == nil else { return try await arguments.withConnection(body) }
        let embedded = try EmbeddedServer.temporary(log: arguments.log(default: .warning))
        do {
            let result = try await body(embedded.connection)
            embedded.stop()
            return result
        } catch {
            embedded.stop()
            throw error
        }
    }

    private static func report(_ results: [EvaluationResult], asJSON: Bool) {
        if asJSON {
            let sets = JSONValue.object(["sets": .array(results.map(\.json))])
            print(String(decoding: sets.canonical(), as: UTF8.self))
            return
        }
        let rows = results.map { result in
            [
                result.name, "\(result.queries)", percent(result.recallAt1),
                percent(result.recallAt10), "\(result.falseAccepts)/\(result.negatives)",
                "\(result.incomplete)", milliseconds(0.5, result.milliseconds),
                milliseconds(0.99, result.milliseconds),
            ]
        }
        let header = [
            "set", "queries", "recall@1", "recall@10", "false accepts", "incomplete", "p50 ms",
            "p99 ms",
        ]
        print(Table(header: header, rows: rows).text)
        for result in results {
            for remark in result.notImported + result.remarks { print("\(result.name): \(remark)") }
        }
        printStages(results)
    }

    private static func printStages(_ results: [EvaluationResult]) {
        var stages: [String: [Double]] = [:]
        for result in results {
            for (stage, values) in result.stages { stages[stage, default: []] += values }
        }
        guard !stages.isEmpty else { return }
        let rows = stages.sorted { $0.key < $1.key }.map { stage, values in
            [stage, milliseconds(0.5, values), milliseconds(0.99, values)]
        }
        print("")
        print(Table(header: ["stage", "p50 ms", "p99 ms"], rows: rows).text)
    }

    private static func percent(_ share: Double) -> String {
        String(format: "%.1f %%", share * 100)
    }
    private static func milliseconds(_ share: Double, _ values: [Double]) -> String {
        String(format: "%.1f", EvaluationResult.percentile(share, of: values))
    }
}
