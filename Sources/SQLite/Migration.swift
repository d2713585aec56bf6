/// One step of a database's schema; named, ordered, and never edited once it was released.
public struct Migration: Sendable {
    /// The name under which the database remembers that the step was made.
    public let name: String
    /// The statements of the step.
    public let sql: String

    /// From a name and its statements.
    public init(_ name: String, _ sql: String) {
        self.name = name
        self.sql = sql
    }
}

extension Connection {
    /// Makes every step that the database has not seen, in order, all of them or none.
    ///
    /// - Throws: `SQLiteError` with `unknownMigration` if the database has seen steps that are
    ///   not the first ones of the list: a newer version wrote it, or a step was edited away.
    public func migrate(_ migrations: [Migration]) throws(SQLiteError) {
        do {
            try transaction { try apply(migrations) }
        } catch let error as SQLiteError {
            throw error
        } catch {
            preconditionFailure("migrations throw no other error: \(error)")
        }
    }

    private func apply(_ migrations: [Migration]) throws(SQLiteError) {
        try execute(
            "CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL)"
        )
        let seen = try rows("SELECT name FROM migration ORDER BY number") { (row) in row.text(0) }
        guard Array(migrations.map(\.name).prefix(seen.count)) == seen else {
            throw SQLiteError(
                .unknownMigration, operation: "migrate",
                message: "the database has seen \(seen.joined(separator: ", "))")
        }
        for migration in migrations.dropFirst(seen.count) {
            try execute(migration.sql)
            try run("INSERT INTO migration (name) VALUES (?)", .text(migration.name))
        }
    }
}
