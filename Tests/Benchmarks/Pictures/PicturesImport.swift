import Foundation
import Messages

/// `sightline import` of a folder of pictures into a server of its own, on one core and on all.
enum PicturesImport {
    private static let port = 24_610

    static func measure(_ pictures: String, count: Int, folder: String) throws {
        let paths = Array(try WorkingPictures.paths(below: pictures).prefix(count))
        guard !paths.isEmpty else { throw BenchError(.usage, "no pictures in '\(pictures)'") }
        let rows = paths.enumerated().map { number, path in
            JSONValue.object([
                "id": .string("p\(number)"), "pictures": .array([.string(path)]),
                "properties": .object([
                    "name": .string("Picture \(number)"), "artistName": .string("Nobody"),
                ]),
            ]).canonical() + [UInt8(ascii: "\n")]
        }
        try Data(rows.joined()).write(to: URL(fileURLWithPath: "\(folder)/rows.jsonl"))
        let cores = ProcessInfo.processInfo.activeProcessorCount
        var table = MarkdownTable("import of \(paths.count) pictures", "pictures/s", "CPU ms each")
        for used in Array(Set([1, cores])).sorted() {
            let (seconds, processor) = try once(used, folder)
            table.add(
                "\(used) core\(used == 1 ? "" : "s")",
                Figure.of(Double(paths.count) / seconds),
                Figure.of(1_000 * processor / Double(paths.count)))
        }
        print(table.text + "\n")
    }

    /// Seconds that an import takes with the server and the command on so many cores, and
    /// processor seconds of the server.
    private static func once(_ cores: Int, _ folder: String) throws -> (Double, Double) {
        func start(_ name: String, _ arguments: [String]) throws -> ChildProcess {
            try ChildProcess(
                "/usr/bin/taskset", ["-c", "0-\(cores - 1)", Programs.sightline] + arguments,
                name: name, folder: folder)
        }
        let address = "127.0.0.1:\(port + 10 * cores)"
        let server = try start(
            "serve-\(cores)",
            [
                "serve", "--listen", address, "--data", "\(folder)/data-\(cores)", "--lanes",
                "\(cores)",
            ])
        defer { server.end() }
        try server.waitForPort(port + 10 * cores)
        Thread.sleep(forTimeInterval: 1)
        let begin = Clock.seconds()
        let importing = try start(
            "import-\(cores)",
            ["import", "album", "\(folder)/rows.jsonl", "--connect", address])
        try importing.waitForEnd(seconds: 3_600)
        let seconds = Clock.seconds() - begin
        guard importing.text.contains("skipped 0") else {
            throw BenchError(.answer, importing.text)
        }
        return (seconds, server.processorSeconds)
    }
}
