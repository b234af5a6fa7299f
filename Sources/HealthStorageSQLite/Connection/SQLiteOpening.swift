import Foundation
import GRDB
import HealthStorage

/// Opens a store file's connections with the settings every connection has.
struct SQLiteOpening: Sendable {
    var path: String
    var options: SQLiteOptions
    var migrator: SQLiteMigrator

    /// Bytes of a file page. Chosen by measurement: see Docs/Format/Store.md.
    static let pageSize = 4096
    /// Pages of the log after which a commit also moves them into the file: 16 MiB.
    static let checkpointPages = 4096

    func open() throws -> DatabasePool {
        let file = SQLiteFile(path: path)
        if options.createsDirectories { try makeDirectories() }
        if try file.inspect(newestVersion: migrator.migrations.count) == .new {
            try create()
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { database in
            // GRDB sets NORMAL, which may lose the last commits when power fails.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = \(Self.checkpointPages)")
            try database.execute(sql: "PRAGMA cache_size = -16000")
            try migrator.migrate(database)
        }
        return pool
    }

    /// Makes the tables before the file goes into write-ahead mode, in one transaction: from its
    /// first byte on, the file says in its header what it is.
    private func create() throws {
        try makeFile()
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA page_size = \(Self.pageSize)")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try migrator.migrate(database)
        }
        try queue.close()
    }

    /// Makes an empty file where there is none. Health data is its owner's alone: SQLite gives its other files the
    /// same permissions.
    ///
    /// The file gets its name only when it is closed: closing it later could take the locks of a connection that
    /// has found it meanwhile.
    private func makeFile() throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let draft = "\(path).\(UUID().uuidString)"
        let descriptor = Foundation.open(draft, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(.unreachable, "\(path) cannot be made.") }
        Foundation.close(descriptor)
        defer { unlink(draft) }
        // Where there are no links, or the path is a link to nothing, the name comes with the file.
        guard link(draft, path) != 0, !FileManager.default.fileExists(atPath: path) else { return }
        let file = Foundation.open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StorageError(.unreachable, "\(path) cannot be made.") }
        Foundation.close(file)
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(options.busyTimeout)
        configuration.maximumReaderCount = max(1, options.maximumReaders)
        configuration.foreignKeysEnabled = false
        configuration.label = "HealthStorage"
        return configuration
    }

    private func makeDirectories() throws {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw StorageError(.unreachable, "\(directory.path) cannot be made.")
        }
    }
}
