import Foundation
import GRDBSQLite
import HealthFiles
import HealthSQL
import HealthStorageFiles

/// A SQLite database that a program unknown to us wrote, opened to read a few tables.
///
/// Only what is stored is read: no columns with an expression, no views, no virtual tables. The work is limited by the size of
/// the file, and the memory as that of a statement of a token.
final class UntrustedDatabase {
    private var handle: OpaquePointer?
    /// The damage of tables of which only some rows, or none, could be read.
    private(set) var damages: [FileReadingError] = []
    /// The columns that are stored, by table.
    private(set) var tables: [String: Set<String>] = [:]
    private let bounds = StatementBounds(seconds: .infinity)
    /// The instructions of SQLite's virtual machine that are left, in steps.
    private var stepsLeft: Int
    private let isInterrupted: () -> Bool

    /// The instructions of a step, and those for a byte of the file: a row of a few bytes is read twice, with its parent.
    private static let (stepLength, workPerByte) = (10_000, 400)
    private static let functions: Set<String> = ["avg", "count"]

    /// - Parameters:
    ///   - path: The file must not change while it is open.
    ///   - isInterrupted: Whether to stop; asked while SQLite works.
    /// - Throws: `FileReadingError` if it isn't a database.
    init(path: String, isInterrupted: @escaping () -> Bool = { false }) throws {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        stepsLeft = 1_000 + size / Self.stepLength * Self.workPerByte
        self.isInterrupted = isInterrupted
        let name =
            "file:" + (path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path) + "?immutable=1"
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(name, &handle, flags, nil) == SQLITE_OK else { throw error }
        // Nothing that the file defines, such as an expression of a column, may call functions with effects. SQLite reads
        // a file that was cut off only if its schema may be repaired.
        for setting in ["trusted_schema = 0", "cell_size_check = 1", "writable_schema = 1"] {
            guard sqlite3_exec(handle, "PRAGMA \(setting)", nil, nil, nil) == SQLITE_OK else { throw error }
        }
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1 << 24)
        let own = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            handle, Int32(Self.stepLength),
            { data in
                guard let data else { return 1 }
                return Unmanaged<UntrustedDatabase>.fromOpaque(data).takeUnretainedValue().mayContinue() ? 0 : 1
            }, own)
        tables = try storedTables()
        sqlite3_set_authorizer(
            handle,
            { data, action, first, second, _, source in
                guard let data, source == nil else { return SQLITE_DENY }
                let database = Unmanaged<UntrustedDatabase>.fromOpaque(data).takeUnretainedValue()
                return database.allows(action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
                    ? SQLITE_OK : SQLITE_DENY
            }, own)
    }

    /// Opens a database, of which one in a zip file is copied to a file that has no name while it is open.
    ///
    /// - Parameters:
    ///   - path: Where it is; `nil` for one in a zip file.
    ///   - recovers: Whether to read what is before a place where the zip file is damaged.
    /// - Returns: The database, and the damage.
    static func open(
        path: String?, _ bytes: FileBytes, recovers: Bool, isInterrupted: @escaping () -> Bool
    ) throws -> (database: UntrustedDatabase, damage: ZipError?) {
        let copy = try path == nil ? TemporaryCopy(of: bytes, recovers: recovers) : nil
        defer { copy?.remove() }
        return (try UntrustedDatabase(path: path ?? copy?.path ?? "", isInterrupted: isInterrupted), copy?.damage)
    }

    private func mayContinue() -> Bool {
        stepsLeft -= 1
        return stepsLeft > 0 && !isInterrupted()
    }

    /// Whether a statement may do something: read what is stored, and compute with few functions.
    private func allows(_ action: Int32, _ first: String?, _ second: String?) -> Bool {
        switch action {
        case SQLITE_SELECT: true
        case SQLITE_READ:
            tables[first ?? ""].map { second == "" || second == "ROWID" || $0.contains(second ?? "") } ?? false
        case SQLITE_FUNCTION: Self.functions.contains(second?.lowercased() ?? "")
        default: false
        }
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    private var error: FileReadingError {
        let text = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "out of memory"
        return FileReadingError("its database is damaged (\(text))")
    }

    /// A row of a result, valid during a call.
    struct Row {
        fileprivate let statement: OpaquePointer?

        /// A finite number; `nil` for anything else, and for the smallest one, Java's `Double.MIN_VALUE`, which Android
        /// writes for what a record lacks.
        func number(_ column: Int) -> Double? {
            switch sqlite3_column_type(statement, Int32(column)) {
            case SQLITE_INTEGER, SQLITE_FLOAT:
                let value = sqlite3_column_double(statement, Int32(column))
                return value.isFinite && value != .leastNonzeroMagnitude ? value : nil
            default: return nil
            }
        }

        func integer(_ column: Int) -> Int64? {
            sqlite3_column_type(statement, Int32(column)) == SQLITE_INTEGER
                ? sqlite3_column_int64(statement, Int32(column)) : nil
        }

        /// The UUID of 16 bytes.
        func uuid(_ column: Int) -> UUID? {
            guard sqlite3_column_type(statement, Int32(column)) == SQLITE_BLOB,
                sqlite3_column_bytes(statement, Int32(column)) == 16,
                let bytes = sqlite3_column_blob(statement, Int32(column))
            else { return nil }
            return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }

        /// A text that isn't empty.
        func text(_ column: Int) -> String? {
            guard sqlite3_column_type(statement, Int32(column)) == SQLITE_TEXT,
                let bytes = sqlite3_column_text(statement, Int32(column))
            else { return nil }
            let text = String(cString: bytes)
            return text.isEmpty ? nil : text
        }
    }

    /// Calls `body` with each row of a query. If the database is damaged after some rows, that is one of ``damages``.
    ///
    /// - Parameter table: The table that is read.
    /// - Returns: Whether there were all rows.
    @discardableResult
    func rows(of table: String, _ query: String, _ body: (Row) throws -> Void) throws -> Bool {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        // The rows' receiver, which writes to a store, isn't limited.
        func bounded(_ work: () -> Int32) -> Int32 {
            bounds.enter()
            defer { bounds.leave() }
            return work()
        }
        guard bounded({ sqlite3_prepare_v2(handle, query, -1, &statement, nil) }) == SQLITE_OK else { throw error }
        while true {
            switch bounded({ sqlite3_step(statement) }) {
            case SQLITE_ROW: try body(Row(statement: statement))
            case SQLITE_DONE: return true
            default:
                if isInterrupted() { throw CancellationError() }
                guard stepsLeft > 0 else { throw FileReadingError("its database takes too long to read") }
                damages.append(FileReadingError("\(error.reason) in \(table)"))
                return false
            }
        }
    }

    /// The names of the tables with those of their columns.
    private func storedTables() throws -> [String: Set<String>] {
        var names: [String] = []
        try rows(of: "sqlite_schema", "SELECT name, sql FROM sqlite_schema WHERE type = 'table'") { row in
            // Other names aren't those of the system.
            if let name = row.text(0), name.utf8.allSatisfy({ Self.isLetter($0) }),
                row.text(1)?.uppercased().hasPrefix("CREATE TABLE ") ?? false
            {
                names.append(name)
            }
        }
        var tables: [String: Set<String>] = [:]
        for name in names {
            try rows(of: name, "PRAGMA table_info(\(name))") { row in
                if let column = row.text(1) { tables[name, default: []].insert(column) }
            }
        }
        return tables
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (97...122).contains(byte | 0x20) || byte == UInt8(ascii: "_") || (48...57).contains(byte)
    }
}

/// A copy of a database in the folder for temporary files, which no other user can read and which has no name once it is open.
private final class TemporaryCopy {
    let path: String
    /// Why only the beginning is there.
    private(set) var damage: ZipError?
    private var isRemoved = false

    private static var copyFailure: String {
        "its database can’t be copied to \(NSTemporaryDirectory()): \(String(cString: strerror(errno)))"
    }

    init(of bytes: FileBytes, recovers: Bool) throws {
        var template = Array((NSTemporaryDirectory() + "/database-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else { throw FileReadingError(Self.copyFailure) }
        defer { close(descriptor) }
        // The piece with a damage is lost.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 12, alignment: 16)
        defer { buffer.deallocate() }
        do {
            while case let count = try bytes.read(into: buffer), count > 0 {
                let part = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                guard part.write(to: descriptor) == nil else { throw FileReadingError(Self.copyFailure) }
            }
        } catch let error as ZipError where recovers {
            damage = error
        }
    }

    deinit { remove() }

    func remove() {
        if !isRemoved { unlink(path) }
        isRemoved = true
    }
}
