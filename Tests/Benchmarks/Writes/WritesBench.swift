import Journal
import Messages
import Service

/// Puts at a steady rate while searches go on: whether the searches keep their budget.
enum WritesBench: Benchmark {
    static let name = "writes"
    static let summary = "1,000 puts a second while 2 searches a second have a budget of 1 s"
    static let options = ["seconds", "rate", "entities", "features", "pictures"]

    static func run(_ options: BenchOptions) throws {
        let seconds = try options.count("seconds", default: 60)
        let rate = try options.count("rate", default: 1_000)
        let catalog = try SearchedCatalog(
            count: options.count("entities", default: 1_000),
            features: options.count("features", default: 200))
        catalog.keepsPictures = options["pictures"] != "none"
        print("### Searches while entities are put\n\n\(Machine.line).\n")
        let folder = try Started.makeFolder(in: options["folder"])
        defer { Started.remove(folder) }
        let port = try LoopbackAddress.freePorts(3)
        let server = try ChildProcess(
            Programs.sightline,
            ["serve", "--listen", "127.0.0.1:\(port)", "--data", "\(folder)/data"],
            name: "serve", folder: folder)
        try server.waitForPort(port)
        let load = try WritesLoad(port: port, catalog: catalog)
        try load.fill()
        let processor = server.processorSeconds
        try load.run(seconds: seconds, putsPerSecond: rate)
        let taken = server.processorSeconds - processor
        try load.catchUp()
        print(
            """
            `serve` as one process, \(catalog.count) entities with a print of \(catalog.features) \
            features each. For \(seconds) s, \(rate) puts a second of these entities \
            (\(catalog.keepsPictures ? "with the pictures that they have" : "without pictures")) \
            and 2 searches a second with a picture, all sent at fixed times.

            """)
        print(table(load, seconds, rate, taken, server).text + "\n")
    }

    private static func table(
        _ load: WritesLoad, _ seconds: Int, _ rate: Int, _ processor: Double,
        _ server: ChildProcess
    ) -> MarkdownTable {
        func milliseconds(_ share: Double, _ values: [Double]) -> String {
            "\(Figure.of(Measures.percentile(share, of: values) * 1_000)) ms"
        }
        let acked = load.acknowledgeSeconds.count
        var table = MarkdownTable("what", "measured", "bar")
        table.add(
            "searches inside their budget, complete and right",
            "\(load.searchesMet) of \(load.searchesSent)", "all")
        table.add(
            "a search, p50 / p99",
            milliseconds(0.5, load.searchSeconds) + " / " + milliseconds(0.99, load.searchSeconds),
            "≤ 1,000 ms")
        table.add(
            "puts acknowledged a second",
            Figure.of(Double(acked) / load.putSeconds), "\(Figure.of(Double(rate), digits: 0))")
        table.add("puts refused", "\(load.refused)", "0")
        table.add(
            "from the time to put until acknowledged, p50 / p99",
            milliseconds(0.5, load.acknowledgeSeconds) + " / "
                + milliseconds(0.99, load.acknowledgeSeconds), "")
        table.add(
            "from acknowledged until a request sees it, p50 / p99",
            milliseconds(0.5, load.lagSeconds) + " / " + milliseconds(0.99, load.lagSeconds), "")
        table.add(
            "the replica has all, after the last put", milliseconds(1, [load.catchUpSeconds]), "")
        table.add(
            "processor time of the server", "\(Figure.of(processor / Double(seconds) * 100)) %", "")
        table.add("its memory at most", "\(Figure.of(server.peakMegabytes, digits: 0)) MB", "")
        return table
    }
}
