import Foundation
import Messages
import Service

/// `sightline import`.
enum Import: Subcommand {
    static let name = "import"
    static let summary = "bring entities with their pictures into a catalog"
    static let usage = [
        "TYPE FILE.jsonl [--pictures DIR]", "TYPE --pictures DIR", "--example TYPE",
    ]
    static let options: [CommandOption] = [
        .connect, .catalog, .entities,
        .value("pictures", "DIR", "where the pictures are (default: beside the file)"),
        .value("example", "TYPE", "print a row to start from"),
        .value("in-flight", "N", "rows under way at a time (default 4)"),
    ]
    static let details = """
        TYPE is the name of an entity type in --entities, or the path of its JSON file. Without a
        FILE, each PNG or JPEG picture of the folder becomes an entity: the file's name is its
        title, and 'Artist - Title.jpg' also fills the subtitle. Bad rows are reported and
        skipped; rows that are there already are left alone, so a stopped import can be repeated.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        if let name = arguments["example"] {
            let type = try EntityTypeDocument(named: name, folder: arguments["entities"])
            print(String(decoding: type.exampleRow.canonical(), as: UTF8.self))
            return .success
        }
        try arguments.requirePositionals(1...2, "TYPE and FILE.jsonl or --pictures DIR")
        let type = try EntityTypeDocument(
            named: arguments.positionals[0], folder: arguments["entities"])
        let (rows, bad) = try rows(arguments, type)
        let inFlight = try arguments.integer("in-flight", in: 1...64) ?? 4
        return try await arguments.withConnection { connection in
            let importer = Importer(
                connection: connection, catalog: arguments.catalog, type: type,
                inFlight: inFlight)
            let bar = ProgressBar(total: rows.count, label: "importing \(type.name)")
            var summary = try await importer.run(rows) { bar.show($0) }
            bar.end()
            summary.bad = bad + summary.bad
            report(summary, type)
            return summary.bad.isEmpty ? .success : .negative
        }
    }

    private static func rows(
        _ arguments: Arguments, _ type: EntityTypeDocument
    ) throws -> (rows: [ImportRow], bad: [BadRow]) {
        guard arguments.positionals.count == 2 else {
            guard let folder = arguments["pictures"] else {
                throw UsageError("give a FILE.jsonl, or --pictures DIR, or both")
            }
            let rows = try ImportSource.pictures(
                in: folder, titleProperty: type.titleProperty,
                subtitleProperty: type.subtitleProperty)
            return (rows, [])
        }
        let path = arguments.positionals[1]
        let folder = (path as NSString).deletingLastPathComponent
        return ImportSource.lines(
            of: try readFile(path, bytesMax: 1 << 30),
            pictureFolder: arguments["pictures"] ?? (folder.isEmpty ? "." : folder))
    }

    private static func report(_ summary: Importer.Summary, _ type: EntityTypeDocument) {
        for row in summary.bad { Sightline.complain("skipped \(row)") }
        var line =
            "imported \(summary.imported), unchanged \(summary.unchanged), skipped \(summary.bad.count)"
        if let position = summary.position { line += "; position \(position)" }
        print(line)
        if summary.withoutContent > 0 {
            print(
                "\(summary.withoutContent) with too little content: only an identical picture finds them"
            )
        }
    }
}
