import GRDBSQLite

/// What SQLite calls for every table: C functions that hand on to ``VirtualTable`` and ``VirtualCursor``.
///
/// SQLite wants its own structs in front of ours; ours hold references that live as long as they do.
enum VirtualModule {
    /// The table behind SQLite's.
    private struct TableHandle {
        var base: sqlite3_vtab
        var table: Unmanaged<VirtualTable>
    }

    /// The cursor behind SQLite's.
    private struct CursorHandle {
        var base: sqlite3_vtab_cursor
        var cursor: Unmanaged<VirtualCursor>
    }

    /// Tables by name, kept by the connection they belong to.
    final class Registry {
        var tables: [String: VirtualTable] = [:]
    }

    /// The table of functions. SQLite keeps pointing to it; it is never written again and never let go.
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
        // The words are the module's, the database's and the table's name.
        guard count >= 3, let name = words?[2], let registry,
            let table = Unmanaged<Registry>.fromOpaque(registry).takeUnretainedValue().tables[String(cString: name)]
        else {
            message?.pointee = copied("there is no such table of health data")
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
        let handle = UnsafeMutablePointer<CursorHandle>.allocate(capacity: 1)
        handle.initialize(
            to: CursorHandle(
                base: sqlite3_vtab_cursor(), cursor: Unmanaged.passRetained(self.table(table).open())))
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

    // MARK: From SQLite's structs to ours

    private static func table(_ pointer: UnsafeMutablePointer<sqlite3_vtab>) -> VirtualTable {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: TableHandle.self).pointee.table.takeUnretainedValue()
    }

    @inline(__always)
    private static func cursor(_ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> VirtualCursor {
        UnsafeMutableRawPointer(pointer!).assumingMemoryBound(to: CursorHandle.self).pointee.cursor
            .takeUnretainedValue()
    }

    /// Runs a step of a cursor; what it throws becomes the statement's error.
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

    /// A text in memory that SQLite lets go of.
    private static func copied(_ text: String) -> UnsafeMutablePointer<CChar>? {
        let bytes = text.utf8CString
        guard let memory = sqlite3_malloc64(UInt64(bytes.count)) else { return nil }
        let target = memory.assumingMemoryBound(to: CChar.self)
        for (index, byte) in bytes.enumerated() { target[index] = byte }
        return target
    }
}
