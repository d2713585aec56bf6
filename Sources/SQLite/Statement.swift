internal import CSQLite

/// A prepared statement of one connection; closed with its last reference.
///
/// Not Sendable: it belongs to whoever owns the connection. SQLite keeps a closed connection
/// until its statements are closed, so one that outlives it is still safe to use.
public final class Statement {
    private let handle: OpaquePointer
    private let sql: String

    /// Compiles one statement.
    ///
    /// - Throws: `SQLiteError` with SQLite's words on what is wrong with the text.
    public init(_ connection: Connection, _ sql: String) throws(SQLiteError) {
        var handle: OpaquePointer?
        let result = sqlite3_prepare_v3(
            connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard result == SQLITE_OK else {
            throw .last(of: connection.handle, result, "prepare", sql)
        }
        guard let handle else {
            throw SQLiteError(.other(SQLITE_MISUSE), operation: "prepare", message: "no statement")
        }
        self.handle = handle
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    /// Binds every parameter, in order, and makes the statement ready to run from its start.
    ///
    /// - Throws: `SQLiteError` if the count differs from the statement's or a value is too large.
    public func bind(_ values: [Value]) throws(SQLiteError) {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        let expected = Int(sqlite3_bind_parameter_count(handle))
        guard values.count == expected else {
            throw SQLiteError(
                .other(SQLITE_RANGE), operation: "bind",
                message: "\(values.count) values for \(expected) parameters", sql: sql)
        }
        for (index, value) in values.enumerated() {
            let result = bind(value, Int32(index + 1))
            guard result == SQLITE_OK else { throw error(result, "bind") }
        }
    }

    /// Runs to the next row.
    ///
    /// - Returns: False when there is no further row; the statement is then reset, so that it
    ///   holds no lock.
    /// - Throws: `SQLiteError`; the statement is reset then as well.
    public func step() throws(SQLiteError) -> Bool {
        let result = sqlite3_step(handle)
        if result == SQLITE_ROW { return true }
        let error = result == SQLITE_DONE ? nil : error(result, "step")
        sqlite3_reset(handle)
        if let error { throw error }
        return false
    }

    /// Ends the run before its last row.
    public func reset() { sqlite3_reset(handle) }

    /// The value of a column of the present row, counted from 0.
    public func value(_ column: Int) -> Value {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, Int32(column)))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, Int32(column)))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(blob(column))
        // The only other type is SQLITE_NULL.
        default: .null
        }
    }
    /// A column as a whole number; 0 for NULL.
    public func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }
    /// A column as a floating-point number; 0 for NULL.
    public func real(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }
    /// A column as text; empty for NULL.
    public func text(_ column: Int) -> String {
        guard let start = sqlite3_column_text(handle, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
    /// A column as bytes; empty for NULL.
    public func blob(_ column: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, Int32(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
    /// Whether a column is NULL.
    public func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    private func error(_ result: Int32, _ operation: String) -> SQLiteError {
        .last(of: sqlite3_db_handle(handle), result, operation, sql)
    }

    private func bind(_ value: Value, _ index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .real(let number): return sqlite3_bind_double(handle, index, number)
        case .text(let text):
            // The count is given, so that text may hold a NUL.
            return sqlite3_bind_text64(
                handle, index, text, UInt64(text.utf8.count), transient, UInt8(SQLITE_UTF8))
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
            return sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), transient)
        }
    }

    /// SQLITE_TRANSIENT, a macro that Swift cannot import: SQLite copies the value at once.
    private var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}
