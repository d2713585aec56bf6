import Foundation
import Locking
import Messages
import Raster
import Service

/// `sightline import`.
enum Import: Subcommand {
    static let name = "import"
    static let summary = "bring entities with their pictures into a catalog"
    static let usage = [
        "TYPE FILE.jsonl|FILE.csv [--pictures DIR] [--dry-run] [--prune] [--report FILE]",
        "TYPE --pictures DIR", "--example TYPE",
    ]
    static let options: [CommandOption] = [
        .connect, .key, .serverKey, .catalog, .entities,
        .value("pictures", "DIR", "where the pictures are (default: beside the file)"),
        .value("example", "TYPE", "print a row to start from"),
        .value("in-flight", "N", "rows under way at a time (default: two a core, at least 4)"),
        .flag("dry-run", "read and check everything, decode the pictures, change nothing"),
        .flag("prune", "remove the type's entities that the rows no longer have"),
        .value("report", "FILE", "write each refused row there, with line and reason, as JSON"),
    ]
    static let details = """
        TYPE is the name of an entity type in --entities, or the path of its JSON file. A CSV file
        names its columns in its first line: id, pictures, labels, and properties, with title.de
        for one language and location.latitude for a part of a place; lists are joined by bars.
        Without a FILE, each picture of the folder becomes an entity: the file's name is its title,
        and 'Artist - Title.jpg' also fills the subtitle; a folder in it is one entity with all its
        pictures. Bad rows are reported and skipped. Rows that are there already are left alone, so
        an import that was stopped (Ctrl-C ends it after the rows under way) goes on when it is run
        again. Nothing is pruned if a row was refused. Exit status 1 if one was, or it was stopped.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.refuse(allBut: ["entities"], with: "example")
        if let name = arguments["example"] {
            try arguments.requirePositionals(0...0, "no argument with --example")
            let type = try EntityTypeDocument(named: name, folder: arguments["entities"])
            print(String(decoding: type.exampleRow.canonical(), as: UTF8.self))
            return .success
        }
        try arguments.requirePositionals(1...2, "TYPE and FILE or --pictures DIR")
        let type = try EntityTypeDocument(
            named: arguments.positionals[0], folder: arguments["entities"])
        let options = try options(arguments)
        guard arguments.positionals.count == 2 else {
            guard let folder = arguments["pictures"] else {
                throw UsageError("give a FILE.jsonl or FILE.csv, or --pictures DIR, or both")
            }
            let source = try PictureFolderSource(folder: folder, type: type)
            return try await run(source, type, options, arguments)
        }
        let path = arguments.positionals[1]
        let pictures = arguments["pictures"]
        if ["csv", "tsv"].contains((path as NSString).pathExtension.lowercased()) {
            let source = try CSVSource(path: path, type: type, pictureFolder: pictures)
            return try await run(source, type, options, arguments)
        }
        let source = try JSONLinesSource(path: path, pictureFolder: pictures)
        return try await run(source, type, options, arguments)
    }

    private static func options(_ arguments: Arguments) throws -> Importer.Options {
        var options = Importer.Options()
        let inFlight = 2 * ProcessInfo.processInfo.activeProcessorCount
        options.inFlight =
            try arguments.integer("in-flight", in: 1...Limits.importRowsInFlightMax)
            ?? min(max(inFlight, options.inFlight), Limits.importRowsInFlightMax)
        options.isDryRun = arguments.isSet("dry-run")
        options.prunes = arguments.isSet("prune")
        return options
    }

    private static func run(
        _ source: some ImportSource, _ type: EntityTypeDocument,
        _ options: Importer.Options, _ arguments: Arguments
    ) async throws -> ExitStatus {
        DecoderProcesses.prepare()  // before this process grows
        let report = try arguments["report"].map { try RefusedRows($0) }
        StopRequest.listen()
        return try await arguments.withConnection { connection in
            let importer = Importer(
                connection: connection, catalog: arguments.catalog, type: type, options: options)
            let bar = ProgressBar(
                total: source.count,
                label: "\(options.isDryRun ? "checking" : "importing") \(type.name)")
            let summary = try await importer.run(source, shouldStop: { StopRequest.isMade }) {
                bar.show($0)
            } refused: {
                report?.add($0)
            }
            bar.end()
            ImportText.write(summary, of: source.count, isDryRun: options.isDryRun)
            return summary.refused == 0 && !summary.isStopped ? .success : .negative
        }
    }
}

/// The report of refused rows: a JSON object a line.
private struct RefusedRows: Sendable {
    private let file: Locked<FileHandle>

    /// - Throws: `ConfigurationError` if the file cannot be written.
    init(_ path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw ConfigurationError("cannot write '\(path)'") }
        file = Locked(handle)
    }

    func add(_ row: BadRow) {
        let line = Data(row.json.canonical() + [UInt8(ascii: "\n")])
        do {
            try file.withLock { try $0.write(contentsOf: line) }
        } catch {
            Sightline.complain("the report cannot be written: \(error)")
        }
    }
}
