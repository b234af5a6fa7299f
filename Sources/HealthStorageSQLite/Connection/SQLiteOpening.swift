import Foundation
import GRDB
import GRDBSQLite
import HealthStorage
import HealthStorageFiles

/// Opens the connections to a store file with their common settings.
struct SQLiteOpening: Sendable {
    var path: String
    var options: SQLiteOptions
    /// The key of the store that this one is a copy of, instead of the options'.
    var original: EncryptedAccess?
    /// Whether the caller has locked the file.
    var isLocked = false

    /// The size of a database page in bytes. Chosen by measurement; see Docs/Format/Store.md.
    static let pageSize = Int(StoreFile.pageSize)
    /// The number of pages in the log at which a commit also checkpoints it: 16 MiB.
    static let checkpointPages = 4096

    /// A store that was opened.
    struct Opened {
        var readers: DatabasePool
        /// The same as ``readers`` if the store is only read.
        var writer: any DatabaseWriter
        /// How connections open the file, as long as there are any.
        var access: StoreAccess
        /// `nil` for a store that is not encrypted.
        var encryption: EncryptedAccess?
        /// The log; `nil` if the store is only read.
        var log: FilePlace?
        /// The state of the file when it was opened, if it is read as a file without writers.
        var contents: FileContents?
        /// Whether the store is only read because the disk was full.
        var isFull = false
        /// How often the file was opened again before.
        var number = 0
    }

    /// Opens the file, created if necessary.
    func open() throws -> Opened {
        // SQLite follows symbolic links, and puts the log beside the file.
        let file = SQLiteFile(path: (try? VFSFile.fullName(path)) ?? path)
        if options.isReadOnly || file.isProtected { return try openForReading(file) }
        // A missing folder is the same case.
        guard options.creates || FileManager.default.fileExists(atPath: file.path) else { throw file.absence }
        if options.createsDirectories { try makeDirectories() }
        if try file.inspect() == .new {
            let isAbsent = !FileManager.default.fileExists(atPath: file.path)
            guard options.creates, !file.hasLog, isAbsent || options.createsInEmptyFile else { throw file.absence }
            // What a symbolic link leads to is created, which doesn't replace the link.
            var opening = self
            opening.path = file.path
            if let key = try options.encryption.key() {
                if case .automatic = options.encryption { try key.requireStrength() }
                try opening.createEncrypted(key)
            } else {
                try opening.create()
            }
        }
        return try withAccess(to: file) { access, encryption in
            do {
                return try openForWriting(file, access, encryption)
            } catch let error as DatabaseError where Self.isFull(error) && !file.hasLog {
                // Without room for the log's index, the store can still be read.
                return try openForReading(file, access, encryption, isFull: true)
            }
        }
    }

    private func openForWriting(_ file: SQLiteFile, _ access: StoreAccess, _ encryption: EncryptedAccess?) throws
        -> Opened
    {
        var configuration = configuration(encryption, place: FilePlace(file.path))
        let uri = access.uri(of: file.path)
        let writer = try DatabaseQueue(path: uri, configuration: configuration)
        try writer.writeWithoutTransaction { database in
            try useLog(in: database)
            try database.execute(
                sql: """
                    PRAGMA synchronous = FULL;
                    PRAGMA wal_autocheckpoint = \(Self.checkpointPages);
                    PRAGMA cache_size = -16000;
                    """)
            try SQLiteSchema.check(database)
            // What ANALYZE of another program leaves: plans that this package wasn't measured with.
            for table in try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE name GLOB 'sqlite_stat[134]'")
            { try database.execute(sql: "DROP TABLE \(table)") }
            // Another program may have put another file in its place before this one had locked it.
            guard !database.isMoved else { throw StorageError(.busy, "Another program has replaced \(path).") }
        }
        // While the file is open, no other process replaces it.
        StagingStore.removeInterrupted(for: file.path)
        configuration.readonly = true
        let readers = try DatabasePool(path: uri, configuration: configuration)
        return Opened(
            readers: readers, writer: writer, access: access, encryption: encryption, log: FilePlace(file.path + "-wal")
        )
    }

    /// Whether SQLite had no room for the index of the log.
    private static func isFull(_ error: DatabaseError) -> Bool {
        [SQLITE_FULL, SQLITE_IOERR | (19 << 8)].contains(error.extendedResultCode.rawValue)
    }

    // MARK: Access

    /// Calls `body` with how the file is opened, while no other program can replace it: the key, the log and the file
    /// are those of one store.
    private func withAccess(
        to file: SQLiteFile, isWritable: Bool = true, _ body: (StoreAccess, EncryptedAccess?) throws -> Opened
    ) throws -> Opened {
        let isEncrypted = try file.inspect(isReadOnly: !isWritable) == .encrypted
        let checked =
            isEncrypted || isLocked
            ? nil : try ChecksummedFile.access(to: file.path, isWritable: isWritable, waiting: options.busyTimeout)
        let place = try holdPlace(of: file)
        defer { withExtendedLifetime(place) {} }
        if isEncrypted, !isLocked { try EncryptedAccess.requireLog(of: file.path) }
        let encryption = try original?.access(toCopy: path) ?? EncryptedAccess.open(path, options.encryption)
        if let head = try encryption?.firstPage() { try file.check(head: head) }
        return try body(encryption?.access ?? checked ?? ChecksummedFile.access(), encryption)
    }

    /// Locks the file at its place while it is opened. Waits for a program that is replacing the store. Returns `nil` for
    /// a file that SQLite must lock itself, because it is not in write-ahead mode yet.
    private func holdPlace(of file: SQLiteFile) throws -> VFSFile? {
        guard !isLocked else { return nil }
        return try retrying(while: { ($0 as? StorageError)?.kind == .busy }) {
            let held = try VFSFile(file.path)
            let head = try held.read(count: 20)
            guard head.starts(with: EncryptionHeader.magic) || head.count == 20 && head[18] == 2 && head[19] == 2 else {
                return nil
            }
            do {
                try held.lockPlace()
                return held
            } catch let error as StorageError where error.kind == .inputOutput {
                // Some network file systems have no locks. SQLite says what it can do there.
                return nil
            }
        }
    }

    /// Calls `body` again for as long as programs wait for each other, while the error is one that passes.
    ///
    /// - Parameter time: The seconds to wait at most, if less than the timeout.
    private func retrying<Value>(
        for time: Double = .infinity, while isTransient: (any Error) -> Bool, _ body: () throws -> Value
    ) throws -> Value {
        // An attempt can wait as well, so not only the pauses between them count.
        let began = ContinuousClock.now
        let limit = Duration.seconds(min(options.busyTimeout, time))
        while true {
            do {
                return try body()
            } catch  where ContinuousClock.now - began < limit && isTransient(error) {
                sqlite3_sleep(5)
            }
        }
    }

    // MARK: Reading

    /// Opens a store that may not be written.
    ///
    /// SQLite reads a file with write-ahead logging only if it can write the log's index beside it, unless the file is
    /// declared immutable. That is possible if everything is in the file, as it is after the last program closed it.
    private func openForReading(_ file: SQLiteFile) throws -> Opened {
        guard try file.inspect(isReadOnly: true) != .new else { throw file.absence }
        // Read-only is what SQLite calls a log's index that another program is just creating or removing.
        return try retrying(for: 1, while: { ($0 as? DatabaseError)?.resultCode == .SQLITE_READONLY }) {
            try withAccess(to: file, isWritable: !file.isProtected) { try openForReading(file, $0, $1) }
        }
    }

    private func openForReading(
        _ file: SQLiteFile, _ access: StoreAccess, _ encryption: EncryptedAccess?, isFull: Bool = false
    ) throws -> Opened {
        var configuration = configuration(encryption)
        configuration.readonly = true
        let found = FileContents(of: file)
        let contents = found.isOpen && !isFull ? nil : found
        let pool = try DatabasePool(
            path: access.uri(of: file.path, isImmutable: contents != nil), configuration: configuration)
        try pool.read(SQLiteSchema.check)
        return Opened(
            readers: pool, writer: pool, access: access, encryption: encryption, contents: contents, isFull: isFull)
    }

    // MARK: Creating

    /// Creates the tables in one transaction, before switching the file to write-ahead logging, so that its header
    /// identifies it as a store from the first byte on.
    private func create() throws {
        let isAbsent = !FileManager.default.fileExists(atPath: path)
        do {
            try createStore()
        } catch {
            // What was wrong is read from it when the error is converted.
            let reason = errno
            defer { errno = reason }
            // On a full disk, nothing is left of it. With a journal, another program is creating it.
            if isAbsent, access(path + "-journal", F_OK) != 0, (try? VFSFile.head(of: path, count: 1).isEmpty) == true {
                unlink(path)
            }
            throw error
        }
    }

    private func createStore() throws {
        try makeFile()
        try rollBack()
        // Another program may have created it meanwhile.
        let head = try VFSFile.head(of: path, count: SQLiteFile.headLength)
        guard head.isEmpty else { return try SQLiteFile(path: path).check(head: head) }
        try retrying(while: { ($0 as? DatabaseError)?.resultCode == .SQLITE_BUSY }) {
            try createTables(ChecksummedFile.access(), reserved: ChecksummedFile.reserved, journal: "DELETE")
        }
    }

    private func createTables(_ access: StoreAccess, reserved: Int, journal: String) throws {
        let queue = try DatabaseQueue(path: access.uri(of: path), configuration: configuration(nil))
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = \(journal);
                    PRAGMA page_size = \(Self.pageSize);
                    PRAGMA synchronous = FULL;
                    """)
            database.reserveBytes(reserved)
            try SQLiteSchema.create(in: database)
            try useLog(in: database)
        }
        try queue.close()
        withExtendedLifetime(access) {}
    }

    /// Uses write-ahead logging from now on. SQLite doesn't wait for another program that is about to write here, as it
    /// does elsewhere: it has read the file already, and that program waits for readers.
    private func useLog(in database: Database) throws {
        try retrying(while: { ($0 as? DatabaseError)?.resultCode == .SQLITE_BUSY }) {
            try database.execute(sql: "PRAGMA journal_mode = WAL")
        }
    }

    /// Undoes what an interrupted change has written, which its journal beside the file contains.
    private func rollBack() throws {
        guard FileManager.default.fileExists(atPath: path + "-journal") else { return }
        let uri = URL(fileURLWithPath: path, isDirectory: false).absoluteString + "?vfs=unix"
        let queue = try DatabaseQueue(path: uri, configuration: configuration(nil))
        try queue.read { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
        try queue.close()
    }

    /// Creates the tables of an encrypted store in a file with another name, which gets its name when it is complete:
    /// without a journal, nothing else can be interrupted.
    private func createEncrypted(_ key: StoreKey) throws {
        var staging = self
        staging.path = "\(path).\(UUID().uuidString)"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(staging.path + suffix) } }
        try SQLiteFile.create(staging.path)
        let encryption = try EncryptedAccess.create(staging.path, key)
        try staging.createTables(encryption.access, reserved: EncryptedDatabasePage.reserved, journal: "OFF")
        // An empty file may be replaced; one that another program has created meanwhile is the store.
        let isEmpty = try FileManager.default.fileExists(atPath: path) && VFSFile.head(of: path, count: 1).isEmpty
        guard
            isEmpty
                ? rename(staging.path, path) == 0
                : link(staging.path, path) == 0 || FileManager.default.fileExists(atPath: path)
        else {
            throw StorageError(.unreachable, "\(path) cannot be created: \(StorageError.systemReason).")
        }
        VFSFile.syncFolder(of: path)
    }

    /// Creates an empty file if there is none. Only its owner has access, because it will contain health data; SQLite
    /// gives its other files the same permissions.
    ///
    /// The file gets its name only after it is closed. Closing it later could release the locks of a connection that
    /// has opened it in the meantime.
    private func makeFile() throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let staging = "\(path).\(UUID().uuidString)"
        try SQLiteFile.create(staging)
        defer { unlink(staging) }
        // Without hard links, or if the path is a dangling symbolic link, the file is created under its name.
        guard link(staging, path) != 0, !FileManager.default.fileExists(atPath: path) else { return }
        let file = Foundation.open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw StorageError(.unreachable, "\(path) cannot be created: \(StorageError.systemReason).")
        }
        Foundation.close(file)
    }

    private func makeDirectories() throws {
        let directory = URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw StorageError(.unreachable, "\(directory.path) cannot be created.")
        }
    }

    // MARK: Connections

    static func moved(_ path: String) -> StorageError {
        StorageError(.unreachable, "\(path) was moved or removed while it was open, or can't be reached any more.")
    }

    /// - Parameter place: Where the file is that each connection must open.
    private func configuration(_ encryption: EncryptedAccess?, place: FilePlace? = nil) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(options.busyTimeout)
        configuration.maximumReaderCount = max(1, options.maximumReaders)
        configuration.foreignKeysEnabled = false
        configuration.label = "HealthStorage"
        configuration.prepareDatabase { database in
            // The structure of each page is checked when it is read, not only where it happens to be used.
            try database.execute(sql: "PRAGMA cell_size_check = ON")
            guard encryption != nil else { return }
            // Temporary files wouldn't be encrypted; a page that is read again would be decrypted again.
            try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000")
        }
        if let place {
            let path = path
            configuration.prepareDatabase { _ in
                // Readers are opened when they are needed. Beside the log of this store, another file would be another
                // store.
                guard place.isCurrent else { throw Self.moved(path) }
            }
        }
        return configuration
    }
}

extension Database {
    /// Sets the bytes at the end of each page that SQLite leaves free, before the first page of a database is written.
    func reserveBytes(_ count: Int) {
        var count = Int32(count)
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &count)
    }
}
