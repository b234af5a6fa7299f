import GRDBSQLite

/// Lets statements read and nothing else: asked by SQLite about everything a statement would do.
final class StatementGuard {
    /// Why the last statement was turned away.
    private(set) var refusal: String?
    private var isOpen = false

    func forget() { refusal = nil }

    /// Begins to be asked. The guard must live as long as the connection.
    func stand(before connection: OpaquePointer) {
        sqlite3_set_authorizer(
            connection,
            { data, action, first, second, _, _ in
                guard let data else { return SQLITE_DENY }
                return Unmanaged<StatementGuard>.fromOpaque(data).takeUnretainedValue()
                    .judge(action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Runs work of this library's own, which may write to another file.
    func open<Value>(_ work: () throws -> Value) rethrows -> Value {
        isOpen = true
        defer { isOpen = false }
        return try work()
    }

    /// What tells about the schema and changes nothing.
    private static let harmlessPragmas: Set<String> = [
        "table_info", "table_xinfo", "table_list", "function_list", "collation_list", "compile_options",
        "pragma_list", "module_list", "database_list", "data_version",
    ]

    private func judge(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
        if isOpen { return SQLITE_OK }
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE:
            return SQLITE_OK
        case SQLITE_FUNCTION:
            return second?.lowercased() == "load_extension" ? refuse("load_extension") : SQLITE_OK
        case SQLITE_PRAGMA:
            return Self.harmlessPragmas.contains(first?.lowercased() ?? "") ? SQLITE_OK : refuse("PRAGMA \(first ?? "")")
        case SQLITE_ATTACH: return refuse("ATTACH")
        case SQLITE_DETACH: return refuse("DETACH")
        case SQLITE_INSERT: return refuse(isSchema(first) ? "CREATE" : "INSERT")
        // SQLite notes so where a statement names a table-valued pragma; schema tables cannot be written by statements.
        case SQLITE_UPDATE: return isSchema(first) ? SQLITE_OK : refuse("UPDATE")
        case SQLITE_DELETE: return refuse(isSchema(first) ? "DROP" : "DELETE")
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return refuse("a transaction")
        case SQLITE_ANALYZE: return refuse("ANALYZE")
        case SQLITE_REINDEX: return refuse("REINDEX")
        case SQLITE_ALTER_TABLE: return refuse("ALTER TABLE")
        default: return refuse("CREATE or DROP")
        }
    }

    private func isSchema(_ table: String?) -> Bool {
        table?.hasPrefix("sqlite_") ?? false
    }

    private func refuse(_ what: String) -> Int32 {
        if refusal == nil { refusal = "SQL here only reads: \(what) is refused" }
        return SQLITE_DENY
    }
}
