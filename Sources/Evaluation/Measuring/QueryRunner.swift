import Foundation
import Matching
import Messages
import Raster
import Search

/// Asks queries in this process as a worker does.
struct QueryRunner: Sendable {
    let catalog: EvaluationCatalog
    let maker: PrintMaker
    let instruments: Instruments
    let budgetMilliseconds: UInt32
    /// What stands around distorted pictures.
    let clutter: [Bitmap]

    /// Matches of one answer that are kept.
    private static let matchesMax = 100

    /// The file of a query's picture.
    func file(of query: PlannedQuery) throws -> [UInt8] {
        switch query.source {
        case .file(let path): return try PictureFolder.bytes(of: path)
        case .view(let path, let distortion):
            return try distortion.applied(to: picture(at: path), clutter: clutter).jpeg()
        case .volume(let series, let seed, let distortion):
            let cover = SeriesGenerator(seed: seed).cover(of: series, volume: 1)
            return try distortion.applied(to: cover, clutter: clutter).jpeg()
        }
    }

    /// The picture of a query, at the working size.
    func picture(of query: PlannedQuery) throws -> Bitmap {
        try maker.decode(file(of: query), { false })
    }

    /// The picture of a file, at the working size.
    func picture(at path: String) throws -> Bitmap {
        try maker.decode(PictureFolder.bytes(of: path), { false })
    }

    /// Asks one query; the clock and the deadline begin when its file is in memory.
    func ask(_ query: PlannedQuery) throws -> EvaluatedQuery {
        let bytes = try file(of: query)
        var answer = QueryAnswer()
        let begin = instruments.monotonic()
        let processor = instruments.processor()
        let deadline = begin + UInt64(budgetMilliseconds) * 1_000_000
        do {
            try search(bytes, query.rule, deadline, from: begin, into: &answer)
        } catch {
            answer.failure = "\(error)"
        }
        answer.processorMilliseconds = Double(instruments.processor() - processor) / 1e6
        answer.milliseconds = Double(instruments.monotonic() - begin) / 1e6
        return EvaluatedQuery(
            kind: query.kind, set: query.set, picture: query.picture, targets: query.targets,
            answer: answer)
    }

    private func search(
        _ bytes: [UInt8], _ rule: AcceptRule, _ deadline: UInt64, from begin: UInt64,
        into answer: inout QueryAnswer
    ) throws {
        let monotonic = instruments.monotonic
        let isLate = { monotonic() >= deadline }
        var last = begin
        func end(_ stage: String, _ answer: inout QueryAnswer) {
            let now = monotonic()
            answer.stages[stage] = Double(now - last) / 1e6
            last = now
        }
        let query = try maker.query(bytes, isLate) { end($0, &answer) }
        let found = query.search(
            catalog.prints, maxDistance: Limits.distanceMax, accepts: rule.accepts,
            shouldStop: isLate)
        end("match", &answer)
        answer.checked = found.checked
        guard found.isComplete else {
            answer.failure = "stopped at the deadline after \(found.checked) comparisons"
            return
        }
        answer.isComplete = true
        answer.matches = found.matches.prefix(Self.matchesMax).map {
            QueryAnswer.Match(id: catalog.entries[$0.entry].id, distance: $0.distance)
        }
    }
}
