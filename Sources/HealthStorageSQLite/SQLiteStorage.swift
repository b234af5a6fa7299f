import Foundation
import GRDB
public import HealthStorage
import Synchronization

/// A store in one SQLite file: the default backend.
///
/// Commits are durable when `write` returns. Readers never wait for the writer. Several processes
/// may have the file open at the same time.
public final class SQLiteStorage: HealthStorage {
    /// The file's path.
    public let path: String
    let pool: DatabasePool
    private let version: Int64
    private let watch: SQLiteForeignCommits
    /// How long a write waits for another process, in milliseconds.
    private let busyTimeout: Int32
    private let memory = SQLiteMemory()
    private let isClosed = Mutex(false)

    /// Opens the store at `path`, or makes one where nothing or an empty file is.
    ///
    /// Throws `StorageError`: `.unreachable` when the file or its directory cannot be used,
    /// `.notAStore` when the file is something else or was written by a newer version. Then the file
    /// is left as it was.
    public convenience init(path: String, options: SQLiteOptions = SQLiteOptions()) throws {
        try self.init(path: path, options: options, migrator: SQLiteMigrator())
    }

    /// Also lets a test bring its own schema versions.
    init(path: String, options: SQLiteOptions, migrator: SQLiteMigrator) throws {
        let opening = SQLiteOpening(path: path, options: options, migrator: migrator)
        let pool = try StorageError.translating { try opening.open() }
        self.path = path
        self.pool = pool
        version = Int64(migrator.migrations.count)
        busyTimeout = Int32(clamping: Int64(min(max(options.busyTimeout, 0) * 1_000, 1e9)))
        watch = SQLiteForeignCommits(interval: options.pollInterval) { [weak pool] look in
            pool?.writeWithoutTransaction { look($0) }
        }
    }

    /// Runs `body` over one state of the file, on one of the reading connections; waits while all are taken.
    /// Throws `StorageError` `.closed` after ``close()``, `.notAStore` once a newer program has migrated
    /// the file, and what `body` throws.
    public func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value {
        try checkOpen()
        return try StorageError.translating {
            try pool.read { database in
                try checkVersion(database)
                return try body(SQLiteSnapshot(database))
            }
        }
    }

    /// Runs `body` in the file's one write transaction, which is durable when this returns and undone when it
    /// throws.
    /// Throws `StorageError` `.busy` when another process holds the file longer than
    /// ``SQLiteOptions/busyTimeout``, or at all where it is not to be waited for, and as ``read(_:)`` does.
    /// Threads of this process wait for each other in any case.
    public func write<Value>(
        waiting: Bool, _ body: (any StorageTransaction) throws -> Value
    ) throws -> Value {
        try checkOpen()
        return try StorageError.translating {
            try pool.writeWithoutTransaction { database in
                let (value, transaction) = try database.transact(waiting: waiting ? busyTimeout : 0) {
                    let transaction = try SQLiteTransaction(database, memory: memory)
                    if !memory.isSchemaKnown(at: transaction.dataVersion) {
                        try checkVersion(database)
                        memory.noteSchema(at: transaction.dataVersion)
                    }
                    watch.note(transaction.dataVersion)
                    let value = try body(transaction)
                    try transaction.finish()
                    return (value, transaction)
                }
                memory.keep(transaction)
                return value
            }
        }
    }

    /// Calls `handler` on a thread of its own after another process has written, seen every
    /// ``SQLiteOptions/pollInterval``. Nothing is looked for while nobody observes.
    public func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        watch.observe(handler)
    }

    /// Moves what the write-ahead log holds into the file, and closes it. Waits for running reads
    /// and writes to end: do not call it from inside one.
    public func close() throws {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        guard !wasClosed else { return }
        watch.stop()
        try StorageError.translating {
            // Readers first, so that the writer is the last connection and can tidy up.
            pool.releaseMemory()
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.close()
        }
    }

    /// A newer program may have migrated the file meanwhile: this one must not touch it any more.
    private func checkVersion(_ database: Database) throws {
        let found = try database.run("PRAGMA user_version") { try $0.step() ? $0.integer(0) : 0 }
        guard found == version else {
            throw StorageError(.notAStore, "The store was brought to version \(found) by another program.")
        }
    }

    func checkOpen() throws {
        guard !isClosed.withLock({ $0 }) else {
            throw StorageError(.closed, "The storage was closed.")
        }
    }
}
