import SQLite

/// SQLite in this process: a write-ahead log that is synced at each commit, one row a record, one
/// transaction a group.
final class SQLiteContender: AppendContender {
    let name = "SQLite"
    private let connection: Connection
    private let insert: Statement

    init(folder: String) throws {
        connection = try Connection(path: "\(folder)/records.sqlite")
        try connection.execute("PRAGMA synchronous = FULL")
        try connection.execute(
            "CREATE TABLE record (sequence INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")
        insert = try Statement(connection, "INSERT INTO record (bytes) VALUES (?)")
        let setting = try connection.row("PRAGMA synchronous") { $0.integer(0) }
        guard setting == 2 else { throw BenchError(.system, "SQLite does not sync every commit") }
    }

    var processorSeconds: Double { ProcessorTime.ofSelf() }

    func append(_ group: [AppendSample]) throws {
        try connection.transaction {
            for sample in group {
                try insert.bind([.blob(sample.stored)])
                _ = try insert.step()
            }
        }
    }
}
