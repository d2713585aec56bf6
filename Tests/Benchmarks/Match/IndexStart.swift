import Foundation
import Journal
import Matching
import Messages
import Service

/// A worker's start from index files, as a process of its own: what it takes and what it holds.
enum IndexStart: Benchmark {
    static let name = "index-start"
    static let summary = "opens index files as a worker does when it starts"
    static let options = ["index", "entries", "query"]

    /// What the process says on its one line.
    struct Report: Codable {
        /// Entries that the files hold; the newest are in none.
        let entries: Int
        let milliseconds: Double
        let firstSearch: Double
        let laterSearch: Double
        /// Bytes that came with the index.
        let anonymousBytes: Int
        let mappedBytes: Int
    }

    static func run(_ options: BenchOptions) throws {
        guard let path = options["index"], let query = options["query"] else {
            throw BenchError(.usage, "--index DIR and --query FILE are needed")
        }
        let print = try FeaturePrint(of: WorkingPictures.picture(query))
        _ = PrintCollection().search(print, maxDistance: 0)
        let anonymous = bytes("RssAnon")
        let start = Clock.seconds()
        let stored = try IndexFolder(path: path, log: Log(threshold: .error)).open()
        var restoration = PrintRestoration(stored.flatMap(\.segments))
        for number in 0..<(try options.count("entries", default: 1)) {
            _ = restoration.claim([printName(number)], for: number, order: UInt64(number))
        }
        let collection = restoration.collection(keeper: nil, mergesWhenPutting: false)
        let elapsed = (Clock.seconds() - start) * 1_000
        let held = bytes("RssAnon") - anonymous
        let times = (0..<20).map { _ in
            let start = ProcessorTime.ofSelf()
            _ = collection.search(print, maxDistance: 1_000_000)
            return (ProcessorTime.ofSelf() - start) * 1_000
        }
        let report = Report(
            entries: collection.count, milliseconds: elapsed, firstSearch: times[0],
            laterSearch: Measures.median(Array(times.dropFirst())), anonymousBytes: held,
            mappedBytes: collection.keptSegments.reduce(0) { $0 + $1.withIndex(\.count) })
        FileHandle.standardOutput.write(try JSONEncoder().encode(report))
    }

    /// Runs this in a process of its own.
    static func report(index: String, entries: Int, query: String) throws -> Report {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            name, "--index", index, "--entries", "\(entries)", "--query", query,
        ]
        process.standardOutput = output
        try process.run()
        Started.add(process.processIdentifier)
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return try JSONDecoder().decode(Report.self, from: data)
    }

    /// What the print of an entry is known by.
    static func printName(_ number: Int) -> PrintName {
        PrintName(bytes: ContentHash.of(Array("print \(number)".utf8)).bytes)
    }

    private static func bytes(_ name: String) -> Int {
        let text = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
        let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first {
            $0.hasPrefix(name)
        }
        return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) * 1_024
    }
}
