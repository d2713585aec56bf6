import Foundation
import Service

/// `sightline export`.
enum Export: Subcommand {
    static let name = "export"
    static let summary = "write a catalog out, in the formats that an import reads"
    static let usage = ["DIR [--type TYPE]… [--format jsonl|csv|pictures] [--catalog NAME]"]
    static let options: [CommandOption] = [
        .data, .catalog, .type,
        .value("format", "FORMAT", "jsonl (default), csv, or pictures alone with their titles"),
    ]
    static let details = """
        Reads the journal of --data, or a backup, beside a running server. DIR gets TYPE.json with
        the type's declaration, TYPE.jsonl or TYPE.csv, the pictures by hash, and their prints, so
        that importing it gives an equal catalog without computing anything. The pictures are the
        source copies that the journal keeps. Exit status 1 if one was missing.
        """

    static func run(
        _ arguments: Arguments, environment: [String: String]
    ) async throws -> ExitStatus {
        try arguments.requirePositionals(1...1, "a folder DIR")
        guard let format = CatalogExport.Format(rawValue: arguments["format"] ?? "jsonl") else {
            let known = CatalogExport.Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--format takes \(known)")
        }
        let stored = try StoredCatalogs(data: arguments.dataFolder(environment))
        let export = try CatalogExport(
            of: stored, catalog: arguments.catalog, to: arguments.positionals[0], format: format)
        var missing = 0
        for type in arguments.types ?? export.types {
            let summary = try export.write(
                type, progress: JournalCommand.bar("exporting \(type)"))
            print("\(type): \(summary.entities) entities, \(summary.pictures) pictures")
            missing += summary.missing
        }
        guard missing == 0 else {
            Sightline.complain(
                "\(missing) pictures are left out: their source copies are not there")
            return .negative
        }
        return .success
    }
}
