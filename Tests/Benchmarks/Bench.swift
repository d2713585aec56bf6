import Foundation

/// The benchmarks: each compares with a peer or with a stated bar in the same run, and writes
/// Markdown tables.
@main
enum Bench {
    static var benchmarks: [any Benchmark.Type] {
        [
            JournalBench.self, SnapshotBench.self, WritesBench.self, VisibleBench.self,
            RecordingBench.self, QueueBench.self, SteadyBench.self, HopBench.self,
            MatchBench.self, CalendarBench.self,
            PicturesBench.self,
            VocabularyMaker.self,
        ]
    }

    /// Processes that benchmarks and tests start; not for people.
    private static var helpers: [any Benchmark.Type] {
        [
            RawServer.self, IndexStart.self, EchoWorker.self, NATSWorker.self, SleepWorker.self,
            PictureOnce.self,
        ]
    }

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // A worker leaves in order.
        if arguments.first != SleepWorker.name { Started.endWhenToldTo() }
        do {
            try run(arguments)
            Started.endAll()
        } catch {
            Started.endAll()
            Machine.say("sightline-bench: \(error)")
            exit((error as? BenchError)?.code == .usage ? 2 : 5)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard let name = arguments.first,
            let benchmark = (benchmarks + helpers).first(where: {
                $0.name == name
            })
        else { throw BenchError(.usage, usage) }
        let options = try BenchOptions(
            Array(arguments.dropFirst()), known: benchmark.options + ["folder"])
        try benchmark.run(options)
    }

    private static var usage: String {
        let lines = benchmarks.map { benchmark in
            let options = benchmark.options.map { "[--\($0) …]" }.joined(separator: " ")
            return "  sightline-bench \(benchmark.name) \(options)\n      \(benchmark.summary)"
        }
        return "choose a benchmark\n\(lines.joined(separator: "\n"))\n"
            + "each takes --folder DIR, below which it works (a disk, not memory)"
    }
}

/// One subcommand.
protocol Benchmark {
    static var name: String { get }
    static var summary: String { get }
    /// Options, without dashes, beside `folder`.
    static var options: [String] { get }
    static func run(_ options: BenchOptions) throws
}

/// Programs that belong to this build.
enum Programs {
    /// This very program.
    static let own: String =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    /// The command of the package, built beside it.
    static var sightline: String {
        URL(fileURLWithPath: own).deletingLastPathComponent().appending(path: "sightline").path
    }
    /// A program that `deploy/bench` prepares, by the environment.
    static func prepared(_ variable: String) throws(BenchError) -> String {
        guard let path = ProcessInfo.processInfo.environment[variable] else {
            throw BenchError(.program, "\(variable) names no program; run deploy/bench")
        }
        return path
    }
}
