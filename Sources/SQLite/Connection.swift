internal import CSQLite

/// One open database with one owner; not Sendable, so it cannot be used from two threads at once.
///
/// Opened without SQLite's own locks, since there is one owner. Text and values never appear in
/// errors; what is deleted is overwritten (`secure_delete`).
public final class Connection {
    /// Where the database is, and what may be done with it.
    public enum Mode: Sendable {
        /// Created if it does not exist, with a write-ahead log, so that others may read.
        case readWrite
        /// Must exist, and is never written.
        case readOnly
    }

    let handle: OpaquePointer
    /// Compiled statements that nobody runs at the moment.
    private var statements: [String: Statement] = [:]
    /// Transactions that are open, one inside another.
    private var depth = 0
    private static let statementsMax = 128

    /// Opens a database file; `:memory:` is one that nobody else sees.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - mode: What may be done with it.
    ///   - busyMilliseconds: How long to wait for another connection that writes.
    /// - Throws: `SQLiteError` that names the file.
    public init(
        path: String, mode: Mode = .readWrite, busyMilliseconds: Int = 1_000
    ) throws(SQLiteError) {
        var opened: OpaquePointer?
        let access =
            switch mode {
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        let result = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX, nil)
        guard result == SQLITE_OK, let opened else {
            // SQLite hands out a connection even when it cannot open the file.
            sqlite3_close_v2(opened)
            throw SQLiteError(
                .init(result: result), operation: "open",
                message: "\(path): \(String(cString: sqlite3_errstr(result)))")
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Int32(clamping: busyMilliseconds))
        try execute("PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON")
        if mode == .readWrite {
            try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        }
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs one or more statements that take no values and whose rows nobody wants.
    ///
    /// - Throws: `SQLiteError`; the statements before the failing one have run.
    public func execute(_ sql: String) throws(SQLiteError) {
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw .last(of: handle, result, "step", sql) }
    }

    /// Runs one statement with its values, and keeps it compiled for the next time.
    ///
    /// - Returns: Rows that it changed.
    /// - Throws: `SQLiteError`.
    @discardableResult
    public func run(_ sql: String, _ values: Value...) throws(SQLiteError) -> Int {
        try query(sql, values) { _ in }
        return Int(sqlite3_changes(handle))
    }

    /// The rows of one statement, each read by `body` while it is there.
    ///
    /// - Throws: `SQLiteError`.
    public func rows<Row>(
        _ sql: String, _ values: Value..., read body: (Statement) throws(SQLiteError) -> Row
    ) throws(SQLiteError) -> [Row] {
        var rows: [Row] = []
        try query(sql, values) { (row) throws(SQLiteError) in rows.append(try body(row)) }
        return rows
    }

    /// The first row of one statement; nil if there is none.
    ///
    /// - Throws: `SQLiteError`.
    public func row<Row>(
        _ sql: String, _ values: Value..., read body: (Statement) throws(SQLiteError) -> Row
    ) throws(SQLiteError) -> Row? {
        let statement = try take(sql)
        defer { give(statement, back: sql) }
        try statement.bind(values)
        guard try statement.step() else { return nil }
        return try body(statement)
    }

    /// Runs `body` so that all of its changes are made or, if it throws, none.
    ///
    /// A transaction inside another one is a part of it that can fail by itself.
    ///
    /// - Throws: What `body` throws, or `SQLiteError` if the changes cannot be committed.
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        let name = "level\(depth)"
        try execute(depth == 0 ? "BEGIN IMMEDIATE" : "SAVEPOINT \(name)")
        depth += 1
        defer { depth -= 1 }
        do {
            let result = try body()
            try execute(depth == 1 ? "COMMIT" : "RELEASE \(name)")
            return result
        } catch {
            // Some failures, such as a full disk, have rolled back already; then this one fails
            // and there is nothing left to undo.
            try? execute(depth == 1 ? "ROLLBACK" : "ROLLBACK TO \(name); RELEASE \(name)")
            throw error
        }
    }

    /// A statement of this text that nobody else is running.
    private func take(_ sql: String) throws(SQLiteError) -> Statement {
        if let statement = statements.removeValue(forKey: sql) { return statement }
        return try Statement(self, sql)
    }

    private func give(_ statement: Statement, back sql: String) {
        statement.reset()
        if statements.count >= Self.statementsMax { statements.removeAll() }
        statements[sql] = statement
    }

    private func query(
        _ sql: String, _ values: [Value], _ body: (Statement) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        let statement = try take(sql)
        defer { give(statement, back: sql) }
        try statement.bind(values)
        while try statement.step() { try body(statement) }
    }
}
