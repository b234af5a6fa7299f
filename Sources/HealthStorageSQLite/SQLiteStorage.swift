import Foundation
package import GRDB
import GRDBSQLite
package import HealthStorage
package import HealthStorageFiles
import Synchronization

/// A store in an SQLite file, the default backend.
///
/// Commits are durable when `write` returns. Readers never wait for the writer. Several processes may have the file
/// open at the same time.
package final class SQLiteStorage: HealthStorage {
    /// The version of SQLite.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// The file's path.
    package let path: String
    private let connections: StoreConnections
    package var writer: any DatabaseWriter { connections.opened.withLock { $0.writer } }
    /// The key of an encrypted store.
    let access: EncryptedAccess?
    /// The log that everything is written to.
    private let log: FilePlace?
    private let watch: SQLiteForeignCommits
    /// The time a write waits for another process, in milliseconds.
    private let busyTimeout: Int32
    private let memory = SQLiteMemory()
    private let statements = WriterStatements()
    private let isClosed = Mutex(false)

    /// Opens the store at `path`. Creates a store if there is no file or the file is empty, unless
    /// ``SQLiteOptions/creates`` is `false`. A store that can't be written, or whose directory can't, can be read.
    ///
    /// Throws `StorageError`: `.unreachable` if the file or its directory cannot be used, `.encrypted` if the store is
    /// encrypted and its key isn't given, `.notAStore` if the file is not a store or was written by a newer version, and
    /// `.damaged` if it is empty and has a log. In these cases the file remains unchanged.
    package convenience init(path: String, options: SQLiteOptions = SQLiteOptions()) throws {
        try self.init(SQLiteOpening(path: path, options: options))
    }

    init(_ opening: SQLiteOpening) throws {
        let (path, options) = (opening.path, opening.options)
        let opened = try StorageError.translating { try opening.open() }
        let connections = StoreConnections(opening, opened)
        self.path = path
        self.connections = connections
        access = opened.encryption
        log = opened.log
        busyTimeout = Int32(clamping: Int64(min(max(options.busyTimeout, 0) * 1_000, 1e9)))
        watch = SQLiteForeignCommits(interval: options.pollInterval) { [weak connections] look in
            guard let connections else { return }
            try? connections.reopenIfWritten()
            let (writer, opening) = connections.opened.withLock { ($0.writer, $0.number) }
            writer.writeWithoutTransaction { look($0, opening) }
        }
    }

    /// Calls `body` with a snapshot of the file on a reading connection, after waiting for a free one. Throws
    /// `StorageError` `.closed` after ``close()``, `.unreachable` if the file was moved or removed, `.notAStore` if a
    /// newer program has migrated it and `.busy` if a store that can't be written here was written elsewhere meanwhile,
    /// and rethrows the errors of `body`.
    package func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value {
        try checkOpen()
        return try StorageError.translating {
            try connections.reopenIfWritten()
            return try connections.unlessWritten { readers in
                try readers.unsafeRead { database in
                    try checkPlace(database)
                    return try database.inSnapshot {
                        try checkVersion(database)
                        return try body(SQLiteSnapshot(database))
                    }
                }
            }
        }
    }

    /// Calls `body` in the file's only write transaction, which is durable when this method returns and rolled back
    /// if `body` throws.
    ///
    /// Throws `StorageError` `.busy` if another process holds the file for longer than ``SQLiteOptions/busyTimeout``,
    /// `.unreachable` if the file was moved or removed, and `.inputOutput` if the disk is full; otherwise as
    /// ``read(_:)``. Threads of this process wait for each other.
    package func write<Value>(_ body: (any StorageTransaction) throws -> Value) throws -> Value {
        try checkOpen()
        guard !connections.opened.withLock({ $0.isFull }) else {
            throw StorageError(
                .inputOutput, "The store cannot be written to: the disk was full when the store was opened.")
        }
        return try StorageError.translating {
            try writer.writeWithoutTransaction { database in
                try checkPlace(database)
                let (value, transaction) = try database.transact(statements, waiting: busyTimeout) {
                    let transaction = try SQLiteTransaction(database, statements, memory: memory)
                    if !memory.isSchemaKnown(at: transaction.dataVersion) {
                        try checkVersion(database)
                        memory.setSchemaKnown(at: transaction.dataVersion)
                    }
                    watch.record(transaction.dataVersion)
                    let value = try body(transaction)
                    try transaction.finish()
                    return (value, transaction)
                }
                // What was committed takes its numbers, also if the log isn't at its place.
                memory.update(from: transaction)
                try checkLog()
                return value
            }
        }
    }

    /// Throws `StorageError` `.unreachable` if the log that was written to isn't beside the file any more: it is lost.
    private func checkLog() throws {
        guard log?.isCurrent ?? true else {
            throw StorageError(
                .unreachable,
                "The log of \(path), \(path)-wal, was moved or removed while it was open. What was written since is lost; start again."
            )
        }
    }

    /// Throws `StorageError` `.unreachable` if the file isn't at its path any more: what is written to it would be lost
    /// with it, and what is read isn't the store's.
    private func checkPlace(_ database: Database) throws {
        guard !database.isMoved else {
            throw SQLiteOpening.moved(path)
        }
    }

    /// Calls `handler` on a separate thread after another process has committed, which is checked every
    /// ``SQLiteOptions/pollInterval`` while there are observers.
    package func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        watch.observe(handler)
    }

    /// Locks a file beside the store, which exists while an import runs. Where files can't be locked, the store's own
    /// transactions still keep two imports apart.
    package func beginImport(onWaiting: () -> Void) throws -> StorageSubscription {
        let lock = Mutex(try? LockFile(Self.pathOfFile(at: path) + "-import", onBusy: onWaiting))
        return StorageSubscription { lock.withLock { $0 = nil } }
    }

    /// Moves the contents of the write-ahead log to the file and closes it. Waits for running reads and writes, so
    /// do not call this method from inside one.
    package func close() throws {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        guard !wasClosed else { return }
        watch.stop()
        try StorageError.translating {
            let (readers, writer) = connections.opened.withLock { ($0.readers, $0.writer) }
            // Readers first, so that the writer is the last connection and can move the log to the file.
            if readers !== writer { try readers.close() }
            _ = try? writer.writeWithoutTransaction { database in
                statements.removeAll()
                try database.checkpoint(.truncate)
            }
            try writer.close()
        }
    }

    /// Throws if a newer program has migrated the file, which this one must not access any longer.
    private func checkVersion(_ database: Database) throws {
        let found = try database.run("PRAGMA user_version") { try $0.step() ? $0.integer(0) : 0 }
        guard found == Int64(SQLiteSchema.version) else {
            throw StorageError(.notAStore, "Another program has migrated the store to version \(found).")
        }
    }

    func checkOpen() throws {
        guard !isClosed.withLock({ $0 }) else {
            throw StorageError(.closed, "The storage is closed.")
        }
    }
}

/// The connections to a store's file. One that can't be written here is read without locks as long as it isn't written.
private final class StoreConnections: Sendable {
    let opened: Mutex<SQLiteOpening.Opened>
    private let opening: SQLiteOpening
    private let file: SQLiteFile

    init(_ opening: SQLiteOpening, _ opened: SQLiteOpening.Opened) {
        self.opening = opening
        self.opened = Mutex(opened)
        file = SQLiteFile(path: (try? VFSFile.fullName(opening.path)) ?? opening.path)
    }

    deinit {
        // The writer must be the last connection, which moves the log to the file.
        opened.withLock { if $0.readers !== $0.writer { try? $0.readers.close() } }
    }

    /// Opens the file again if it was read as a file without writers and was written.
    func reopenIfWritten() throws {
        try opened.withLock { opened in
            guard let contents = opened.contents, contents != FileContents(of: file) else { return }
            var again = opening
            // A store that is gone isn't created.
            again.options.isReadOnly = true
            // Reads that are running have the previous connections.
            let number = opened.number
            opened = try again.open()
            opened.number = number + 1
        }
    }

    /// Calls `body`, and throws `StorageError` `.busy` if the file was written meanwhile, from which it can have read
    /// anything.
    func unlessWritten<Value>(_ body: (DatabasePool) throws -> Value) throws -> Value {
        let (contents, readers) = opened.withLock { ($0.contents, $0.readers) }
        let result = Result { try body(readers) }
        guard contents?.hasFile(of: FileContents(of: file)) ?? true else {
            throw StorageError(.busy, "Another program has written to \(opening.path) while it was read. Try again.")
        }
        return try result.get()
    }
}

extension SQLiteStorage {
    /// Writes a snapshot of the store to a new file, which becomes a store with the same identity, without blocking
    /// readers and writers. There must be no file at `path`. The copy of an encrypted store has the same key.
    package func copy(to path: String) throws {
        try checkOpen()
        guard access == nil else { return try writeSnapshot(to: path) }
        // SQLite would create it with the permissions that the process gives to new files.
        try SQLiteFile.create(path)
        try StorageError.translating {
            let copy = try ChecksummedFile.access()
            try writer.vacuum(into: copy.uri(of: path))
            withExtendedLifetime(copy) {}
        }
    }
}

/// Options for opening a store file. The defaults suit apps and command-line programs.
package struct SQLiteOptions: Sendable {
    /// The number of seconds to wait for another process to finish writing before throwing `StorageError` `.busy`.
    package var busyTimeout: Double = 10
    /// The maximum number of simultaneous readers; further readers wait. At least 1.
    package var maximumReaders = 8
    /// The interval in seconds between checks for commits by other processes while there are observers.
    package var pollInterval: Double = 0.2
    /// A Boolean value that indicates whether a store is created if there is no file, or in an empty one such as
    /// `mktemp` makes. An empty file beside which there is a log was a store, and is always an error.
    package var creates = true
    /// A Boolean value that indicates whether an empty file counts as none, which a program that runs for long must not do
    /// with a store that was truncated.
    package var createsInEmptyFile = true
    /// A Boolean value that indicates whether missing parent directories are created.
    package var createsDirectories = false

    /// A Boolean value that indicates whether the file is only read, as a file that can't be written always is. Nothing
    /// is created beside it, and writes throw `StorageError` `.unreachable`.
    package var isReadOnly = false

    /// Whether the store is encrypted, and with which key.
    package var encryption = StoreEncryption.automatic

    /// Creates the default options.
    package init() {}
}
