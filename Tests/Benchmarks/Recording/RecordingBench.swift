import Messages

/// What recording costs, and how fast a recording is replayed.
enum RecordingBench: Benchmark {
    static let name = "recording"
    static let summary = "processor time with and without recording; replay beside a closed loop"
    static let options = ["rounds", "entities", "features"]

    static func run(_ options: BenchOptions) throws {
        let rounds = try options.count("rounds", default: 21)
        let catalog = try SearchedCatalog(
            count: options.count("entities", default: 200),
            features: options.count("features", default: 200))
        print("### Recording and replay\n\n\(rounds) interleaved rounds; \(Machine.line).\n")
        try cost(rounds, catalog, options["folder"])
        try replay(rounds, catalog, options["folder"])
    }

    private static func cost(
        _ rounds: Int, _ catalog: SearchedCatalog, _ parent: String?
    ) throws {
        let folder = try Started.makeFolder(in: parent)
        defer { Started.remove(folder) }
        let cost = try RecordingCost(
            folder: folder, catalog: catalog,
            courses: [
                .init(name: "search with a picture", requests: pictures(catalog, 4)),
                .init(name: "search with a print", requests: prints(catalog, 12)),
                .init(name: "look up 10 entities", requests: lookups(catalog, 200)),
            ])
        try cost.run(rounds: rounds)
        print("`serve` with and without `--record`, attachments recorded whole:\n")
        print(cost.table.text + "\n")
    }

    private static func replay(
        _ rounds: Int, _ catalog: SearchedCatalog, _ parent: String?
    ) throws {
        let folder = try Started.makeFolder(in: parent)
        defer { Started.remove(folder) }
        let requests = pictures(catalog, 4) + prints(catalog, 24) + lookups(catalog, 172)
        let rate = try ReplayRate(folder: folder, catalog: catalog, requests: requests)
        try rate.run(rounds: rounds)
        print(
            """
            A recording of \(requests.count) requests (4 searches with a picture, 24 with a print, \
            172 look-ups), replayed into an embedded instance, and the same requests to `serve`:

            """)
        print(rate.table.text + "\n")
    }

    private static let budgetMilliseconds: UInt32 = 60_000

    private static func pictures(_ catalog: SearchedCatalog, _ count: Int) -> [Message] {
        (0..<count).map { number in
            .search(
                picture: catalog.files[number % catalog.files.count],
                budgetMilliseconds: budgetMilliseconds)
        }
    }

    private static func prints(_ catalog: SearchedCatalog, _ count: Int) -> [Message] {
        (0..<count).map { number in
            .search(
                print: catalog.drawnPrints[number % catalog.drawnPrints.count],
                budgetMilliseconds: budgetMilliseconds)
        }
    }

    private static func lookups(_ catalog: SearchedCatalog, _ count: Int) -> [Message] {
        (0..<count).map { number in
            let first = number * 10 % catalog.count
            return .lookup(
                (first..<first + 10).map { $0 % catalog.count },
                budgetMilliseconds: budgetMilliseconds)
        }
    }
}
