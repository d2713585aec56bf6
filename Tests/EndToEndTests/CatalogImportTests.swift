import Foundation
import Messages
import Raster
import TestSupport
import Testing

extension EndToEndTests {
    /// Catalogs brought in, kept current and taken out, through the command.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct CatalogImportTests {
        @Test func onlyWhatChangedIsPutAndWhatIsGoneIsPruned() async throws {
            try await withServedFolder { server, folder in
                let rows = (1...4).map { number in
                    #"{"id":"m\#(number)","properties":{"title":"Film \#(number)","year":2000}}"#
                }
                func state(_ rows: [String], _ more: String...) throws -> String {
                    try Covers.save(rows.joined(separator: "\n"), "\(folder)/m.jsonl")
                    return try Command.run(
                        ["import", "movie", "\(folder)/m.jsonl"] + more + server.connect
                    ).output.split(separator: ";").first.map(String.init) ?? ""
                }
                #expect(try state(rows) == "imported 4, unchanged 0, skipped 0")
                let changed = [rows[0], rows[1].replacing("2000", with: "2001")]
                #expect(
                    try state(changed, "--dry-run", "--prune")
                        == "would add 0, change 1, leave 1, remove 2, skip 0")
                #expect(
                    try state(changed, "--prune")
                        == "imported 1 (1 of them changed), unchanged 1, skipped 0, removed 2")
                #expect(try server.run("entity", "list", "movie").output.contains("Film 1"))
                #expect(!(try server.run("entity", "list", "movie").output.contains("Film 3")))
                // Back to what it was: a change of its own, however alike the first one.
                #expect(
                    try state(rows) == "imported 3 (1 of them changed), unchanged 1, skipped 0")
                let shown = try server.run("entity", "show", "movie", "m2").output
                #expect(shown.contains(#""year":2000"#), "\(shown)")
                #expect(try server.run("entity", "list", "movie").output.contains("Film 3"))
                // A bad row may be the one that is gone.
                try Covers.save(rows[0] + "\nnonsense", "\(folder)/m.jsonl")
                let refused = try server.run(
                    "import", "movie", "\(folder)/m.jsonl", "--prune", "--report",
                    "\(folder)/report")
                #expect(refused.status == 1)
                #expect(refused.errors.contains("nothing was removed, since a row was refused"))
                let report = try JSONValue(
                    parsing: Array(
                        try String(contentsOfFile: "\(folder)/report", encoding: .utf8).utf8))
                #expect(report["place"]?.text == "line 2")
                #expect((report["reason"]?.text?.count ?? 0) > 10)
                #expect(try server.run("entity", "list", "movie").output.contains("Film 4"))
            }
        }

        @Test func dryRunFindsWhatAnImportWouldRefuseAndChangesNothing() async throws {
            try await withServedFolder { server, folder in
                try Covers.write(1, to: folder, concertDate: "2026-12-20T19:00:00Z")
                try Covers.save("no picture", "\(folder)/bad.png")
                try Covers.save(
                    """
                    {"id":"1","properties":{"name":"A","artistName":"B"},"pictures":["cover-1.png"]}
                    {"id":"2","properties":{"name":"A","artistName":"B"},"pictures":["bad.png"]}
                    {"id":"3","properties":{"name":"A"}}
                    {"id":"1","properties":{"name":"A","artistName":"B"}}
                    """, "\(folder)/a.jsonl")
                let checked = try server.run("import", "album", "\(folder)/a.jsonl", "--dry-run")
                #expect(checked.status == 1)
                #expect(
                    checked.output
                        == "would add 1, change 0, leave 0, remove 0, skip 3; nothing was changed\n"
                )
                #expect(checked.errors.contains("skipped line 2: unknownFormat"), "\(checked)")
                #expect(checked.errors.contains("lacks the required property \"artistName\""))
                #expect(checked.errors.contains("line 4: the id '1' stands in an earlier row"))
                #expect(try server.run("entity", "list").output.split(separator: "\n").count == 1)
                #expect(try server.run("status").output.contains("types: []"))
            }
        }

        @Test func whatCanNameNothingIsRefusedWhereItStands() async throws {
            try await withServedFolder { server, folder in
                let rows = #"""
                    {"id":"a\u0000b","properties":{"title":"A"}}
                    {"id":"\#(String(repeating: "i", count: 1_025))","properties":{"title":"A"}}
                    {"id":"good","properties":{"title":"A"}}
                    """#
                try Covers.save(rows, "\(folder)/rows.jsonl")
                let imported = try server.run("import", "movie", "\(folder)/rows.jsonl")
                #expect(imported.status == 1)
                #expect(
                    imported.output.hasPrefix("imported 1, unchanged 0, skipped 2"), "\(imported)")
                for line in ["line 1", "line 2"] {
                    #expect(imported.errors.contains("skipped \(line): id must be text of 1 to"))
                }
                let unnamed = try server.run(
                    "import", "movie", "\(folder)/rows.jsonl", "--catalog", "")
                #expect(unnamed.status == 2)
                #expect(unnamed.errors.contains("--catalog takes a name of 1 to 1024 bytes"))
                let folderOnly = try server.run("import", "movie", folder)
                #expect(folderOnly.status == 2)
                #expect(folderOnly.errors.contains("it is no file but a folder"), "\(folderOnly)")
                let elsewhere = try Command.run(["catalog", "info", "--data", "\(folder)/none"])
                #expect(elsewhere.status == 2)
                #expect(elsewhere.errors.contains("--data names the folder that 'sightline serve'"))
            }
        }

        @Test func stoppedImportGoesOnWhereItWas() async throws {
            try await withServedFolder(["--lanes", "1"]) { server, folder in
                let count = 60
                try Covers.write(count, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let arguments = ["import", "album", "\(folder)/albums.jsonl"] + server.connect
                let statuses: [(signal: Int32, status: Int32)] = [(SIGKILL, 9), (SIGINT, 1)]
                for (signal, status) in statuses {
                    let process = try ServerProcess(arguments)
                    let before = try entities(server)
                    while process.isRunning, try entities(server) < before + 5 {
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    kill(process.identifier, signal)
                    #expect(process.wait() == status)
                    if signal == SIGINT {
                        let log = try process.log()
                        #expect(log.contains("the same command goes on"), "\(log)")
                    }
                }
                let there = try entities(server)
                #expect(there >= 10 && there < count)
                let rest = try Command.run(arguments)
                #expect(
                    rest.output.hasPrefix(
                        "imported \(count - there), unchanged \(there), skipped 0;"), "\(rest)")
                #expect(try entities(server) == count)
            }
        }

        private func entities(_ server: Deployment) throws -> Int {
            try server.run("entity", "list", "album").output.split(separator: "\n").count - 1
        }

        @Test func typeThatDoesNotFitIsRefusedByEntityAndProperty() async throws {
            try await withServedFolder { server, folder in
                func declare(_ version: Int, _ year: String, _ catalog: String) throws
                    -> Command.Result
                {
                    try Covers.save(
                        """
                        {"type":"film","version":\(version),"display":{"name":"F","title":"{id}"},
                         "open":"sightline://film/{id}",
                         "properties":{"title":{"kind":"string"}\(year)}}
                        """, "\(folder)/film.json")
                    return try server.run(
                        "import", "\(folder)/film.json", "\(folder)/f.jsonl", "--catalog", catalog)
                }
                try Covers.save(#"{"id":"f1","properties":{"title":"T"}}"#, "\(folder)/f.jsonl")
                #expect(try declare(1, "", "second").status == 0)
                let required = #","year":{"kind":"number","required":true}"#
                let refused = try declare(2, required, "main")
                #expect(refused.status == 4)
                #expect(
                    refused.errors == """
                        sightline: film 2 does not fit entities that there are:
                          film 'f1' in catalog 'second': /properties lacks the required property "year"

                        """, "\(refused)")
                // Nothing was declared, so that a version that fits still can be.
                #expect(try declare(2, #","year":{"kind":"number"}"#, "main").status == 0)
                let older = try declare(1, "", "main")
                #expect(older.status == 4)
                #expect(older.errors.contains("film is declared with version 2"), "\(older)")
            }
        }

        @Test func routesHaveAllowedSchemes() async throws {
            try await withServedFolder(["--route-scheme", "shop"]) { server, folder in
                try Covers.save(#"{"id":"1","properties":{"title":"T"}}"#, "\(folder)/f.jsonl")
                for (route, status) in [
                    ("javascript:alert({id})", Int32(4)), ("shop://item/{id}", 0),
                    ("data:text/html,{id}", 4),
                ] {
                    try Covers.save(
                        """
                        {"type":"t","version":1,"display":{"name":"T","title":"{id}"},
                         "open":"\(route)","properties":{"title":{"kind":"string"}}}
                        """, "\(folder)/t.json")
                    let result = try server.run("import", "\(folder)/t.json", "\(folder)/f.jsonl")
                    #expect(result.status == status, "\(route) \(result)")
                    if status != 0 {
                        #expect(result.errors.contains("allowed are https, shop, sightline and"))
                    }
                }
                #expect(try server.run("open", "t", "1").output == "shop://item/1\n")
            }
        }

        @Test func catalogsStandSideBySide() async throws {
            try await withServedFolder { server, folder in
                try Covers.write(3, to: folder, concertDate: "2026-12-20T19:00:00Z")
                let lines = try String(contentsOfFile: "\(folder)/albums.jsonl", encoding: .utf8)
                    .split(separator: "\n")
                for (index, catalog) in ["red", "blue"].enumerated() {
                    try Covers.save(String(lines[index]), "\(folder)/one.jsonl")
                    let imported = try server.run(
                        "import", "album", "\(folder)/one.jsonl", "--catalog", catalog)
                    #expect(imported.status == 0, "\(imported)")
                }
                for (catalog, found) in [("red", "Record 1"), ("blue", "no match")] {
                    let result = try server.run(
                        "search", "\(folder)/photo-1.jpg", "--catalog", catalog)
                    #expect(result.output.contains(found), "\(catalog) \(result)")
                }
                let info = try Command.run([
                    "catalog", "info", "--json", "--data", "\(folder)/data",
                ])
                let catalogs = try info.output.split(separator: "\n").map {
                    try JSONValue(parsing: Array($0.utf8))
                }
                #expect(catalogs.map { $0["catalog"]?.text } == ["blue", "red"])
                #expect(catalogs.allSatisfy { $0["entities"]?["album"]?.integer == 1 })
                #expect(catalogs.allSatisfy { $0["prints"]?.object?.count == 1 })
                let unknown = try Command.run([
                    "catalog", "info", "green", "--data", "\(folder)/data",
                ])
                #expect(unknown.status == 2)
                #expect(unknown.errors.contains("there is no catalog 'green': blue, red"))
            }
        }
    }
}
