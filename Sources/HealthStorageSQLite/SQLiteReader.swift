import Foundation
import GRDBSQLite
public import HealthStorage

/// A store in an SQLite file that nobody has open, read through a single connection: for a program that answers one
/// question.
///
/// ``SQLiteStorage`` opens a store for everything that can be done with it. That takes longer than reading a week of
/// it.
public final class SQLiteReader: HealthStorage {
    /// The file's path.
    public let path: String
    /// The file's path, too.
    public var filePath: String? { path }
    private let file: SQLiteFile
    private let contents: FileContents
    private let connection: Connection
    /// Held by the thread that reads.
    private let reading = NSLock()

    /// Opens the store at `path`, if it can be read without locks: it is in the newest version and not encrypted,
    /// nobody has it open, and everything is in its file. Returns `nil` for any other file, of which ``SQLiteStorage``
    /// says what it is.
    ///
    /// Changes nothing on the disk. As long as the reader exists, nobody can replace the store, and a program that
    /// writes it meanwhile leaves its log behind, by which ``read(_:)`` notices.
    public init?(path: String) {
        // A key that can't be read is an error, too.
        guard let name = try? SystemFile.fullName(path),
            case .success(nil) = Result(catching: { try StoreKeyring.shared.key() })
        else { return nil }
        var status = stat()
        // Opening a pipe would wait for ever.
        guard stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let place = try? SystemFile(name),
            (try? place.lockPlace()) != nil
        else { return nil }
        let file = SQLiteFile(path: name)
        let contents = FileContents(of: file)
        guard !contents.isOpen, access(name + "-journal", F_OK) != 0,
            place.isWhole(version: SQLiteMigrator().migrations.count),
            (try? StoreFileSystem.install()) != nil, let connection = try? Connection(name, place)
        else { return nil }
        (self.path, self.file, self.contents, self.connection) = (path, file, contents, connection)
    }

    /// Calls `body` with a snapshot of the file. One thread reads at a time.
    ///
    /// Throws `StorageError` `.busy` if another program has written to the store meanwhile, and rethrows the errors of
    /// `body`.
    public func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value {
        reading.lock()
        defer { reading.unlock() }
        do {
            let value = try body(SQLiteSnapshot(connection))
            try checkContents()
            return value
        } catch {
            try checkContents()
            throw error
        }
    }

    /// What was read while another program wrote can be anything, as can the error of reading it.
    private func checkContents() throws {
        guard contents == FileContents(of: file) else {
            throw StorageError(.busy, "Another program has written to \(path) while it was read. Try again.")
        }
    }

    /// Throws `StorageError` `.unreachable`: the store is only read.
    public func write<Value>(waiting: Bool, _ body: (any StorageTransaction) throws -> Value) throws -> Value {
        throw StorageError(.unreachable, "The store is open for reading only.")
    }

    /// Does nothing: a reader doesn't follow a store.
    public func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        StorageSubscription {}
    }

    /// Does nothing: the connection is closed when the last reference to the reader is released.
    public func close() throws {}

    /// The connection, and the statements that it has prepared.
    // Unchecked: it is used by the thread that holds `reading`.
    private final class Connection: StatementRunner, @unchecked Sendable {
        private var handle: OpaquePointer?
        private var prepared: [(sql: String, statement: OpaquePointer)] = []
        /// The file, which is locked at its place.
        private let place: SystemFile

        init(_ path: String, _ place: SystemFile) throws {
            self.place = place
            let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
            let place = URL(fileURLWithPath: path, isDirectory: false).absoluteString + "?immutable=1"
            guard sqlite3_open_v2(place, &handle, flags, nil) == SQLITE_OK,
                sqlite3_extended_result_codes(handle, 1) == SQLITE_OK,
                sqlite3_exec(handle, "PRAGMA cell_size_check = ON", nil, nil, nil) == SQLITE_OK
            else {
                // The deinitializer closes it.
                throw StorageError(ofConnection: handle)
            }
        }

        deinit {
            for (_, statement) in prepared { sqlite3_finalize(statement) }
            sqlite3_close_v2(handle)
        }

        func run<Value>(_ sql: String, _ body: (PreparedStatement) throws -> Value) throws -> Value {
            let statement = try statement(sql)
            defer {
                sqlite3_reset(statement)
                sqlite3_clear_bindings(statement)
            }
            return try body(PreparedStatement(handle: statement))
        }

        /// A prepared statement that isn't in use by an outer visit.
        private func statement(_ sql: String) throws -> OpaquePointer {
            for known in prepared where known.sql == sql && sqlite3_stmt_busy(known.statement) == 0 {
                return known.statement
            }
            var statement: OpaquePointer?
            guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
                throw StorageError(ofConnection: handle)
            }
            prepared.append((sql, statement))
            return statement
        }
    }
}

extension SystemFile {
    /// Whether the file is a store with checksums, in a version and not encrypted.
    fileprivate func isWhole(version: Int) -> Bool {
        guard let head = try? read(count: 100), head.count == 100, head.starts(with: "SQLite format 3\0".utf8) else {
            return false
        }
        func number(at offset: Int) -> Int { head[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        return head[18] == 2 && head[19] == 2 && number(at: 68) == Int(CheckedFile.applicationID)
            && number(at: 60) == version
    }
}
