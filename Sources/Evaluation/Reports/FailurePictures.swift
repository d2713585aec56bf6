import Messages
public import Raster

/// Reads or makes the pictures of failures again.
public struct FailurePictures: Sendable {
    private let evaluation: LocalEvaluation
    private let run: EvaluationRun
    private let sources: [String: CatalogEntry.Source]

    /// The pictures of a run's failures.
    public init(_ run: EvaluationRun, of evaluation: LocalEvaluation) {
        self.run = run
        self.evaluation = evaluation
        sources = Dictionary(
            (run.catalog?.entries ?? []).map { ($0.id, $0.source) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The failures of the run as a contact sheet; a picture that cannot be read is left out.
    public func sheet() async throws -> Bitmap {
        let failures = Failure.all(in: run.queries, cut: Limits.distanceDefault)
        let shown = Array(failures.prefix(Limits.failuresShown))
        let planned = Dictionary(
            run.planned.map { (Self.name($0.kind, $0.set, $0.picture), $0) },
            uniquingKeysWith: { first, _ in first })
        guard let catalog = run.catalog else { return ContactSheet.picture([], total: 0) }
        let runner = try await evaluation.runner(in: catalog)
        let hasGenerated = shown.contains { failure in
            if case .generated = failure.found.flatMap({ sources[$0.id] }) { true } else { false }
        }
        let generator = hasGenerated ? try await evaluation.generator(of: catalog) : nil
        let rows = try await Parallel.map(shown.count, cores: evaluation.cores) { index in
            let failure = shown[index]
            let query = planned[Self.name(failure.query, failure.set, failure.picture)]
            return ContactSheet.Row(
                failure, query: query.flatMap { try? runner.picture(of: $0) },
                wanted: failure.wanted.flatMap { picture(of: $0, runner, generator) },
                found: (failure.found?.id).flatMap { picture(of: $0, runner, generator) })
        }
        return ContactSheet.picture(rows, total: failures.count)
    }

    private func picture(
        of id: String, _ runner: QueryRunner, _ generator: CatalogGenerator?
    ) -> Bitmap? {
        switch sources[id] {
        case .file(let path): try? runner.picture(at: path)
        case .generated(let index, _): generator?.picture(index)
        case .series(let number): evaluation.series.cover(of: number, volume: 0)
        case nil: nil
        }
    }

    private static func name(
        _ kind: EvaluatedQuery.Kind, _ set: String, _ picture: String
    ) -> String {
        "\(kind.rawValue)\n\(set)\n\(picture)"
    }
}
