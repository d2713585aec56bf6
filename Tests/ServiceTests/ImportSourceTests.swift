import Foundation
import Messages
import Service
import TestSupport
import Testing

/// Rows of files and folders, good and bad ones.
@Suite(.timeLimit(.minutes(2)))
struct ImportSourceTests {
    private static func type() throws -> EntityTypeDocument {
        try EntityTypeDocument(
            named: PackageRoot.path("deploy/entities/product.json"), folder: nil)
    }

    /// Every row of a table of products.
    private static func table(
        _ text: String, name: String = "t.csv"
    ) throws -> (count: Int, rows: [Result<ImportRow, BadRow>]) {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/\(name)"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return try rows(CSVSource(path: path, type: type()))
        }
    }

    private static func lines(
        _ bytes: [UInt8]
    ) throws -> (count: Int, rows: [Result<ImportRow, BadRow>]) {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/t.jsonl"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return try rows(JSONLinesSource(path: path))
        }
    }

    private static func rows(
        _ source: some ImportSource
    ) throws -> (count: Int, rows: [Result<ImportRow, BadRow>]) {
        var source = source
        var rows: [Result<ImportRow, BadRow>] = []
        while let row = try source.next() { rows.append(row) }
        return (source.count, rows)
    }

    // MARK: Tables

    @Test func tableGivesEveryKindOfProperty() throws {
        let (count, rows) = try Self.table(
            """
            id,pictures,labels,name.en,name.de,sku,price,categories,availableFrom,goesWith\r
            p1,a.jpg|b.jpg,kitchen,Kettle,Kessel,K-1,49.9,kitchen|home,2026-12-05,|\r
            p2,,,"Mug, ""stone""\r
            grey",,K-2,12,a\\|b|c\\\\d,,\r

            """)
        #expect(count == 2)
        let first = try rows[0].get()
        #expect(first.id == "p1" && first.place == "line 2" && first.labels == ["kitchen"])
        #expect(first.pictures.map { ($0 as NSString).lastPathComponent } == ["a.jpg", "b.jpg"])
        #expect(
            JSONValue.object(first.properties)
                == .object([
                    "name": .object(["en": .string("Kettle"), "de": .string("Kessel")]),
                    "sku": .string("K-1"), "price": .number(49.9),
                    "categories": .array([.string("kitchen"), .string("home")]),
                    "availableFrom": .string("2026-12-05"), "goesWith": .array([]),
                ]))
        let second = try rows[1].get()
        #expect(second.place == "line 3" && second.pictures.isEmpty)
        #expect(second.properties["name"] == .object(["en": .string("Mug, \"stone\"\r\ngrey")]))
        #expect(second.properties["categories"] == .array([.string("a|b"), .string("c\\d")]))
        #expect(second.properties["goesWith"] == nil)
    }

    @Test(arguments: [";", "\t", ","])
    func separatorIsThatOfTheFirstLine(separator: String) throws {
        let text = "\u{FEFF}id,sku,name\np1,K-1,Kettle\n\np2,K-2,Mug".replacing(
            ",", with: separator)
        let (count, rows) = try Self.table(text)
        #expect(count == 2)
        #expect(
            try rows.map { try $0.get().properties["name"] } == [.string("Kettle"), .string("Mug")])
        #expect(try rows[1].get().place == "line 4")
    }

    /// The second line of a table, and how the refusal begins.
    @Test(arguments: [
        ("p1,K,x,1", "line 2: column 'price' takes a number such as 12 or 49.9, not 'x'"),
        ("p1,K,\"1,5\",1", "line 2: column 'price' takes a number"),
        ("p1,K", "line 2: has 2 fields; the first line has 4"),
        (",K,1,1", "line 2: has no 'id'"),
        ("p1,K\"K,1,1", "line 2: has a quote inside a field"),
        ("p1,\"K\"K,1,1", "line 2: has text behind the closing quote"),
        ("p1,\"K,1,1", "line 2: has a field without its closing quote"),
    ])
    func badRecordIsToldByItsLine(record: String, begin: String) throws {
        let (_, rows) = try Self.table("id,sku,price,name\n\(record)\n")
        guard case .failure(let bad) = rows[0] else {
            Issue.record("not refused")
            return
        }
        #expect(bad.description.hasPrefix(begin), "\(bad)")
    }

    @Test func recordsBehindABadOneAreRead() throws {
        let (count, rows) = try Self.table(
            "id,sku,name\np1,K\"1,A\np2,\"K\n2\",B\np3,K3,\"C\"\n")
        #expect(count == 3)
        #expect(throws: BadRow.self) { try rows[0].get() }
        #expect(try rows[1].get().properties["sku"] == .string("K\n2"))
        #expect(try rows[2].get().place == "line 5")
    }

    @Test func textThatIsNoUTF8IsRefused() throws {
        try withTemporaryDirectory { folder in
            let path = "\(folder)/t.csv"
            try Data(Array("id,sku,name\np1,K,".utf8) + [0xFF, 0x0A])
                .write(to: URL(fileURLWithPath: path))
            let (_, rows) = try Self.rows(CSVSource(path: path, type: Self.type()))
            guard case .failure(let bad) = rows[0] else {
                Issue.record("not refused")
                return
            }
            #expect(bad.description == "line 2: is no UTF-8")
        }
    }

    @Test(arguments: [
        ("id,colour", "has the column 'colour'; a table of product has each once of id, pictures"),
        ("id,name.de,name.de", "has the column 'name.de'"),
        ("sku,name", "has no column 'id'"), ("", "has no first line"),
    ])
    func columnsAreThoseOfTheType(head: String, said: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try Self.table("\(head)\n") }
        let text = error?.description ?? ""
        #expect(text.contains(said), "\(text)")
    }

    @Test func oneRowHasABound() throws {
        let long = String(repeating: "x", count: Limits.importRowBytesMax + 10)
        let (count, rows) = try Self.table("id,sku,name\np1,K,\(long)\np2,K2,B\n")
        #expect(count == 2)
        #expect(throws: BadRow(place: "line 2", reason: "is too long")) { try rows[0].get() }
        #expect(try rows[1].get().id == "p2")
    }

    // MARK: Lines

    @Test func linesAreReadOrRefusedEach() throws {
        let long = String(repeating: " ", count: Limits.importRowBytesMax + 1)
        let (count, rows) = try Self.lines(
            Array(
                """
                {"id":"a","picture":"a.jpg","properties":{"sku":"1"}}

                {"id":"b"\(long)}
                {"id":7}
                {"id":"c","pictures":"c.jpg"}
                {"id":"d","colour":1}
                {"id":"e","properties":[]}
                nonsense
                {"id":"f","pictures":["/x/f.jpg"],"labels":["l"]}
                """.utf8))
        #expect(count == 8 && rows.count == 8)
        let places = rows.compactMap { row in
            if case .failure(let bad) = row { bad.place } else { nil }
        }
        #expect(places == [3, 4, 5, 6, 7, 8].map { "line \($0)" })
        #expect(try rows[0].get().pictures.first?.hasSuffix("/a.jpg") == true)
        let last = try rows[7].get()
        #expect(last.pictures == ["/x/f.jpg"] && last.labels == ["l"])
        #expect(
            throws: BadRow(
                place: "line 3", reason: "has more than \(Limits.importRowBytesMax) bytes")
        ) { try rows[1].get() }
    }

    // MARK: Folders

    @Test func folderGivesNamesTitlesAndSeveralPictures() throws {
        try withTemporaryDirectory { folder in
            let files = [
                "Norrby - Kettle.jpg", "Mug.PNG", "notes.txt", ".hidden.jpg",
                "Tea/2 back.webp", "Tea/1 front.heic", "empty/notes.txt",
                "stored/ab/thumbnail.jpg",
            ]
            for file in files {
                let path = URL(fileURLWithPath: "\(folder)/\(file)")
                try FileManager.default.createDirectory(
                    at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data([1]).write(to: path)
            }
            let movie = try EntityTypeDocument(
                named: PackageRoot.path("deploy/entities/album.json"), folder: nil)
            let (count, rows) = try Self.rows(PictureFolderSource(folder: folder, type: movie))
            #expect(count == 3)
            let read = try rows.map { try $0.get() }
            #expect(read.map(\.id) == ["Mug", "Norrby - Kettle", "Tea"])
            #expect(
                read[1].properties
                    == ["artistName": .string("Norrby"), "name": .string("Kettle")])
            #expect(
                read[2].pictures == ["\(folder)/Tea/1 front.heic", "\(folder)/Tea/2 back.webp"])
        }
    }
}
