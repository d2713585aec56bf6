import Foundation
import Journal
import Messages
import TestSupport
import Testing

extension EndToEndTests {
    /// Recording with its options, and looking into what was recorded.
    @Suite(.serialized, .timeLimit(.minutes(10)))
    struct LogCommandTests {
        /// A recording of three searches, one of them of an account, and one error.
        func withRecording(
            _ more: [String] = [], _ body: (String) throws -> Void
        ) async throws {
            try await withTemporaryDirectory { folder in
                try Covers.write(3, to: folder, concertDate: Traffic.concertDate)
                let server = Deployment(folder: folder)
                try await server.serve(["--record", "\(folder)/log"] + more)
                _ = try server.run("import", "album", "\(folder)/albums.jsonl")
                // With a key of its own, what is recorded of the account can be read.
                _ = try server.run("calendar", "access", "ada", "fullAccess")
                for number in 1...2 {
                    _ = try server.run(
                        "search", "\(folder)/photo-\(number).jpg", "--as-of", Traffic.asOf)
                }
                _ = try server.run("search", "\(folder)/photo-3.jpg", "--account", "ada")
                _ = try server.run("open", "album", "nobody")
                try server.process("serve").terminate()
                #expect(try server.process("serve").wait() == 0)
                try body(folder)
            }
        }

        private func json(_ result: Command.Result) throws -> JSONValue {
            try JSONValue(parsing: Array(result.output.utf8))
        }

        @Test func infoAndListCountWithoutSayingWhatWasAskedFor() async throws {
            try await withRecording { folder in
                let log = "\(folder)/log"
                let info = try Command.run(["log", "info", log, "--json"])
                #expect(info.status == 0, "\(info)")
                let counts = try json(info)
                #expect(counts["services"]?["image.search"]?.integer == 2)
                #expect(counts["services"]?["intent.open"]?.integer == 1)
                #expect(counts["outcomes"]?["NOT_FOUND"]?.integer == 1)
                #expect(counts["erased"]?.integer == 1)
                #expect(counts["gaps"]?.integer == 0)
                let keyed = try json(
                    Command.run(["log", "info", log, "--data", "\(folder)/data", "--json"]))
                #expect(keyed["services"]?["image.search"]?.integer == 3)
                #expect(keyed["erased"]?.integer == 0)
                let list = try json(
                    Command.run(["log", "list", log, "--service", "image.search", "--json"]))
                #expect(list.array?.count == 2)
                #expect(list.array?.allSatisfy { $0["outcome"]?.text == "complete" } == true)
                for verb in ["info", "list", "verify"] {
                    let result = try Command.run(["log", verb, log, "--data", "\(folder)/data"])
                    #expect(result.status == 0, "\(result)")
                    for secret in ["Record", "Artist", "ada", "album-"] {
                        #expect(!result.output.contains(secret), "\(verb) says \(secret)")
                    }
                }
            }
        }

        @Test func oneExchangeIsShownAndExtracted() async throws {
            try await withRecording { folder in
                let log = "\(folder)/log"
                let last = try MessageLogReader(folder: log).last
                // An exchange of an account waits for its key, and may be overtaken meanwhile.
                let rows = try json(Command.run(["log", "list", log, "--json"])).array ?? []
                let sealed = try #require(
                    rows.first { $0["outcome"]?.text == "erased" }?["number"]?.integer)
                let plain = sealed == Int(last) ? last - 1 : last
                let shown = try Command.run(["log", "show", log, "\(plain)"])
                #expect(shown.output.contains(#""service": "intent.open""#), "\(shown)")
                #expect(shown.output.contains(#""id": "nobody""#))
                #expect(shown.output.contains(#""errorCode": "NOT_FOUND""#))
                #expect(try Command.run(["log", "show", log, "\(last + 1)"]).status == 2)
                let erased = try Command.run(["log", "show", log, "\(sealed)"])
                #expect(erased.status == 1)
                #expect(erased.output.contains("erased"))
                let keyed = try Command.run([
                    "log", "show", log, "\(sealed)", "--keys", "\(folder)/data/journal/keys",
                ])
                #expect(keyed.output.contains(#""account": "ada""#), "\(keyed)")
                let extracted = try Command.run([
                    "log", "extract", log, "\(last - 3)-\(last)", "--out", "\(folder)/out",
                    "--log", "\(folder)/small", "--data", "\(folder)/data",
                ])
                #expect(extracted.output == "extracted 4\n", "\(extracted)")
                let photo = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/photo-1.jpg"))
                let file = "\(folder)/out/\(ContentHash.of(Array(photo)))"
                #expect(FileManager.default.contents(atPath: file) == photo)
                let body = FileManager.default.contents(
                    atPath: "\(folder)/out/\(last - 3)-reply.json")
                let reply = try JSONValue(parsing: Array(body ?? Data()))
                #expect(reply.array?.first?["id"]?.text == "album-1")
                let again = try Command.run([
                    "replay", "\(folder)/small", "--data", "\(folder)/data",
                ])
                #expect(again.output.hasPrefix("replayed 4: 4 same"), "\(again)")
            }
        }

        @Test func redactedLogHasNeitherPicturesNorAccounts() async throws {
            try await withRecording { folder in
                let copy = "\(folder)/copy"
                let result = try Command.run([
                    "log", "redact", "\(folder)/log", "--out", copy, "--service", "image.search",
                ])
                #expect(result.status == 0, "\(result)")
                #expect(result.output.hasPrefix("kept 2,"))
                let reader = try MessageLogReader(folder: copy)
                #expect(reader.count == 2)
                #expect(reader.byteCount < 12_000)
                let info = try json(Command.run(["log", "info", copy, "--json"]))
                #expect(info["withoutAttachments"]?.integer == 2)
                let second = try Command.run([
                    "log", "redact", "\(folder)/log", "--out", copy,
                ])
                #expect(second.status == 2)
            }
        }

        @Test func verifyNamesFileAndOffsetOfDamage() async throws {
            try await withRecording { folder in
                let file = "\(folder)/log/messages-00000000000000000001.segment"
                let whole = try Command.run(["log", "verify", "\(folder)/log", "--json"])
                #expect(whole.status == 0)
                #expect(try json(whole)["faults"]?.array?.isEmpty == true)
                var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
                bytes[bytes.count / 2] ^= 4
                try Covers.save(bytes, file)
                let reader = try MessageLogReader(folder: "\(folder)/log")
                let found = try reader.damage ?? reader.tornEnd()
                let damage = try #require(found)
                #expect(damage.offset <= bytes.count / 2)
                let result = try Command.run(["log", "verify", "\(folder)/log"])
                #expect(result.status == 1)
                #expect(result.output.contains("damaged: \(file) at byte \(damage.offset): "))
            }
        }

        @Test func recordingInPartsAndWithoutPictures() async throws {
            try await withRecording(["--attachments", "none", "--sample", "50%"]) { folder in
                let info = try json(
                    Command.run([
                        "log", "info", "\(folder)/log", "--data", "\(folder)/data", "--json",
                    ]))
                let count = info["exchanges"]?.integer ?? 0
                #expect((1...8).contains(count))
                #expect(info["withoutAttachments"]?.integer == count)
                #expect((info["bytes"]?.integer ?? .max) < 40_000)
            }
        }

        @Test func wrongRecordingOptionsAreRefused() throws {
            let needless = try Command.run(["serve", "--data", "/nonexistent", "--sample", "0.5"])
            #expect(needless.status == 2)
            #expect(needless.errors.contains("--sample is for --record DIR"), "\(needless)")
            for (option, value) in [
                ("attachments", "some"), ("sample", "0"), ("sample", "101%"),
                ("record-max-bytes", "1K"), ("record-max-bytes", "9999999T"),
                ("record-max-age", "0"),
            ] {
                let result = try Command.run([
                    "serve", "--data", "/nonexistent", "--record", "/nonexistent/log",
                    "--\(option)", value,
                ])
                #expect(result.status == 2, "\(option) \(value)")
                #expect(result.errors.contains("--\(option) takes"), "\(result)")
            }
            #expect(try Command.run(["log", "info"]).status == 2)
            #expect(try Command.run(["log", "info", "/nonexistent"]).status == 2)
            #expect(try Command.run(["replay", "x", "--speed", "fast"]).status == 2)
        }
    }
}
