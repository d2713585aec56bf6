import Foundation
import Journal
import Messages

/// `sightline journal info` and `verify`: figures and places, never what a record holds.
extension JournalCommand {
    static func info(_ folder: String, _ arguments: Arguments) throws -> ExitStatus {
        let journal = try SegmentJournal(folder: folder, mode: .readOnly, newEpoch: 0)
        let summary = try journal.summary()
        print(
            arguments.isSet("json")
                ? String(decoding: document(summary).canonical(), as: UTF8.self) : text(summary))
        return summary.damage.isEmpty ? .success : .negative
    }

    static func verify(_ folder: String, _ arguments: Arguments) throws -> ExitStatus {
        let report = try JournalVerification.run(folder: folder, progress: bar("verifying"))
        print(
            arguments.isSet("json")
                ? String(decoding: document(report).canonical(), as: UTF8.self) : text(report))
        return report.faults.isEmpty ? .success : .negative
    }

    /// The sixteen digits that name an epoch.
    static func digits(_ epoch: UInt64) -> String {
        let text = String(epoch, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }

    private static func text(_ summary: JournalSummary) -> String {
        var rows = [
            ["epoch", digits(summary.epoch)],
            ["records", "\(summary.records)" + span(of: summary)],
            ["segments", "\(summary.segmentFiles) files, \(summary.segmentBytes) bytes"],
            ["blobs", "\(summary.blobs), \(summary.blobBytes) bytes"],
            ["accounts", "\(summary.accounts) with a key"],
        ]
        for snapshot in summary.snapshots {
            rows.append([
                "snapshot",
                "\(snapshot.id.description.prefix(12)) at \(snapshot.position.sequence), "
                    + "\(snapshot.chunks.count) chunks, \(snapshot.byteCount) bytes",
            ])
        }
        if let place = summary.unfinished { rows.append(["unfinished", "\(place)"]) }
        rows += summary.damage.map { ["damage", "\($0)"] }
        return lines(rows)
    }

    private static func span(of summary: JournalSummary) -> String {
        summary.records == 0 ? "" : ", \(summary.firstSequence) to \(summary.lastSequence)"
    }

    private static func lines(_ rows: [[String]]) -> String {
        let width = rows.map { $0[0].count }.max() ?? 0
        return rows.map { row in
            row[0] + String(repeating: " ", count: width - row[0].count + 2) + row[1]
        }.joined(separator: "\n")
    }

    private static func text(_ report: VerificationReport) -> String {
        var lines = [
            "read \(report.records) records, \(report.snapshots) snapshots with "
                + "\(report.chunks) chunks, \(report.blobs) blobs, \(report.keys) account keys"
        ]
        if report.erasedRecords > 0 {
            lines.append("\(report.erasedRecords) records have no key here: nobody can read them")
        }
        if let place = report.unfinished {
            lines.append("unfinished: \(place); never acknowledged, or being written now")
        }
        lines += report.faults.map { "damage: \($0)" }
        lines.append(report.faults.isEmpty ? "no damage" : "\(report.faults.count) fault(s)")
        return lines.joined(separator: "\n")
    }

    private static func document(_ summary: JournalSummary) -> JSONValue {
        .object([
            "epoch": .string(digits(summary.epoch)),
            "records": .integer(summary.records),
            "first": .integer(summary.firstSequence),
            "last": .integer(summary.lastSequence),
            "segments": .object([
                "files": .integer(summary.segmentFiles), "bytes": .integer(summary.segmentBytes),
            ]),
            "snapshots": .array(
                summary.snapshots.map { snapshot in
                    .object([
                        "id": .string(snapshot.id.description),
                        "position": .integer(snapshot.position.sequence),
                        "chunks": .integer(snapshot.chunks.count),
                        "bytes": .integer(snapshot.byteCount),
                    ])
                }),
            "blobs": .object([
                "count": .integer(summary.blobs), "bytes": .integer(summary.blobBytes),
            ]),
            "accounts": .integer(summary.accounts),
            "unfinished": summary.unfinished.map(document) ?? .null,
            "damage": .array(summary.damage.map(document)),
        ])
    }

    private static func document(_ report: VerificationReport) -> JSONValue {
        .object([
            "records": .integer(report.records),
            "erasedRecords": .integer(report.erasedRecords),
            "snapshots": .integer(report.snapshots), "chunks": .integer(report.chunks),
            "blobs": .integer(report.blobs), "keys": .integer(report.keys),
            "unfinished": report.unfinished.map(document) ?? .null,
            "damage": .array(report.faults.map(document)),
        ])
    }

    private static func document(_ place: SegmentDamage) -> JSONValue {
        .object([
            "file": .string(place.file), "offset": .integer(place.offset),
            "reason": .string(place.reason),
        ])
    }
}
