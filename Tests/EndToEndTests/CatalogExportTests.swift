import Foundation
import Messages
import TestSupport
import Testing

extension EndToEndTests {
    /// Catalogs taken out and brought in again, and checked for damage, through the command.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct CatalogExportTests {
        /// Everything below a folder, by relative path.
        private func files(_ folder: String) throws -> [String: [UInt8]] {
            var files: [String: [UInt8]] = [:]
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                    continue
                }
                files[name] = Array(data)
            }
            return files
        }

        private static let wholeType = """
            {"type":"thing","version":1,"display":{"name":"Thing","title":"{title}"},
             "open":"sightline://thing/{id}","properties":{
              "title":{"kind":"localizedString","required":true},"note":{"kind":"string"},
              "size":{"kind":"number"},"on":{"kind":"date"},"at":{"kind":"geoPoint"},
              "tags":{"kind":"stringList"}}}
            """
        private static let wholeRows = #"""
            {"id":"a/b","properties":{"title":{"en":"One","de-AT":"Eins","ja":"一"},"size":-0.25,\#
            "on":"2026-12-05T20:00:00+01:00[Europe/Berlin]",\#
            "at":{"latitude":52.5,"longitude":-13.25},"tags":["a|b","c\\d","e,f\"g"]},\#
            "labels":["x","y|z"],"pictures":["cover-1.png","cover-2.png"]}
            {"id":"two","properties":{"title":"Plain; \"quoted\"\r\nline","note":" spaced ",\#
            "on":"2026-12-05","tags":[]},"pictures":["cover-2.png"]}
            {"id":"three","properties":{"title":{"fr":"Trois"},"size":1e21}}
            """#

        @Test(arguments: ["jsonl", "csv"])
        func exportImportedAgainIsTheSameToTheByte(format: String) async throws {
            try await withServedFolder { server, folder in
                try Covers.write(2, to: folder, concertDate: "2026-12-20T19:00:00Z")
                try Covers.save(Self.wholeType, "\(folder)/thing.json")
                try Covers.save(Self.wholeRows, "\(folder)/rows.jsonl")
                let imported = try server.run(
                    "import", "\(folder)/thing.json", "\(folder)/rows.jsonl")
                #expect(imported.output.hasPrefix("imported 3, unchanged 0"), "\(imported)")
                for (catalog, out) in [("main", "first"), ("copy", "second")] {
                    if catalog == "copy" {
                        let again = try server.run(
                            "import", "\(folder)/first/thing.json",
                            "\(folder)/first/thing.\(format)",
                            "--catalog", "copy")
                        #expect(again.output.hasPrefix("imported 3, unchanged 0"), "\(again)")
                        #expect(again.status == 0, "\(again)")
                    }
                    let exported = try Command.run([
                        "export", "\(folder)/\(out)", "--format", format, "--catalog", catalog,
                        "--data", "\(folder)/data",
                    ])
                    #expect(exported.status == 0, "\(exported)")
                    #expect(exported.output == "thing: 3 entities, 3 pictures\n")
                }
                let (first, second) = (
                    try files("\(folder)/first"), try files("\(folder)/second")
                )
                // Type, rows, two pictures, each with print and thumbnail.
                #expect(first.count == 8)
                #expect(first == second)
                let verified = try Command.run([
                    "catalog", "verify", "copy", "--data", "\(folder)/data",
                ])
                #expect(
                    verified.output == "checked 3 entities, 6 blobs: no fault\n", "\(verified)")
            }
        }

        @Test func picturesAloneCarryTheirTitles() async throws {
            try await withServedFolder { server, folder in
                try Covers.write(3, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let rows = """
                    {"id":"1","properties":{"name":"One","artistName":"A/B"},"pictures":["cover-1.png"]}
                    {"id":"2","properties":{"name":"Two","artistName":"C"},\
                    "pictures":["cover-2.png","cover-3.png"]}
                    {"id":"3","properties":{"name":"two","artistName":"c"},"pictures":["cover-3.png"]}
                    """
                try Covers.save(rows, "\(folder)/rows.jsonl")
                #expect(try server.run("import", "album", "\(folder)/rows.jsonl").status == 0)
                // Albums alone: where their relation leads, nothing was imported yet.
                let verified = try Command.run(["catalog", "verify", "--data", "\(folder)/data"])
                #expect(verified.status == 0, "\(verified)")
                #expect(
                    verified.output.contains("leads to concert, which is not declared\n"),
                    "\(verified)")
                #expect(verified.output.hasPrefix("note: types: relation"))
                #expect(verified.output.hasSuffix(" blobs: no fault\n"))
                let exported = try Command.run([
                    "export", "\(folder)/out", "--format", "pictures", "--data", "\(folder)/data",
                ])
                #expect(exported.output == "album: 3 entities, 4 pictures\n", "\(exported)")
                #expect(
                    try files("\(folder)/out").keys.sorted() == [
                        "A∕B - One.jpg", "C - Two/1.jpg", "C - Two/2.jpg", "c - two (2).jpg",
                    ])
                let imported = try server.run(
                    "import", "album", "--pictures", "\(folder)/out", "--catalog", "copy")
                #expect(imported.output.hasPrefix("imported 3,"), "\(imported)")
                let found = try server.run(
                    "search", "\(folder)/photo-2.jpg", "--catalog", "copy", "--limit", "1")
                #expect(found.output.contains("Two"), "\(found)")
            }
        }

        @Test func damageIsFoundByEntity() async throws {
            try await withServedFolder { server, folder in
                try Covers.write(2, to: folder, concertDate: "2026-12-20T19:00:00Z")
                #expect(try server.run("import", "album", "\(folder)/albums.jsonl").status == 0)
                let blobs = "\(folder)/data/journal/blobs"
                let largest = try files(blobs).max { $0.value.count < $1.value.count }
                let path = try #require(largest?.key)
                var bytes = try #require(largest?.value)
                bytes[bytes.count / 2] ^= 1
                try Covers.save(bytes, "\(blobs)/\(path)")
                let result = try Command.run(["catalog", "verify", "--data", "\(folder)/data"])
                #expect(result.status == 1)
                #expect(
                    result.output.contains(
                        /fault: album\/album-[12]: its source copy, [0-9a-f]{64}/),
                    "\(result)")
                let exported = try Command.run([
                    "export", "\(folder)/out", "--data", "\(folder)/data",
                ])
                #expect(exported.status == 1)
                #expect(exported.errors.contains("1 pictures are left out"), "\(exported)")
            }
        }
    }
}
