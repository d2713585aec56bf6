import Foundation
import Journal
import Messages
import Service

/// How fast a snapshot reaches a replica, beside plain ZeroMQ with the same bytes.
enum SnapshotBench: Benchmark {
    static let name = "snapshot"
    static let summary = "a snapshot over the journal's port beside raw ZeroMQ; a new replica"
    static let options = ["rounds", "entities", "features", "prints"]

    static func run(_ options: BenchOptions) throws {
        let rounds = try options.count("rounds", default: 21)
        let entities = try options.count("entities", default: 100_000)
        let features = try options.count("features", default: 14)
        print("### Snapshot\n\n\(rounds) interleaved rounds; \(Machine.line).\n")
        let folder = try Started.makeFolder(in: options["folder"])
        defer { Started.remove(folder) }
        let snapshot = try makeSnapshot(
            in: "\(folder)/data/journal", entities: entities, features: features,
            prints: options.count("prints", default: 2_000))
        let transfers = try Transfers(folder: folder, chunks: snapshot.chunks.count)
        for round in 0..<rounds { try transfers.run(round) }
        print(transfers.table(bytes: snapshot.byteCount).text + "\n")
        try ready(folder: folder, journal: transfers.journalPort, entities: entities)
    }

    /// Fills a journal with entities that have a print each, and takes a snapshot of it.
    ///
    /// Several entities share a print: each one stored is a file that is synced, while a snapshot
    /// carries it with each entity, as if it were another.
    private static func makeSnapshot(
        in folder: String, entities: Int, features: Int, prints: Int
    ) throws -> Snapshot {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let journal = try SegmentJournal(folder: folder, mode: .readWrite, newEpoch: 1)
        let filling = try Clock.time {
            _ = try journal.append([Samples.typeDeclaration().journalEntry])
            for start in stride(from: 0, to: entities, by: 256) {
                let group = (start..<min(start + 256, entities)).map { number in
                    let print = SyntheticPrints.print(number % prints, features: features)
                    return Samples.put(
                        number, prints: [ContentHash.of(print)],
                        blobs: number < prints ? [print] : []
                    ).journalEntry
                }
                _ = try journal.append(group)
            }
        }
        var made: Snapshot?
        let making = try Clock.time { made = try SnapshotMaker(journal).make() }
        guard let snapshot = made else { throw BenchError(.answer, "no snapshot was made") }
        print(
            """
            \(Figure.of(Double(entities), digits: 0)) entities with a print of \(features) features: \
            \(Figure.of(Double(snapshot.byteCount) / 1e6)) MB in \(snapshot.chunks.count) chunks. \
            Stored in \(Figure.of(filling)) s, snapshot made in \(Figure.of(making)) s.

            """)
        return snapshot
    }

    /// How long a worker takes that begins with nothing.
    private static func ready(folder: String, journal: Int, entities: Int) throws {
        let port = try LoopbackAddress.freePorts(2)
        let deployment = Deployment(folder: folder, port: port, journalPort: journal)
        try deployment.startRouter()
        let client = try WireClient(port: port)
        // Requests are held until workers have had time to greet a new router.
        usleep(700_000)
        var table = MarkdownTable("new replica", "ready after", "CPU s", "peak memory MB")
        for turn in 1...3 {
            let start = Clock.seconds()
            let worker = try deployment.startWorker("new-\(turn)")
            try worker.wait("worker \(turn) is ready", seconds: 300) {
                try deployment.readyWorkers(client).contains("new-\(turn)")
            }
            table.add(
                "\(turn)", "\(Figure.of(Clock.seconds() - start)) s",
                Figure.of(worker.processorSeconds), Figure.of(worker.peakMegabytes, digits: 0))
            deployment.end("new-\(turn)")
        }
        print("A worker on an empty folder, from its start as a process until it takes requests:\n")
        print(table.text + "\n")
    }
}

/// Both servers, and what the rounds gave.
final class Transfers {
    let journalPort: Int
    private let journal: ChildProcess
    private let raw: ChildProcess
    private let rawTransfer: RawTransfer
    private let chunks: Int
    private var ours = Result()
    private var limit = Result()

    private struct Result {
        var bytesPerSecond: [Double] = []
        var processorSeconds: [Double] = []
    }

    init(folder: String, chunks: Int) throws {
        self.chunks = chunks
        journalPort = try LoopbackAddress.freePorts(2)
        journal = try ChildProcess(
            Programs.sightline,
            [
                "journal", "--listen", "127.0.0.1:\(journalPort)", "--data", "\(folder)/data",
                "--snapshot-every", "1000000000",
            ], name: "journal", folder: folder)
        try journal.waitForPort(journalPort)
        raw = try ChildProcess(
            Programs.own,
            [
                "raw-server", "--journal", "\(folder)/data/journal", "--port",
                "\(journalPort + 1)",
            ], name: "raw", folder: folder)
        try raw.waitForPort(journalPort + 1)
        rawTransfer = RawTransfer(port: journalPort + 1)
        // Connections are made and files are in memory before the first round.
        _ = try rawTransfer.run(chunks: chunks)
        _ = try SnapshotTransfer(port: journalPort).run(turn: -1 + 1_000_000)
    }

    func run(_ round: Int) throws {
        if round.isMultiple(of: 2) { try runOurs(round) }
        try runRaw()
        if !round.isMultiple(of: 2) { try runOurs(round) }
    }

    private func runOurs(_ round: Int) throws {
        try measure(journal, &ours) { try SnapshotTransfer(port: journalPort).run(turn: round) }
    }
    private func runRaw() throws {
        try measure(raw, &limit) { try rawTransfer.run(chunks: chunks) }
    }

    private func measure(
        _ server: ChildProcess, _ result: inout Result, _ body: () throws -> Int
    ) throws {
        let before = server.processorSeconds + ProcessorTime.ofSelf()
        var bytes = 0
        let seconds = try Clock.time { bytes = try body() }
        result.bytesPerSecond.append(Double(bytes) / seconds)
        result.processorSeconds.append(
            server.processorSeconds + ProcessorTime.ofSelf() - before)
    }

    func table(bytes: Int) -> MarkdownTable {
        var table = MarkdownTable("transfer", "MB/s", "CPU ms a MB", "ratio (quartiles)", "bar")
        let ratios = Measures.ratios(ours.bytesPerSecond, limit.bytesPerSecond)
        table.add(
            "Sightline: FETCH and CHUNK, hash checked", rate(ours), cost(ours, bytes),
            Figure.ofRatios(ratios), "≥ 0.7")
        table.add("raw ZeroMQ, the same bytes and window", rate(limit), cost(limit, bytes), "", "")
        return table
    }

    private func rate(_ result: Result) -> String {
        Figure.of(Measures.median(result.bytesPerSecond) / 1e6, digits: 0)
    }
    private func cost(_ result: Result, _ bytes: Int) -> String {
        Figure.of(
            Measures.median(result.processorSeconds) * 1e3 / (Double(bytes) / 1e6), digits: 2)
    }
}
