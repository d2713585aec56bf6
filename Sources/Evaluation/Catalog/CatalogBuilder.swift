import Foundation
import Matching
import Messages
import Raster
import XXHash

/// Makes the prints of a catalog on all cores and puts them into one collection.
struct CatalogBuilder {
    let maker: PrintMaker
    let instruments: Instruments
    let cores: Int
    let cache: PrintCache?
    let progress: @Sendable (_ stage: String, _ done: Int, _ total: Int) -> Void

    /// Prints that are under way at a time.
    private static let batch = 1_024

    /// What reading one entry came to.
    private struct Made: Sendable {
        var print: FeaturePrint?
        var key: PrintCache.Key?
        var fileHash: [UInt8] = []
        var isCached = false
        var fault = ""
    }

    /// The catalog of a plan with so many series, filled up with generated entries to `count` in
    /// all.
    func build(
        _ plan: CatalogPlan, count: Int, series: Int, seed: UInt64
    ) async throws -> EvaluationCatalog {
        let begin = instruments.monotonic()
        let before = instruments.resident()
        var catalog = EvaluationCatalog()
        catalog.distractors = plan.distractors
        catalog.build.ofSets = plan.entries.count - plan.distractors.count
        catalog.build.distractors = plan.distractors.count
        let entries = plan.entries
        let made = try await Parallel.map(
            entries.count, cores: cores,
            progress: { progress("pictures", $0, entries.count) },
            { [self] number in try file(entries[number]) })
        for (entry, result) in zip(entries, made) { add(entry, result, to: &catalog) }
        catalog.filePrints = made.map(\.print)
        try await addSeries(series, seed: seed, to: &catalog)
        let missing = count - catalog.entries.count
        if missing > 0 {
            try await fill(
                &catalog, with: missing, seed: seed, hashes: made.map(\.fileHash))
        }
        catalog.build.indexBytes = catalog.prints.byteCounts
        catalog.build.residentBytes = max(0, instruments.resident() - before)
        catalog.build.milliseconds = Double(instruments.monotonic() - begin) / 1e6
        return catalog
    }

    private func add(_ entry: CatalogEntry, _ made: Made, to catalog: inout EvaluationCatalog) {
        let number = catalog.entries.count
        catalog.entries.append(entry)
        guard let print = made.print else {
            catalog.notImported.append("\(entry.id): \(made.fault)")
            return
        }
        catalog.prints.put([print], for: number, order: made.key?.order ?? 0)
        catalog.build.features += print.featureCount
        catalog.build.printBytes += print.encoded().count
        catalog.build.cached += made.isCached ? 1 : 0
    }

    /// The print of a file; a file that cannot be read is no error of the evaluation.
    private func file(_ entry: CatalogEntry) throws -> Made {
        guard case .file(let path) = entry.source else { return Made() }
        var made = Made()
        do {
            let bytes = try PictureFolder.bytes(of: path)
            let key = PrintCache.Key(file: bytes)
            made.key = key
            made.fileHash = XXHash.of(bytes)
            if let print = cache?.print(for: key) {
                made.print = print
                made.isCached = true
                return made
            }
            made.print = try maker.print(try maker.decode(bytes, { false }), { false })
        } catch {
            made.fault = "\(error)"
            return made
        }
        if let key = made.key, let print = made.print { try cache?.keep(print, for: key) }
        return made
    }

    private func addSeries(
        _ count: Int, seed: UInt64, to catalog: inout EvaluationCatalog
    ) async throws {
        let generator = SeriesGenerator(seed: seed)
        let made = try await Parallel.map(
            count, cores: cores, progress: { progress("series", $0, count) },
            { [self] number in
                try drawn(PrintCache.Key(seriesWith: seed, number: number)) {
                    generator.cover(of: number, volume: 0)
                }
            })
        for (number, result) in made.enumerated() {
            let entry = CatalogEntry(id: "series/\(number)", source: .series(number))
            add(entry, result, to: &catalog)
        }
        catalog.build.series = count
    }

    private func fill(
        _ catalog: inout EvaluationCatalog, with missing: Int, seed: UInt64, hashes: [[UInt8]]
    ) async throws {
        let numbers = catalog.material
        let keys = (0..<missing).map { index in
            let used = CatalogGenerator.materialUsed(
                by: index, seed: seed, materialCount: numbers.count)
            return (
                used: used,
                key: PrintCache.Key(
                    generatedWith: seed, index: index,
                    material: used.map { hashes[numbers[$0]] })
            )
        }
        let isAllThere = keys.allSatisfy { cache?.has($0.key) ?? false }
        let generator =
            isAllThere
            ? CatalogGenerator(seed: seed) : try await generator(for: catalog, seed: seed)
        for start in stride(from: 0, to: missing, by: Self.batch) {
            let range = start..<min(missing, start + Self.batch)
            let made = try await Parallel.map(
                range.count, cores: cores,
                progress: { progress("generated", start + $0, missing) },
                { [self] at in
                    try drawn(keys[start + at].key) { generator.picture(start + at) }
                })
            for (index, result) in zip(range, made) {
                let entry = CatalogEntry(
                    id: "generated/\(index)",
                    source: .generated(
                        index: index, material: keys[index].used.map { numbers[$0] }))
                add(entry, result, to: &catalog)
            }
        }
        catalog.build.generated = missing
    }

    /// The print of a picture that is drawn only if it is not in the cache.
    private func drawn(_ key: PrintCache.Key, _ draw: () -> Bitmap) throws -> Made {
        if let print = cache?.print(for: key) {
            return Made(print: print, key: key, isCached: true)
        }
        let print = try maker.print(
            draw().scaled(maxSide: FeaturePrint.workingSide), { false })
        try cache?.keep(print, for: key)
        return Made(print: print, key: key)
    }

    /// The generator of a catalog's entries.
    func generator(
        for catalog: EvaluationCatalog, seed: UInt64
    ) async throws -> CatalogGenerator {
        CatalogGenerator(
            seed: seed,
            material: try await readMaterial(catalog.material.map { catalog.entries[$0] }))
    }

    /// The distractors, small, to take parts of.
    private func readMaterial(_ entries: [CatalogEntry]) async throws -> [Bitmap] {
        try await Parallel.map(
            entries.count, cores: cores,
            progress: { progress("material", $0, entries.count) },
            { [self] number in
                guard case .file(let path) = entries[number].source else {
                    return Bitmap(width: 1, height: 1, rgb: [0, 0, 0])
                }
                return try maker.decode(PictureFolder.bytes(of: path), { false })
                    .scaled(maxSide: Limits.materialSide)
            })
    }
}
