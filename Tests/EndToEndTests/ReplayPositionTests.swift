import Foundation
import Journal
import Messages
import TestSupport
import Testing

extension EndToEndTests {
    /// Replays at positions that the journal has no longer, or not yet.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct ReplayPositionTests {
        private func replay(
            _ folder: String, data: String, _ more: String...
        ) throws -> Command.Result {
            try Command.run(["replay", "\(folder)/log", "--data", "\(folder)/\(data)"] + more)
        }

        /// Stores a change in a segment file of its own, so that those before it can go.
        private func beginNextFile(_ data: String) throws {
            let journal = try SegmentJournal(
                folder: "\(data)/journal", mode: .readWrite, newEpoch: 0, segmentBytesMax: 1)
            var fields = Fields()
            fields.set(.recordKind, text: RecordKind.entityPut.rawValue)
            fields.set(.source, text: "test")
            fields.set(.changeID, text: "next file")
            _ = try journal.append([
                JournalEntry(
                    record: Record(fields: fields, body: Array("{}".utf8)),
                    recordedTime: Timestamp(milliseconds: 1_700_000_000_000))
            ])
        }

        private func stop(_ server: Deployment) throws {
            try server.process("serve").terminate()
            #expect(try server.process("serve").wait() == 0)
        }

        @Test("a replay says at once which positions were compacted away or are not there yet")
        func goneAndMissingPositions() async throws {
            var (first, head) = (UInt64(0), UInt64(0))
            try await ReplayTests().withRecording { server, folder in
                _ = try server.run("entity", "list", "album")
                try stop(server)
                let listed = try Command.run([
                    "log", "list", "\(folder)/log", "--service", "entity.list", "--json",
                ])
                let rows = try JSONValue(parsing: Array(listed.output.utf8))
                first = UInt64(rows.array?.first?["number"]?.integer ?? 0)
                try FileManager.default.copyItem(
                    atPath: "\(folder)/data", toPath: "\(folder)/early")
                head = try SegmentJournal(
                    folder: "\(folder)/early/journal", mode: .readOnly, newEpoch: 0
                ).head.sequence
                try beginNextFile("\(folder)/data")
                try await server.serve(["--record", "\(folder)/log"])
                _ = try server.run("entity", "list", "album")
            } _: { folder in
                let compacted = try Command.run([
                    "journal", "compact", "--data", "\(folder)/data", "--history", "0",
                ])
                #expect(compacted.output.contains("removed \(head) records"), "\(compacted)")
                let part = try replay(folder, data: "data", "--service", "entity.list")
                #expect(part.status == 0, "\(part)")
                #expect(
                    part.output.contains(
                        "#\(first) entity.list: not compared, its position was compacted away"))
                #expect(part.output.contains("replayed 2: 1 same, 0 different, 0 failed, 1 not"))
                let report = "\(folder)/report.xml"
                let gone = try replay(
                    folder, data: "data", "--until", "#\(first)", "--junit", report)
                #expect(gone.status == 2, "\(gone)")
                let (next, lacks) = (head + 1, "is no longer in the journal, which has")
                let reason = "/0 \(lacks) \(next) to \(next), and snapshots at \(next)"
                #expect(gone.errors.contains(reason), "\(gone)")
                let xml = try String(contentsOfFile: report, encoding: .utf8)
                #expect(xml.contains(#"tests="1" failures="0" errors="1""#))
                #expect(xml.contains(reason))
                let early = try replay(folder, data: "early", "--service", "entity.list")
                #expect(early.status == 0, "\(early)")
                #expect(
                    early.output.contains("not compared, its position is not in the journal"))
                let none = try replay(folder, data: "early", "--from", "#\(first + 1)")
                #expect(none.status == 2, "\(none)")
                #expect(
                    none.errors.contains("/\(next) is not in the journal, which has 1 to \(head)"))
            }
        }
    }
}
