import FoundationEssentials
import SQLite
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConnectionTests {
    let connection: Connection

    init() throws { connection = try Connection(path: ":memory:") }

    @Test(
        arguments: [
            .null, .integer(Int64.min), .integer(Int64.max), .real(-0.5), .text(""), .text("a\0b"),
            .text("Motörhead 🎸"), .blob([]), .blob([0, 255, 0]),
        ] as [Value])
    func valueComesBackAsItWas(value: Value) throws {
        try connection.execute("CREATE TABLE t (v)")
        try connection.run("INSERT INTO t VALUES (?)", value)
        #expect(try connection.rows("SELECT v FROM t") { $0.value(0) } == [value])
    }

    @Test func changedRowsAreCounted() throws {
        try connection.execute("CREATE TABLE t (v); INSERT INTO t VALUES (1), (2), (3)")
        #expect(try connection.run("DELETE FROM t WHERE v > ?", .integer(1)) == 2)
    }

    @Test func rowIsTheFirstOrNil() throws {
        #expect(try connection.row("SELECT 1 UNION SELECT 2") { $0.integer(0) } == 1)
        #expect(try connection.row("SELECT 1 WHERE 0") { $0.integer(0) } == nil)
    }

    @Test func statementMayRunInsideItself() throws {
        try connection.execute("CREATE TABLE t (v); INSERT INTO t VALUES (1), (2)")
        let sums = try connection.rows("SELECT v FROM t ORDER BY v") {
            (outer) throws(SQLiteError) in
            try connection.rows("SELECT v FROM t ORDER BY v") {
                outer.integer(0) * 10 + $0.integer(0)
            }
        }
        #expect(sums == [[11, 12], [21, 22]])
    }

    @Test func wrongNumberOfValuesIsRefused() throws {
        let error = #expect(throws: SQLiteError.self) {
            try connection.run("SELECT ?, ?", .integer(1))
        }
        #expect(error?.message == "1 values for 2 parameters")
    }

    @Test func errorsHoldNeitherStatementNorValues() throws {
        try connection.execute("CREATE TABLE t (v UNIQUE)")
        try connection.run("INSERT INTO t VALUES (?)", .text("secret title"))
        let error = #expect(throws: SQLiteError.self) {
            try connection.run("INSERT INTO t VALUES (?)", .text("secret title"))
        }
        #expect(error?.code == .constraint)
        #expect(error?.description.contains("secret") == false)
        #expect(error?.description.contains("INSERT") == false)
    }

    @Test func failedTransactionChangesNothing() throws {
        struct Stop: Error {}
        try connection.execute("CREATE TABLE t (v)")
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(try connection.row("SELECT count(*) FROM t") { $0.integer(0) } == 0)
    }

    @Test func innerTransactionFailsByItself() throws {
        struct Stop: Error {}
        try connection.execute("CREATE TABLE t (v)")
        try connection.transaction {
            try connection.run("INSERT INTO t VALUES (1)")
            #expect(throws: Stop.self) {
                try connection.transaction {
                    try connection.run("INSERT INTO t VALUES (2)")
                    throw Stop()
                }
            }
        }
        #expect(try connection.rows("SELECT v FROM t") { $0.integer(0) } == [1])
    }

    @Test func statementOutlivesItsConnection() throws {
        var owner: Connection? = try Connection(path: ":memory:")
        let statement = try Statement(try #require(owner), "SELECT 7")
        owner = nil
        try statement.bind([])
        #expect(try statement.step())
        #expect(statement.integer(0) == 7)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct DatabaseFileTests {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "sightline-sqlite-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func inFolder(_ body: (String) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appending(path: "test.sqlite").path)
    }

    @Test func readerSeesWhatIsCommittedAndWritesNothing() throws {
        try inFolder { path in
            let writer = try Connection(path: path)
            try writer.execute("CREATE TABLE t (v); INSERT INTO t VALUES (1)")
            let reader = try Connection(path: path, mode: .readOnly)
            try writer.transaction {
                try writer.run("INSERT INTO t VALUES (2)")
                #expect(try reader.rows("SELECT v FROM t") { $0.integer(0) } == [1])
            }
            #expect(try reader.rows("SELECT v FROM t") { $0.integer(0) } == [1, 2])
            let error = #expect(throws: SQLiteError.self) { try reader.run("DELETE FROM t") }
            #expect(error?.code == .readOnly)
        }
    }

    @Test func missingFileIsNamed() throws {
        try inFolder { path in
            let error = #expect(throws: SQLiteError.self) {
                _ = try Connection(path: path, mode: .readOnly)
            }
            #expect(error?.code == .cannotOpen)
            #expect(error?.message.contains(path) == true)
        }
    }

    @Test func fileThatIsNoDatabaseIsDamaged() throws {
        try inFolder { path in
            try Data(repeating: 7, count: 5_000).write(to: URL(filePath: path))
            let error = #expect(throws: SQLiteError.self) { _ = try Connection(path: path) }
            #expect(error?.code == .damaged)
        }
    }

    @Test func secondWriterIsBusy() throws {
        try inFolder { path in
            let first = try Connection(path: path)
            let second = try Connection(path: path, busyMilliseconds: 0)
            try first.execute("CREATE TABLE t (v)")
            try first.transaction {
                let error = #expect(throws: SQLiteError.self) {
                    try second.transaction {}
                }
                #expect(error?.code == .busy)
            }
        }
    }

    @Test func migrationsRunOnceAndInOrder() throws {
        try inFolder { path in
            let steps = [
                Migration("entities", "CREATE TABLE entity (id TEXT)"),
                Migration("titles", "ALTER TABLE entity ADD COLUMN title TEXT"),
            ]
            try Connection(path: path).migrate(Array(steps.prefix(1)))
            for _ in 0..<2 {
                let connection = try Connection(path: path)
                try connection.migrate(steps)
                try connection.run("INSERT INTO entity (id, title) VALUES ('a', 'b')")
            }
            let error = #expect(throws: SQLiteError.self) {
                try Connection(path: path).migrate(Array(steps.prefix(1)))
            }
            #expect(error?.code == .unknownMigration)
        }
    }

    @Test func failedMigrationLeavesNothingBehind() throws {
        try inFolder { path in
            let connection = try Connection(path: path)
            #expect(throws: SQLiteError.self) {
                try connection.migrate([
                    Migration("good", "CREATE TABLE good (id)"), Migration("bad", "CREATE TABEL"),
                ])
            }
            #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM good") }
            #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM migration") }
        }
    }
}
