import Evaluation
import Foundation
import Messages
import Raster
import Service

/// The files that `evaluate` writes and the run that it compares with.
struct EvaluateOutputs {
    private let curves: String?
    private let failures: String?
    private let out: String?
    private let earlier: RunFile?

    /// Reads the run to compare with, before anything is measured.
    ///
    /// - Throws: `ConfigurationError` for a file that is no run.
    init(_ arguments: Arguments) throws {
        curves = arguments["curves"]
        failures = arguments["failures"]
        out = arguments["out"]
        earlier = try arguments["compare"].map { path in
            do {
                return try RunFile(
                    JSONValue(parsing: try readFile(path, bytesMax: 1 << 30)))
            } catch {
                throw ConfigurationError("the run '\(path)': \(error)")
            }
        }
    }

    /// Writes what was asked for; the comparison is returned.
    func write(
        _ run: EvaluationRun, _ evaluation: LocalEvaluation?
    ) async throws -> RunComparison? {
        if let curves {
            let chart = Chart(
                run.curve,
                title: "\(run.together.findings.count) objects, "
                    + "\(run.queries.filter(\.kind.isStranger).count) strangers, "
                    + "\(run.catalog?.build.entries ?? 0) entries, "
                    + "prints \(ServiceVersions.featurePrint)",
                cut: Limits.distanceDefault)
            try write(chart.picture().png(), to: curves)
        }
        if let failures, let evaluation {
            try write(
                try await FailurePictures(run, of: evaluation).sheet().png(), to: failures)
        }
        if let out {
            let file = RunFile(
                printVersion: ServiceVersions.featurePrint, queries: run.queries)
            try write(file.json(measured: run.json).canonical(), to: out)
        }
        return earlier.map {
            RunComparison(of: run.queries, with: $0.queries, cut: Limits.distanceDefault)
        }
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
