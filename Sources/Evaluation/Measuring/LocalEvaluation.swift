import Messages
import Raster

/// Measures sets in this process: one collection holds their catalogs and what fills it up.
public struct LocalEvaluation: Sendable {
    /// What is measured.
    public struct Options: Sendable {
        /// Where the sets' pictures are.
        public var root: String
        /// A folder of pictures that fill the catalog up and are strangers when distorted.
        public var distractors: String?
        /// Entries in all, generated as far as there are fewer.
        public var entries = 0
        /// Series of which the catalog has one volume, and another one is a stranger.
        public var series = 0
        /// What generated entries and distortions follow from.
        public var seed: UInt64 = 1
        /// Distractors that are distorted, at most; the first by name.
        public var distortedMax = Int.max
        /// How harsh they are distorted, 0 to 1.
        public var strength = 0.7
        /// Milliseconds of each query.
        public var budgetMilliseconds: UInt32 = 2_000
        /// Distorted views of each picture of the sets that are queries too.
        public var views = 0
        /// What is done to the pictures of those views; nil for all kinds, by chance.
        public var viewKind: Distortion.Kind?
        /// A folder where the files of distorted views are written; nil writes none.
        public var writesQueries: String?
        /// Queries and prints under way at a time.
        public var cores = 1
        /// Where prints are kept between runs; nil keeps none.
        public var cache: String?

        /// Sets below a folder.
        public init(root: String) { self.root = root }
    }

    /// Hears what is under way and how far it is.
    public typealias Progress = @Sendable (_ stage: String, _ done: Int, _ total: Int) -> Void

    private let options: Options
    private let maker: PrintMaker
    private let instruments: Instruments

    /// An evaluation that makes prints and reads clocks as it is told.
    public init(_ options: Options, maker: PrintMaker, instruments: Instruments) {
        self.options = options
        self.maker = maker
        self.instruments = instruments
    }

    /// Measures some sets.
    ///
    /// - Throws: `EvaluationError` for a folder or query that cannot be read.
    public func run(
        _ sets: [EvaluationSet], progress: @escaping Progress
    ) async throws -> EvaluationRun {
        let plan = try CatalogPlan(sets, root: options.root, distractors: options.distractors)
        let builder = CatalogBuilder(
            maker: maker, instruments: instruments, cores: options.cores,
            cache: try options.cache.map { try PrintCache(folder: $0) }, progress: progress)
        let catalog = try await builder.build(
            plan, count: options.entries, series: options.series, seed: options.seed)
        let duplicates = try await duplicates(in: catalog, progress)
        let distorted = Array(
            catalog.distractors.filter { catalog.filePrints[$0] != nil }
                .prefix(options.distortedMax))
        let (seed, strength) = (options.seed, options.strength)
        let queries =
            PlannedQuery.ofSets(sets, root: options.root, catalog.entries)
            + PlannedQuery.views(
                options.views, of: catalog.entries, duplicates, seed: seed, strength: strength,
                kind: options.viewKind)
            + PlannedQuery.ofSeries(in: catalog, seed: seed, strength: strength)
            + PlannedQuery.ofDistractors(
                distorted, in: catalog, duplicates, seed: seed, strength: strength)
        let removed = distorted.reduce(0) { $0 + duplicates.group(of: $1).count - 1 }
        let runner = try await runner(in: catalog)
        let answers = try await ask(queries, runner, progress)
        return EvaluationRun(
            sets: sets.map(\.name), queries: answers, planned: queries, catalog: catalog,
            nearDuplicatesRemoved: removed,
            sameArtwork: SameArtwork(
                sets, in: catalog.entries, duplicates, cut: Limits.distanceDefault
            ).pictures(of: answers))
    }

    /// Which entries with files show the same; none if nothing asks for it.
    private func duplicates(
        in catalog: EvaluationCatalog, _ progress: @escaping Progress
    ) async throws -> NearDuplicates {
        let isNeeded = options.views > 0 || options.distortedMax > 0 && !catalog.distractors.isEmpty
        guard isNeeded else { return NearDuplicates(neighbors: []) }
        return try await NearDuplicates.find(
            in: catalog, cut: Limits.distanceDefault, cores: options.cores,
            progress: { progress("near-duplicates", $0, $1) })
    }

    private func ask(
        _ queries: [PlannedQuery], _ runner: QueryRunner, _ progress: @escaping Progress
    ) async throws -> [EvaluatedQuery] {
        let folder = options.writesQueries
        return try await Parallel.map(
            queries.count, cores: options.cores,
            progress: { progress("search", $0, queries.count) },
            { number in
                let query = queries[number]
                if let folder, case .view = query.source {
                    try PictureFolder.write(
                        try runner.file(of: query), to: "\(folder)/\(query.picture)")
                }
                return try runner.ask(query)
            })
    }

    /// What asks queries of a catalog.
    func runner(in catalog: EvaluationCatalog) async throws -> QueryRunner {
        QueryRunner(
            catalog: catalog, maker: maker, instruments: instruments,
            budgetMilliseconds: options.budgetMilliseconds,
            clutter: try await Self.clutter(seed: options.seed, cores: options.cores))
    }

    /// The series of the catalog.
    var series: SeriesGenerator { SeriesGenerator(seed: options.seed) }

    /// Queries and prints under way at a time.
    var cores: Int { options.cores }

    /// The generator of a catalog's entries, with its material read again.
    func generator(of catalog: EvaluationCatalog) async throws -> CatalogGenerator {
        let builder = CatalogBuilder(
            maker: maker, instruments: instruments, cores: options.cores, cache: nil,
            progress: { _, _, _ in })
        return try await builder.generator(for: catalog, seed: options.seed)
    }

    /// Pictures that stand around distorted ones, and that no catalog has.
    static func clutter(seed: UInt64, cores: Int) async throws -> [Bitmap] {
        let generator = CatalogGenerator(seed: seed ^ 0x5EED_0FC1_0773)
        return try await Parallel.map(24, cores: cores) { generator.picture($0) }
    }
}
