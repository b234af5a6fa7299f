import GRDBSQLite

/// A virtual table: its columns, the constraints it can apply, and its cursors.
///
/// Tables and cursors are used only on the thread of their connection.
class VirtualTable {
    final let name: String
    final let columns: [SQLColumn]
    /// Its description in `hk sql --schema`.
    final let about: String
    /// The plans passed to SQLite, by index number.
    final var plans: [IndexPlan] = []

    init(_ declaration: TableDeclaration) {
        name = declaration.name
        columns = declaration.columns
        about = declaration.about
    }

    /// Selects the constraints that the table applies itself, and estimates their cost.
    func plan(_ request: inout IndexRequest) {}

    /// Returns a new cursor, which is positioned by a plan.
    func open() -> VirtualCursor {
        preconditionFailure("a table makes cursors of its own kind")
    }

    /// The SQL declaration of the table.
    final var declaration: String {
        "CREATE TABLE x(" + columns.map { "\"\($0.name)\" \($0.kind.rawValue)" }.joined(separator: ", ") + ")"
    }
}

/// The name, description and columns of a table.
struct TableDeclaration: Sendable {
    let name: String
    let about: String
    let columns: [SQLColumn]
}

/// A column of a table: its name and declared type.
struct SQLColumn: Sendable {
    /// The declared type, with the collation.
    enum Kind: String, Sendable {
        case text = "TEXT"
        /// Text that is compared without case, for names that people type.
        case name = "TEXT COLLATE NOCASE"
        /// An instant as text in ISO 8601.
        case instant = "TEXT TIMESTAMP"
        /// A day as text, such as `2024-01-31`.
        case day = "TEXT DATE"
        case integer = "INTEGER"
        case real = "REAL"
        /// A JSON value as text.
        case json = "JSON"
        /// A value of any kind, which comparisons don't convert.
        case any = "BLOB"
    }

    let name: String
    let kind: Kind
    /// Its description in `hk sql --schema`.
    let about: String
}

/// A position in the rows of a table.
class VirtualCursor {
    /// The memory that every cursor takes.
    static let memory = 64 << 10
    /// The memory of the rows that the cursor holds.
    final var memory = BoundedMemory()

    /// Starts a plan and moves to its first row.
    func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {}

    /// Whether the cursor is past the last row.
    var isAtEnd: Bool { true }

    /// Moves to the next row.
    func next() throws {}

    /// Returns the value of a column in the current row.
    func column(_ index: Int, to result: SQLResult) throws {}

    /// A number that identifies the row.
    var rowNumber: Int64 { get throws { 0 } }
}

/// The SQLite module of all tables: C functions that forward to ``VirtualTable`` and ``VirtualCursor``.
///
/// SQLite requires its own structs as a prefix of this module's, which retain the Swift objects.
enum VirtualModule {
    /// The struct of a table.
    private struct TableHandle {
        var base: sqlite3_vtab
        var table: Unmanaged<VirtualTable>
    }

    /// The struct of a cursor.
    private struct CursorHandle {
        var base: sqlite3_vtab_cursor
        var cursor: Unmanaged<VirtualCursor>
    }

    /// The tables of a connection by name.
    final class Registry {
        var tables: [String: VirtualTable] = [:]
    }

    /// The function table. SQLite references it for the lifetime of the process, so it is never changed or freed.
    nonisolated(unsafe) static let module: UnsafeMutablePointer<sqlite3_module> = {
        let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        var module = sqlite3_module()
        module.iVersion = 1
        module.xCreate = { connect($0, $1, $2, $3, $4, $5) }
        module.xConnect = { connect($0, $1, $2, $3, $4, $5) }
        module.xDisconnect = { disconnect($0) }
        module.xDestroy = { disconnect($0) }
        module.xBestIndex = { bestIndex($0, $1) }
        module.xOpen = { open($0, $1) }
        module.xClose = { close($0) }
        module.xFilter = { filter($0, $1, $3, $4) }
        module.xNext = { handle in guarded(handle) { try $0.next() } }
        module.xEof = { cursor($0).isAtEnd ? 1 : 0 }
        module.xColumn = { handle, context, index in
            guarded(handle) { try $0.column(Int(index), to: SQLResult(context: context)) }
        }
        module.xRowid = { handle, target in guarded(handle) { target?.pointee = try $0.rowNumber } }
        pointer.initialize(to: module)
        return pointer
    }()

    private static func connect(
        _ connection: OpaquePointer?, _ registry: UnsafeMutableRawPointer?, _ count: Int32,
        _ words: UnsafePointer<UnsafePointer<CChar>?>?,
        _ target: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
        _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32 {
        // The arguments are the names of the module, the database and the table.
        guard count >= 3, let name = words?[2], let registry,
            let table = Unmanaged<Registry>.fromOpaque(registry).takeUnretainedValue().tables[String(cString: name)]
        else {
            message?.pointee = copied("the health module has no table with this name")
            return SQLITE_ERROR
        }
        let code = sqlite3_declare_vtab(connection, table.declaration)
        guard code == SQLITE_OK else { return code }
        let handle = UnsafeMutablePointer<TableHandle>.allocate(capacity: 1)
        handle.initialize(to: TableHandle(base: sqlite3_vtab(), table: Unmanaged.passRetained(table)))
        target?.pointee = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    }

    private static func disconnect(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
        guard let table else { return SQLITE_OK }
        let handle = UnsafeMutableRawPointer(table).assumingMemoryBound(to: TableHandle.self)
        handle.pointee.table.release()
        handle.deinitialize(count: 1)
        handle.deallocate()
        return SQLITE_OK
    }

    private static func bestIndex(
        _ table: UnsafeMutablePointer<sqlite3_vtab>?, _ info: UnsafeMutablePointer<sqlite3_index_info>?
    ) -> Int32 {
        guard let table, let info else { return SQLITE_ERROR }
        let own = self.table(table)
        var request = IndexRequest(info)
        own.plan(&request)
        info.pointee.idxNum = Int32(own.plans.count)
        own.plans.append(request.plan)
        return SQLITE_OK
    }

    private static func open(
        _ table: UnsafeMutablePointer<sqlite3_vtab>?,
        _ target: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
    ) -> Int32 {
        guard let table else { return SQLITE_ERROR }
        let cursor = self.table(table).open()
        guard (try? cursor.memory.take(VirtualCursor.memory)) != nil else { return SQLITE_NOMEM }
        let handle = UnsafeMutablePointer<CursorHandle>.allocate(capacity: 1)
        handle.initialize(to: CursorHandle(base: sqlite3_vtab_cursor(), cursor: Unmanaged.passRetained(cursor)))
        target?.pointee = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }

    private static func close(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
        guard let cursor else { return SQLITE_OK }
        let handle = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: CursorHandle.self)
        handle.pointee.cursor.release()
        handle.deinitialize(count: 1)
        handle.deallocate()
        return SQLITE_OK
    }

    private static func filter(
        _ handle: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ number: Int32, _ count: Int32,
        _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 {
        guard let handle, let base = handle.pointee.pVtab else { return SQLITE_ERROR }
        let plan = table(base).plans[Int(number)]
        let arguments = (0..<Int(count)).map { SQLArgument(value: values?[$0]) }
        return guarded(handle) { try $0.filter(plan, arguments) }
    }

    // MARK: Swift objects of SQLite's structs

    private static func table(_ pointer: UnsafeMutablePointer<sqlite3_vtab>) -> VirtualTable {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: TableHandle.self).pointee.table.takeUnretainedValue()
    }

    @inline(__always)
    private static func cursor(_ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> VirtualCursor {
        UnsafeMutableRawPointer(pointer!).assumingMemoryBound(to: CursorHandle.self).pointee.cursor
            .takeUnretainedValue()
    }

    /// Runs a cursor operation and reports an error as the statement's error.
    @inline(__always)
    private static func guarded(
        _ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ step: (VirtualCursor) throws -> Void
    ) -> Int32 {
        do {
            try step(cursor(pointer))
            return SQLITE_OK
        } catch {
            guard let base = pointer?.pointee.pVtab else { return SQLITE_ERROR }
            sqlite3_free(base.pointee.zErrMsg)
            base.pointee.zErrMsg = copied("\(error)")
            return SQLITE_ERROR
        }
    }

    /// A copy of a text that SQLite frees.
    private static func copied(_ text: String) -> UnsafeMutablePointer<CChar>? {
        let bytes = text.utf8CString
        guard let memory = sqlite3_malloc64(UInt64(bytes.count)) else { return nil }
        let target = memory.assumingMemoryBound(to: CChar.self)
        for (index, byte) in bytes.enumerated() { target[index] = byte }
        return target
    }
}
