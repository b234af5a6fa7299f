import CSQLiteBounds
public import Foundation
import GRDBSQLite
public import HealthEngine
import HealthModel

/// Read-only SQL over one snapshot of a store: samples, workouts and all other contents as virtual tables, read page
/// by page while a statement runs. Nothing is copied.
///
/// Use an instance only inside the closure of ``HealthEngine/withReader(as:_:)``, on its thread:
///
///     try engine.withReader(as: caller) { reading in
///         let database = try HealthDatabase(reading, timeZone: .current)
///         let statement = try database.statement("SELECT day, sum(value) FROM step_count GROUP BY day")
///         while try statement.step() { print(statement.text(0) ?? "", statement.real(1)) }
///     }
public final class HealthDatabase {
    let connection: OpaquePointer
    let context: TableContext
    private let registry = VirtualModule.Registry()
    let authorizer = StatementAuthorizer()
    /// Retained for as long as SQLite can call the functions.
    var functionCalls: [FunctionCall] = []
    /// The bounds of statements, if they are limited; retained for as long as SQLite asks for them.
    private(set) var bounds: StatementBounds?
    /// SQLite's functions as limited statements call them; retained for as long as SQLite can.
    var boundedFunctions: [BoundedFunction] = []
    /// The views in the order of the schema. Those of types are created when a statement needs them.
    private(set) var views: [SchemaCatalog.View] = []
    /// The views that aren't created yet, by name.
    private var pendingViews: [String: SchemaCatalog.View] = [:]

    /// Creates a connection over a reading.
    ///
    /// - Parameter timeZone: The time zone of dates and days.
    /// - Throws: ``SQLError`` if SQLite can't be opened, and errors of the reading.
    public convenience init(_ reading: StoreReader, timeZone: TimeZone) throws {
        try self.init(reading, timeZone: timeZone, nights: nil)
    }

    /// Creates a connection that also has the table `nights`, with these rows.
    package init(_ reading: StoreReader, timeZone: TimeZone, nights: [[SQLValue]]?) throws {
        connection = try Self.openInMemory()
        context = TableContext(reading, clock: LocalClock(timeZone: timeZone))
        sqlite3_extended_result_codes(connection, 0)
        // Sorting many rows takes a temporary file otherwise.
        if reading.isEncrypted { try execute("PRAGMA temp_store = MEMORY") }
        var tables = SchemaCatalog.tables(context)
        if let nights { tables.append(ListTable(.nights) { nights }) }
        try define(tables)
        try defineFunctions()
        views = try SchemaCatalog.views(context, beside: Set(registry.tables.keys))
        for view in views where !view.isOnlyInFiles {
            if view.isOfType { pendingViews[view.name] = view } else { try execute(view.sql) }
        }
        authorizer.install(on: connection)
    }

    deinit {
        sqlite3_close_v2(connection)
        bounds?.leave()
    }

    /// The tables in the order of the schema.
    private(set) var tables: [VirtualTable] = []

    private func define(_ tables: [VirtualTable]) throws {
        self.tables = tables
        for table in tables { registry.tables[table.name] = table }
        // The registry and the connection have the lifetime of this object.
        let code = sqlite3_create_module_v2(
            connection, "health", VirtualModule.module, Unmanaged.passUnretained(registry).toOpaque(), nil)
        guard code == SQLITE_OK else { throw SQLError(message) }
        // Listed as a view: in a plain file, it is one.
        let metadata = MetadataTable(context)
        registry.tables[metadata.name] = metadata
        for table in tables + [metadata] { try execute("CREATE VIRTUAL TABLE \(table.name) USING health") }
    }

    /// Opens a connection to an empty database, which the caller closes and uses on one thread at a time.
    static func openInMemory() throws -> OpaquePointer {
        var pointer: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(":memory:", &pointer, flags, sqlite_bounds_file_system()) == SQLITE_OK, let pointer else {
            sqlite3_close(pointer)
            throw SQLError("Can’t open SQLite")
        }
        return pointer
    }

    /// Runs a statement of this library.
    func execute(_ sql: String) throws {
        let code = sqlite3_exec(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw bounds?.error ?? SQLError(message) }
    }

    /// SQLite's message for the most recent error.
    var message: String { String(cString: sqlite3_errmsg(connection)) }

    /// The most bytes that limited statements held at a time, for tests.
    package var mostMemory: Int { bounds?.mostMemory ?? 0 }

    /// Prepares the first statement of a text.
    ///
    /// - Throws: ``SQLError`` for a text without a statement, an invalid statement, or one that writes.
    public func statement(_ sql: String) throws -> SQLStatement {
        guard let statement = try statements(sql).first else { throw SQLError("The text contains no SQL statement") }
        return statement
    }

    /// Prepares all statements of a text. A text with only whitespace and comments has none.
    ///
    /// - Throws: ``SQLError`` for the first statement that is invalid or writes.
    public func statements(_ sql: String) throws -> [SQLStatement] {
        // Such a statement may list the views, so that a missing one isn't an error.
        let lowercased = sql.lowercased()
        if lowercased.contains("pragma") || lowercased.contains("sqlite_") { try createViews(Array(pendingViews.keys)) }
        var statements: [SQLStatement] = []
        try sql.withCString { start in
            var rest: UnsafePointer<CChar>? = start
            while let text = rest, text.pointee != 0 {
                guard let handle = try prepare(text, of: sql, &rest) else { continue }
                statements.append(SQLStatement(handle, in: self))
                guard bounds == nil || sqlite3_stmt_isexplain(handle) != 1 else {
                    throw SQLError("EXPLAIN is not allowed. Use EXPLAIN QUERY PLAN")
                }
            }
        }
        return statements
    }

    /// Prepares a statement, and creates the views that it names.
    ///
    /// - Returns: `nil` if there is no statement.
    private func prepare(
        _ text: UnsafePointer<CChar>, of sql: String, _ rest: inout UnsafePointer<CChar>?
    ) throws -> OpaquePointer? {
        while true {
            var handle: OpaquePointer?
            authorizer.reset()
            let code = sqlite3_prepare_v2(connection, text, -1, &handle, &rest)
            if code == SQLITE_OK { return handle }
            if let error = bounds?.error { throw error }
            // SQLite has no other word for too many instructions.
            if code == SQLITE_NOMEM, bounds != nil {
                throw SQLError("The statement is too long. Select fewer columns, or compare with fewer values")
            }
            let error = authorizer.refusal ?? message
            guard try createViews(missingBy: error, in: sql) else { throw SQLError(error) }
        }
    }

    /// Creates the view whose absence an error states, and others whose names occur in the text.
    ///
    /// - Returns: Whether there is such a view and it wasn't created before.
    private func createViews(missingBy error: String, in sql: String) throws -> Bool {
        guard let prefix = ["no such table: ", "no such view: "].first(where: { error.hasPrefix($0) }) else {
            return false
        }
        var name = error.dropFirst(prefix.count).lowercased()
        if pendingViews[name] == nil, name.hasPrefix("main.") { name.removeFirst("main.".count) }
        guard pendingViews[name] != nil else { return false }
        // All at once, because each error costs another attempt.
        let words = Set(sql.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { String($0) })
        try createViews(pendingViews.keys.filter { $0 == name || words.contains($0) })
        return true
    }

    private func createViews(_ names: [String]) throws {
        guard !names.isEmpty else { return }
        let new = names.compactMap { pendingViews[$0] }.sorted { $0.name < $1.name }
        try authorizer.allowingWrites {
            guard new.count > 16 else { return try new.forEach { try execute($0.sql) } }
            // CREATE VIEW searches the whole schema each time. Rows of the schema take a time that is linear in their
            // number.
            do {
                try execute("PRAGMA writable_schema = ON; BEGIN")
                for view in new {
                    let name = SchemaCatalog.literal(view.name)
                    try execute(
                        "INSERT INTO sqlite_master(type, name, tbl_name, rootpage, sql) "
                            + "VALUES ('view', \(name), \(name), 0, \(SchemaCatalog.literal(view.sql)))")
                }
                // SQLite reads the schema again for the next statement.
                try execute("COMMIT; PRAGMA writable_schema = RESET")
            } catch {
                sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
                sqlite3_exec(connection, "PRAGMA writable_schema = RESET", nil, nil, nil)
                throw error
            }
        }
        for view in new { pendingViews[view.name] = nil }
    }

    /// The number of pages decoded so far, for tests of constraint pushdown.
    package var pagesRead: Int { context.pagesRead }
    /// The number of rows passed to SQLite so far, for tests.
    package var rowsVisited: Int { context.rowsVisited }
    /// The number of days computed so far, for tests.
    package var daysComputed: Int { context.daysComputed }
}

extension HealthDatabase {
    /// Limits the size of a single text or of bytes, which is a gigabyte otherwise. A statement that makes a larger one
    /// fails; SQLite may have a few of them in memory at a time.
    public func limitValues(bytes: Int = 64 << 20) {
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes))
    }

    /// Limits the resources of untrusted statements: time, memory, temporary files, and the size of a text or of bytes. A
    /// statement that exceeds a limit fails.
    ///
    /// The functions of SQLite that can run for very long within one call, such as `trim(text, characters)`, then accept
    /// only short patterns, and `EXPLAIN` is refused, which prints addresses. Until the end of this instance, what its
    /// thread takes from SQLite counts.
    ///
    /// - Parameters:
    ///   - seconds: The time from now on, for all statements together.
    ///   - pause: Called often while a statement runs, with the uptime in nanoseconds. It can wait, so that others run,
    ///     and returns for how many nanoseconds it did. At most `seconds` of them in total don't count.
    /// - Throws: ``SQLError`` if a statement of this connection runs already, or SQLite can't be opened.
    public func limitStatements(seconds: Double, pause: @escaping (UInt64) -> UInt64 = { _ in 0 }) throws {
        guard sqlite_bounds_are_installed() != 0 else {
            throw SQLError(
                "The memory of a statement can’t be limited: this program used SQLite before it loaded this library")
        }
        let new = StatementBounds(seconds: seconds, pause: pause)
        try defineBoundedFunctions(within: new)
        bounds = new
        limitValues(bytes: Self.maximumValueBytes)
        // Without a loop, SQLite doesn't look at the time, and a number of a long text takes milliseconds.
        sqlite3_limit(connection, SQLITE_LIMIT_VDBE_OP, 6_000)
        sqlite3_progress_handler(
            connection, StatementBounds.interval,
            { data in
                guard let data else { return 0 }
                return Unmanaged<StatementBounds>.fromOpaque(data).takeUnretainedValue().isOver() ? 1 : 0
            }, Unmanaged.passUnretained(new).toOpaque())
        new.enter()
    }

    /// The size of a text or of bytes in a limited statement.
    static let maximumValueBytes = 256 << 10
}

/// The SQLite authorizer that restricts statements to reading.
final class StatementAuthorizer {
    /// Why the most recent statement was refused.
    private(set) var refusal: String?
    private var isOpen = false

    func reset() { refusal = nil }

    /// Installs the authorizer. The guard must live as long as the connection.
    func install(on connection: OpaquePointer) {
        sqlite3_set_authorizer(
            connection,
            { data, action, first, second, _, _ in
                guard let data else { return SQLITE_DENY }
                return Unmanaged<StatementAuthorizer>.fromOpaque(data).takeUnretainedValue()
                    .authorize(action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Runs work of this library, which may write to another file.
    func allowingWrites<Value>(_ work: () throws -> Value) rethrows -> Value {
        isOpen = true
        defer { isOpen = false }
        return try work()
    }

    /// Pragmas that describe the schema and change nothing.
    private static let harmlessPragmas: Set<String> = [
        "table_info", "table_xinfo", "table_list", "function_list", "collation_list", "compile_options",
        "pragma_list", "module_list", "database_list", "data_version",
    ]

    private func authorize(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
        if isOpen { return SQLITE_OK }
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE:
            return SQLITE_OK
        case SQLITE_FUNCTION:
            return authorize(function: second?.lowercased() ?? "")
        case SQLITE_PRAGMA:
            return Self.harmlessPragmas.contains(first?.lowercased() ?? "")
                ? SQLITE_OK : refuse("PRAGMA \(first ?? "")")
        case SQLITE_ATTACH: return refuse("ATTACH")
        case SQLITE_DETACH: return refuse("DETACH")
        case SQLITE_INSERT: return refuse(isSchema(first) ? "CREATE" : "INSERT")
        // SQLite reports this for table-valued pragmas. Statements can't write schema tables.
        case SQLITE_UPDATE: return isSchema(first) ? SQLITE_OK : refuse("UPDATE")
        case SQLITE_DELETE: return refuse(isSchema(first) ? "DROP" : "DELETE")
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return refuse("a transaction")
        case SQLITE_ANALYZE: return refuse("ANALYZE")
        case SQLITE_REINDEX: return refuse("REINDEX")
        case SQLITE_ALTER_TABLE: return refuse("ALTER TABLE")
        default: return refuse("CREATE or DROP")
        }
    }

    /// The functions that statements may call.
    private static let functions = builtInFunctions.union(
        HealthDatabase.functions.map(\.name) + HealthDatabase.aggregates.map(\.name))

    private func authorize(function name: String) -> Int32 {
        Self.functions.contains(name) ? SQLITE_OK : refuse("\(name)()")
    }

    private func isSchema(_ table: String?) -> Bool {
        table?.hasPrefix("sqlite_") ?? false
    }

    private func refuse(_ what: String) -> Int32 {
        if refusal == nil { refusal = "SQL statements can only read: \(what) is not allowed" }
        return SQLITE_DENY
    }
}

extension HealthDatabase {
    /// The tables, views and functions.
    public var schema: SchemaListing {
        SchemaListing(
            tables: tables.map { table in
                SchemaListing.Table(
                    name: table.name, about: table.about, rows: Self.rows(of: table),
                    columns: table.columns.map { column in
                        let kind = column.kind.rawValue.hasPrefix("TEXT") ? "TEXT" : column.kind.rawValue
                        return SchemaListing.Column(name: column.name, kind: kind, about: column.about)
                    })
            }, views: views.map { SchemaListing.Table(name: $0.name, about: $0.about, rows: .view, columns: []) },
            functions: Self.functions.map { SchemaListing.Function(signature: $0.signature, about: $0.about) }
                + Self.aggregates.map { SchemaListing.Function(signature: $0.signature, about: $0.about) })
    }

    private static func rows(of table: VirtualTable) -> SchemaListing.Rows {
        switch table {
        case is SampleTable: .samples
        case is ObjectTable: .objects
        case is PartTable: .parts
        default: .list
        }
    }
}
