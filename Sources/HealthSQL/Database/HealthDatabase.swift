public import Foundation
import GRDBSQLite
public import HealthEngine
import HealthModel

/// SQL over one state of a store: samples, workouts and all else as tables that are read as a statement goes
/// along, page by page. Nothing is copied, and nothing can be written.
///
/// Lives inside the closure of ``HealthEngine/reading(as:_:)`` and is used on its thread:
///
///     try engine.reading(as: caller) { reading in
///         let database = try HealthDatabase(reading, timeZone: .current)
///         let statement = try database.statement("SELECT day, sum(value) FROM step_count GROUP BY day")
///         while try statement.step() { print(statement.text(0) ?? "", statement.real(1)) }
///     }
public final class HealthDatabase {
    let connection: OpaquePointer
    let context: TableContext
    private let registry = VirtualModule.Registry()
    let guardian = StatementGuard()
    /// Kept as long as SQLite may call.
    var functionCalls: [FunctionCall] = []
    /// The views, in the order of the schema's listing.
    private(set) var views: [SchemaCatalog.View] = []

    /// A connection over a reading.
    ///
    /// - Parameter timeZone: the one dates are told in and days are cut in.
    /// - Throws: ``SQLError`` where SQLite cannot be had, and what the reading throws.
    public init(_ reading: StoreReading, timeZone: TimeZone) throws {
        var pointer: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(":memory:", &pointer, flags, nil) == SQLITE_OK, let pointer else {
            sqlite3_close(pointer)
            throw SQLError("SQLite cannot be opened")
        }
        connection = pointer
        context = TableContext(reading, clock: LocalClock(timeZone: timeZone))
        sqlite3_extended_result_codes(connection, 0)
        try define(SchemaCatalog.tables(context))
        try defineFunctions()
        views = try SchemaCatalog.views(context, beside: Set(registry.tables.keys))
        for view in views { try execute(view.sql) }
        guardian.stand(before: connection)
    }

    deinit {
        sqlite3_close_v2(connection)
    }

    /// The tables, in the order of the schema's listing.
    private(set) var tables: [VirtualTable] = []

    private func define(_ tables: [VirtualTable]) throws {
        self.tables = tables
        for table in tables { registry.tables[table.name] = table }
        // The registry outlives the connection's tables: both go with this object.
        let code = sqlite3_create_module_v2(
            connection, "health", VirtualModule.module, Unmanaged.passUnretained(registry).toOpaque(), nil)
        guard code == SQLITE_OK else { throw SQLError(message) }
        for table in tables { try execute("CREATE VIRTUAL TABLE \(table.name) USING health") }
    }

    /// Runs a statement of this library's own.
    func execute(_ sql: String) throws {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw SQLError(message) }
    }

    /// SQLite's words for what went wrong last.
    var message: String { String(cString: sqlite3_errmsg(connection)) }

    /// The first statement of a text, ready to run; a text with only blanks and comments has none.
    ///
    /// - Throws: ``SQLError`` for a statement that makes no sense, or that does not only read.
    public func statement(_ sql: String) throws -> SQLStatement {
        guard let statement = try statements(sql).first else { throw SQLError("there is no statement") }
        return statement
    }

    /// All statements of a text, ready to run.
    ///
    /// - Throws: as ``statement(_:)``, for the first that is at fault.
    public func statements(_ sql: String) throws -> [SQLStatement] {
        var statements: [SQLStatement] = []
        try sql.withCString { start in
            var rest: UnsafePointer<CChar>? = start
            while let text = rest, text.pointee != 0 {
                var handle: OpaquePointer?
                guardian.forget()
                guard sqlite3_prepare_v2(connection, text, -1, &handle, &rest) == SQLITE_OK else {
                    throw SQLError(guardian.refusal ?? message)
                }
                if let handle { statements.append(SQLStatement(handle, in: self)) }
            }
        }
        return statements
    }

    /// Pages decoded so far, for tests: what a statement narrows by decides how many.
    package var pagesRead: Int { context.pagesRead }
    /// Rows handed to SQLite so far, for tests.
    package var rowsVisited: Int { context.rowsVisited }
}
