import Foundation
import GRDB
import GRDBSQLite
import HealthStorage

/// Opens the connections to a store file with their common settings.
struct SQLiteOpening: Sendable {
    var path: String
    var options: SQLiteOptions
    var migrator: SQLiteMigrator

    /// The size of a database page in bytes. Chosen by measurement; see Docs/Format/Store.md.
    static let pageSize = 4096
    /// The number of pages in the log at which a commit also checkpoints it: 16 MiB.
    static let checkpointPages = 4096

    /// Opens the file, created or migrated if necessary. Returns its schema version too: a file that may not be written
    /// keeps an older one.
    func open() throws -> (pool: DatabasePool, version: Int) {
        let file = SQLiteFile(path: path)
        if options.isReadOnly || file.isProtected { return try openForReading(file) }
        if options.createsDirectories { try makeDirectories() }
        if try file.inspect(newestVersion: migrator.migrations.count) == .new {
            try create()
        }
        file.makeLog()
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { database in
            // GRDB sets NORMAL, which may lose the most recent commits in a power failure.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = \(Self.checkpointPages)")
            try database.execute(sql: "PRAGMA cache_size = -16000")
            try migrator.migrate(database)
        }
        return (pool, migrator.migrations.count)
    }

    /// Opens a store that may not be written.
    ///
    /// SQLite reads a file with write-ahead logging only if it can write the log's index beside it, unless the file is
    /// declared immutable. That is possible if everything is in the file, as it is after the last program closed it.
    private func openForReading(_ file: SQLiteFile) throws -> (pool: DatabasePool, version: Int) {
        guard try file.inspect(newestVersion: migrator.migrations.count, isReadOnly: true) == .store else {
            throw StorageError(.unreachable, "\(path) is not complete and cannot be written.")
        }
        var configuration = configuration
        configuration.readonly = true
        let place = file.hasLog ? path : URL(fileURLWithPath: path).absoluteString + "?immutable=1"
        let version = try DatabaseQueue(path: place, configuration: configuration).read {
            try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0
        }
        let steps = migrator.migrations.dropFirst(version).map(\.forReading)
        guard !steps.contains(nil) else {
            throw StorageError(.notAStore, "\(path) was written by an older version and cannot be migrated without writing.")
        }
        if !steps.isEmpty {
            configuration.prepareDatabase { database in
                for step in steps.compactMap({ $0 }) { try database.execute(sql: step) }
            }
        }
        return (try DatabasePool(path: place, configuration: configuration), version)
    }

    /// Creates the tables in one transaction, before switching the file to write-ahead logging, so that its header
    /// identifies it as a store from the first byte on.
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

    /// Creates an empty file if there is none. Only its owner has access, because it will contain health data; SQLite
    /// gives its other files the same permissions.
    ///
    /// The file gets its name only after it is closed. Closing it later could release the locks of a connection that
    /// has opened it in the meantime.
    private func makeFile() throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let draft = "\(path).\(UUID().uuidString)"
        let descriptor = Foundation.open(draft, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(.unreachable, "\(path) cannot be created.") }
        Foundation.close(descriptor)
        defer { unlink(draft) }
        // Without hard links, or if the path is a dangling symbolic link, the file is created under its name.
        guard link(draft, path) != 0, !FileManager.default.fileExists(atPath: path) else { return }
        let file = Foundation.open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StorageError(.unreachable, "\(path) cannot be created.") }
        Foundation.close(file)
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(options.busyTimeout)
        configuration.maximumReaderCount = max(1, options.maximumReaders)
        configuration.foreignKeysEnabled = false
        configuration.label = "HealthStorage"
        // The structure of each page is checked when it is read, not only where it happens to be used.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cell_size_check = ON") }
        return configuration
    }

    private func makeDirectories() throws {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw StorageError(.unreachable, "\(directory.path) cannot be created.")
        }
    }
}

/// A store file before SQLite opens it. A file that is not a store must remain unchanged.
struct SQLiteFile: Sendable {
    enum State: Equatable {
        /// There is no file, an empty file, or one whose creation was interrupted.
        case new
        case store
    }

    var path: String

    /// Whether there is a file that can be read, and it or its directory can't be written.
    var isProtected: Bool {
        let files = FileManager.default
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return files.isReadableFile(atPath: path)
            && (!files.isWritableFile(atPath: path) || !files.isWritableFile(atPath: directory))
    }

    /// Whether commits may be in a log beside the file.
    var hasLog: Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0 > Self.logHeaderLength
    }

    /// Creates a log without commits, so that opening a store writes nothing to it.
    ///
    /// GRDB creates and removes a table if there is no log or an empty file, which writes to the store and syncs it
    /// again when it is closed. A log that is no longer than its header contains no commits for SQLite. It gets its name
    /// when it is complete, because a log that another program has created in the meantime must remain.
    ///
    /// SQLite would also use it for a store that hasn't been switched to write-ahead logging yet, and never switch it.
    func makeLog() {
        guard let head = try? SQLiteFileHead.read(path, count: 20), head.count == 20, head[18] == 2, head[19] == 2 else {
            return
        }
        let log = path + "-wal"
        var status = stat()
        // SQLite follows links, and puts the log beside the file.
        guard access(log, F_OK) != 0, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let draft = "\(path).\(UUID().uuidString)"
        let descriptor = Foundation.open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer {
            Foundation.close(descriptor)
            unlink(draft)
        }
        // As SQLite does: whoever may open the store may open its log.
        if geteuid() == 0 { guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else { return } }
        guard fchmod(descriptor, status.st_mode & 0o777) == 0,
            ftruncate(descriptor, off_t(Self.logHeaderLength)) == 0
        else { return }
        _ = link(draft, log)
    }

    /// Reads the beginning of the file without changing it. Throws ``StorageError`` for a file that cannot be opened
    /// or is not a store of this or an older version.
    ///
    /// - Parameter isReadOnly: Whether the file won't be written.
    func inspect(newestVersion: Int, isReadOnly: Bool = false) throws -> State {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        guard !isDirectory.boolValue else { throw StorageError(.unreachable, "\(path) is a directory.") }
        if !isReadOnly { try checkDirectory() }
        guard exists else { return .new }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw StorageError(.unreachable, "\(path) cannot be read.")
        }
        let head = try SQLiteFileHead.read(path, count: Self.headLength)
        // A rollback journal indicates that creating or migrating the file was interrupted; SQLite must roll it back
        // first.
        if head.isEmpty || FileManager.default.fileExists(atPath: path + "-journal") { return .new }
        guard head.count == Self.headLength, head.starts(with: Self.magic) else {
            throw StorageError(.notAStore, "\(path) is not a health store.")
        }
        try Self.check(
            applicationID: Int32(truncatingIfNeeded: Self.bigEndian(head, at: 68)),
            version: Int(Self.bigEndian(head, at: 60)), newest: newestVersion)
        return .store
    }

    static func check(applicationID: Int32, version: Int, newest: Int) throws {
        guard applicationID == SQLiteSchema.applicationID, version > 0 else {
            throw StorageError(.notAStore, "The file is an SQLite database, but not a health store.")
        }
        guard version <= newest else {
            throw StorageError(
                .notAStore,
                "The store has version \(version); this program supports versions up to \(newest).")
        }
    }

    private func checkDirectory() throws {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory),
            isDirectory.boolValue
        else { throw StorageError(.unreachable, "\(directory) is not a directory.") }
        guard FileManager.default.isWritableFile(atPath: directory) else {
            throw StorageError(.unreachable, "\(directory) cannot be written to.")
        }
    }

    private static let headLength = 100
    private static let logHeaderLength = 32
    private static let magic = Array("SQLite format 3\0".utf8)

    private static func bigEndian(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Reads the beginning of a file through SQLite.
///
/// Closing a file descriptor releases all locks that the process holds on the file. Reading the file directly while a
/// connection has it open would therefore remove the connection's locks, and another process could delete the log that
/// it is writing to. SQLite keeps track of its open files and avoids this.
enum SQLiteFileHead {
    /// Returns up to `count` bytes of the file, fewer if it is shorter. Throws `StorageError` `.unreachable`.
    static func read(_ path: String, count: Int) throws -> [UInt8] {
        guard let system = sqlite3_vfs_find(nil), let open = system.pointee.xOpen,
            let name = sqlite3_create_filename(path, "", "", 0, nil)
        else { throw unreadable(path) }
        defer { sqlite3_free_filename(name) }
        let size = max(Int(system.pointee.szOsFile), MemoryLayout<sqlite3_file>.size)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let file = memory.assumingMemoryBound(to: sqlite3_file.self)
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB
        guard open(system, name, file, flags, nil) == SQLITE_OK, let methods = file.pointee.pMethods?.pointee else {
            throw unreadable(path)
        }
        defer { _ = methods.xClose?(file) }
        // SQLite rounds the size of a file with one byte down to zero.
        var status = stat()
        guard stat(path, &status) == 0 else { throw unreadable(path) }
        var bytes = [UInt8](repeating: 0, count: min(count, Int(status.st_size)))
        guard !bytes.isEmpty else { return [] }
        let code = bytes.withUnsafeMutableBytes { methods.xRead?(file, $0.baseAddress, Int32($0.count), 0) }
        guard code == SQLITE_OK else { throw unreadable(path) }
        return bytes
    }

    private static func unreadable(_ path: String) -> StorageError {
        StorageError(.unreachable, "\(path) cannot be read.")
    }
}
