import Foundation
import Journal
import Messages
import TestSupport
import Testing

extension EndToEndTests {
    /// Recordings that are not whole, and calls that ask for what is not there.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct LogFaultTests {
        private static let first = "messages-00000000000000000001.segment"

        /// Copies a recording into files of 64 KiB, and damages the last but one, which it
        /// returns.
        private func damage(_ log: String, to copy: String) throws -> String {
            do {
                let writer = try MessageLogWriter(
                    folder: copy, newEpoch: 1, retention: .init(bytesMax: 1 << 19))
                try MessageLogReader(folder: log).forEach { entry in
                    guard case .exchange(let exchange, nil) = entry.content else { return }
                    try writer.append([.plain(exchange)])
                }
                try writer.sync()
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: copy)
            let files = names.filter { $0.hasSuffix(".segment") }.sorted()
            try #require(files.count > 2)
            let file = "\(copy)/\(files[files.count - 2])"
            var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
            bytes[bytes.count - 100] ^= 4
            try Covers.save(bytes, file)
            return file
        }

        /// Copies a recording and cuts the last bytes of its file off, which it returns.
        private func tear(_ log: String, to copy: String) throws -> String {
            try FileManager.default.copyItem(atPath: log, toPath: copy)
            let bytes = Array(
                try Data(contentsOf: URL(fileURLWithPath: "\(copy)/\(Self.first)")))
            try Covers.save(Array(bytes.dropLast(5)), "\(copy)/\(Self.first)")
            return "\(copy)/\(Self.first)"
        }

        private func holds(_ file: String, _ text: String) throws -> Bool {
            try String(contentsOfFile: file, encoding: .utf8).contains(text)
        }

        @Test("a recording that cannot be read to its end is a success of no command")
        func unreadableEnds() async throws {
            try await LogCommandTests().withRecording { folder in
                let torn = try tear("\(folder)/log", to: "\(folder)/torn")
                let damaged = try damage("\(folder)/log", to: "\(folder)/damaged")
                for (name, row, text, file) in [
                    ("torn", "torn end  ", "the recording ends in a torn write: ", torn),
                    ("damaged", "damage  ", "the recording is damaged: ", damaged),
                ] {
                    let log = "\(folder)/\(name)"
                    let place = "\(file) at byte "
                    let info = try Command.run(["log", "info", log])
                    #expect(info.status == 1)
                    #expect(info.output.contains(row) && info.output.contains(place), "\(info)")
                    let report = "\(folder)/\(name).xml"
                    let replay = try Command.run([
                        "replay", log, "--data", "\(folder)/data", "--junit", report,
                    ])
                    #expect(replay.status == 1, "\(replay)")
                    #expect(replay.output.contains(text + place))
                    #expect(replay.output.contains(" 0 different, 0 failed"))
                    #expect(try holds(report, #"errors="1""#))
                    #expect(try holds(report, #"<error message="\#(text)"#))
                    let redacted = try Command.run([
                        "log", "redact", log, "--out", "\(log)-redacted",
                    ])
                    #expect(redacted.status == 1)
                    #expect(redacted.output.contains("not read: \(text)"), "\(redacted)")
                    let last = try MessageLogReader(folder: log).last
                    let whole = try Command.run([
                        "log", "extract", log, "1-\(last)", "--out", "\(log)-files",
                    ])
                    #expect(whole.status == 0, "\(whole)")
                    let more = try Command.run([
                        "log", "extract", log, "1-\(last + 1)", "--out", "\(log)-files",
                    ])
                    #expect(more.status == 1)
                    #expect(more.output.contains("not read: \(text)"), "\(more)")
                }
            }
        }

        @Test("a replay that compares nothing is no success, and says so")
        func nothingCompared() async throws {
            try await LogCommandTests().withRecording { folder in
                let report = "\(folder)/report.xml"
                _ = try MessageLogWriter(folder: "\(folder)/empty", newEpoch: 1)
                for arguments in [
                    ["\(folder)/log", "--service", "nope"], ["\(folder)/log", "--from", "#500"],
                    ["\(folder)/empty"],
                ] {
                    let result = try Command.run(
                        ["replay", "--data", "\(folder)/data", "--junit", report] + arguments)
                    #expect(result.status == 1, "\(result)")
                    #expect(result.errors == "sightline: nothing was compared\n")
                    #expect(result.output.hasPrefix("replayed 0: 0 same"))
                    #expect(try holds(report, #"tests="1" failures="0" errors="1""#))
                    #expect(try holds(report, "nothing was compared"))
                }
            }
        }

        @Test("what is not there, or is something else, is refused by its name")
        func refusedPaths() async throws {
            try await LogCommandTests().withRecording { folder in
                let (log, text) = ("\(folder)/log", "\(folder)/text")
                try Covers.save(Array("no keys, no rules\n".utf8), text)
                let no = "\(folder)/no"
                let refused: [(arguments: [String], reason: String)] = [
                    (["log", "info", log, "--keys", no], "there is no key file "),
                    (["log", "info", log, "--keys", text], "'\(text)' is no key file"),
                    (["replay", log, "--keys", no], "there is no key file "),
                    (["replay", log, "--attachments-from", no], "there is no folder "),
                    (["replay", log, "--rules", text], "the rules '\(text)': no JSON"),
                    (["replay", log, "--rules", no], "cannot read the rules "),
                    (["replay", log, "--out", no, "--junit", no], "take a file each"),
                    (["log", "extract", log, "900", "--out", no], "no exchange 900; "),
                    (["log", "redact", log, "--out", folder], "'\(folder)' holds other things"),
                    (["log", "extract", log, "1", "--log", folder], "holds other things"),
                    (["serve", "--listen", ":1", "--record", text], "is no folder"),
                    (["serve", "--listen", ":1", "--record", folder], "holds other things"),
                ]
                for (arguments, reason) in refused {
                    let result = try Command.run(arguments + ["--data", "\(folder)/data"])
                    #expect(result.status == 2, "\(arguments) \(result)")
                    #expect(result.errors.contains(reason), "\(arguments) \(result)")
                }
                let noData = try Command.run(["log", "info", log, "--data", no])
                #expect(noData.status == 2)
                #expect(noData.errors.contains("there is no data folder "), "\(noData)")
                #expect(!FileManager.default.fileExists(atPath: no))
                let byNumber = try Command.run(["log", "show", log, "1"])
                #expect(byNumber.status == 0)
                #expect(try Command.run(["log", "show", log, "#1"]).output == byNumber.output)
                #expect(try Command.run(["serve", "--help"]).output.contains("at least 1M"))
            }
        }

        @Test("control characters of a title do not reach the terminal")
        func controlCharacters() async throws {
            try await withTemporaryDirectory { folder in
                let server = Deployment(folder: folder)
                try await server.serve()
                let line =
                    #"{"id":"one","properties":{"name":"a\u001b[31m\u202eb","artistName":"c"}}"#
                try Covers.save(Array("\(line)\n".utf8), "\(folder)/albums.jsonl")
                let imported = try server.run("import", "album", "\(folder)/albums.jsonl")
                #expect(imported.status == 0, "\(imported)")
                let listed = try server.run("entity", "list", "album")
                #expect(listed.output.contains(#"a\u{1B}[31m\u{202E}b"#), "\(listed)")
                #expect(!listed.output.contains("\u{1B}"))
            }
        }
    }
}
