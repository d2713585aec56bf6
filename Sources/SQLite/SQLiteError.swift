internal import CSQLite

/// What SQLite refused, in which operation.
///
/// The description holds neither the statement nor its values: they may be personal.
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The result codes that a caller may want to tell apart.
    public enum Code: Sendable, Equatable {
        /// SQLITE_BUSY or SQLITE_LOCKED: another connection writes.
        case busy
        /// SQLITE_CONSTRAINT: a value breaks a rule of its table.
        case constraint
        /// SQLITE_FULL: no space is left.
        case full
        /// SQLITE_READONLY or SQLITE_PERM: the file may not be written.
        case readOnly
        /// SQLITE_CANTOPEN: there is no such file, or it may not be read.
        case cannotOpen
        /// SQLITE_CORRUPT or SQLITE_NOTADB: the file is damaged.
        case damaged
        /// SQLITE_IOERR: the disk failed.
        case inputOutput
        /// A migration that this file has seen is not among the known ones.
        case unknownMigration
        /// Any other result code.
        case other(Int32)
    }

    /// Which error it is.
    public let code: Code
    /// What was being done: `open`, `prepare`, `bind`, `step`, `migrate`.
    public let operation: String
    /// SQLite's own words, which may name tables and columns but hold no values.
    public let message: String
    /// The statement, for debugging; never part of the description.
    public let sql: String

    /// From its parts.
    public init(_ code: Code, operation: String, message: String, sql: String = "") {
        self.code = code
        self.operation = operation
        self.message = message
        self.sql = sql
    }

    /// Operation, code and SQLite's words.
    public var description: String { "sqlite \(operation): \(code): \(message)" }

    /// The error that SQLite keeps for a connection.
    static func last(
        of connection: OpaquePointer?, _ result: Int32, _ operation: String, _ sql: String
    ) -> SQLiteError {
        SQLiteError(
            .init(result: result), operation: operation,
            message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }
}

extension SQLiteError.Code {
    /// From a result code, primary or extended.
    init(result: Int32) {
        switch result & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_CONSTRAINT: self = .constraint
        case SQLITE_FULL: self = .full
        case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
        case SQLITE_CANTOPEN: self = .cannotOpen
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
        case SQLITE_IOERR: self = .inputOutput
        default: self = .other(result)
        }
    }
}
