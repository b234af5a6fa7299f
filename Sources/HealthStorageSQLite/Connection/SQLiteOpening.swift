import Foundation
import GRDB
import GRDBSQLite
import HealthStorage

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
        var pool: DatabasePool
        /// `nil` for a store that is not encrypted.
        var access: EncryptedAccess?
        /// The log; `nil` if the store is only read.
        var log: FilePlace?
        /// What the file was, if it is read as one that nobody writes.
        var contents: FileContents?
        /// How often the file was opened again before.
        var number = 0
    }

    /// Opens the file, created if necessary.
    func open() throws -> Opened {
        try StoreFileSystem.install()
        // SQLite follows symbolic links, and puts the log beside the file.
        let file = SQLiteFile(path: (try? SystemFile.fullName(path)) ?? path)
        if options.isReadOnly || file.isProtected { return try openForReading(file) }
        if options.createsDirectories { try makeDirectories() }
        if try file.inspect() == .new {
            // What a symbolic link leads to is created, which doesn't replace the link.
            var opening = self
            opening.path = file.path
            if let key = try options.encryption.key() { try opening.createEncrypted(key) } else { try opening.create() }
        }
        try CheckedFile.complete(file.path) { file.hasLog }
        let place = try holdPlace(of: file)
        defer { withExtendedLifetime(place) {} }
        let access = try access()
        do {
            return try openForWriting(file, access)
        } catch let error as DatabaseError where Self.isFull(error) && !file.hasLog {
            // Without room for the log's index, the store can still be read.
            return try openForReading(file, access, isFull: true)
        }
    }

    private func openForWriting(_ file: SQLiteFile, _ access: EncryptedAccess?) throws -> Opened {
        try file.makeLog(head: access?.firstPage())
        let pool = try DatabasePool(path: file.path, configuration: configuration(access, place: FilePlace(file.path)))
        try pool.writeWithoutTransaction { database in
            guard access == nil || StoreFileSystem.file(of: database.sqliteConnection) is EncryptedFile else {
                throw StorageError(.unreachable, "\(path) is encrypted at another place.")
            }
            // GRDB sets NORMAL, which may lose the most recent commits in a power failure.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = \(Self.checkpointPages)")
            try database.execute(sql: "PRAGMA cache_size = -16000")
            try SQLiteSchema.check(database)
            // Another program may have put another file in its place before this one had locked it.
            guard !database.isMoved else { throw StorageError(.busy, "Another program has replaced \(path).") }
            // With the file open, nobody else can encrypt or decrypt it.
            SQLiteStorage.removeInterruptedChange(of: path)
        }
        RestoreDraft.removeInterrupted(for: file.path)
        SQLiteStorage.removeInterruptedRepair(of: file.path)
        return Opened(
            pool: pool, access: access, log: FilePlace(file.path + "-wal"))
    }

    /// Whether SQLite had no room for the index of the log.
    private static func isFull(_ error: DatabaseError) -> Bool {
        [SQLITE_FULL, SQLITE_IOERR | (19 << 8)].contains(error.extendedResultCode.rawValue)
    }

    /// Locks the file at its place while it is opened, so that the key, the log and the file are those of one store.
    /// Waits for a program that is replacing the store. Returns `nil` for a file that SQLite must lock itself, because
    /// it is not in write-ahead mode yet.
    private func holdPlace(of file: SQLiteFile) throws -> SystemFile? {
        guard !isLocked else { return nil }
        var waited = 0.0
        while true {
            let held = try SystemFile(file.path)
            let head = try held.read(count: 20)
            guard head.starts(with: EncryptionHeader.magic) || head.count == 20 && head[18] == 2 && head[19] == 2 else {
                return nil
            }
            do {
                try held.lockPlace()
                return held
            } catch let error as StorageError where error.kind == .busy {
                guard waited < options.busyTimeout else { throw error }
                waited += Double(sqlite3_sleep(5)) / 1_000
            } catch let error as StorageError where error.kind == .inputOutput {
                // Some network file systems have no locks. SQLite says what it can do there.
                return nil
            }
        }
    }

    /// The key of an encrypted store, and the check of its version.
    private func access() throws -> EncryptedAccess? {
        let access = try original?.access(toCopy: path) ?? EncryptedAccess.open(path, options.encryption)
        if let head = try access?.firstPage() { try SQLiteFile.check(head: head) }
        return access
    }

    /// Opens a store that may not be written.
    ///
    /// SQLite reads a file with write-ahead logging only if it can write the log's index beside it, unless the file is
    /// declared immutable. That is possible if everything is in the file, as it is after the last program closed it.
    private func openForReading(_ file: SQLiteFile) throws -> Opened {
        var waited = 0.0
        while true {
            do {
                let place = try holdPlace(of: file)
                defer { withExtendedLifetime(place) {} }
                return try openForReading(file, access())
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_READONLY && waited < min(options.busyTimeout, 1)
            {
                // A program is just creating or removing the log's index.
                waited += Double(sqlite3_sleep(5)) / 1_000
            }
        }
    }

    private func openForReading(_ file: SQLiteFile, _ access: EncryptedAccess?, isFull: Bool = false) throws -> Opened {
        guard try file.inspect(isReadOnly: true) != .new else {
            throw StorageError(.unreachable, "\(path) is not complete and cannot be written.")
        }
        var configuration = configuration(access)
        configuration.readonly = true
        let found = FileContents(of: file)
        let contents = found.isOpen && !isFull ? nil : found
        let place =
            contents == nil
            ? file.path : URL(fileURLWithPath: file.path, isDirectory: false).absoluteString + "?immutable=1"
        let pool = try DatabasePool(path: place, configuration: configuration)
        try pool.read(SQLiteSchema.check)
        return Opened(pool: pool, access: access, contents: contents)
    }

    /// Creates the tables in one transaction, before switching the file to write-ahead logging, so that its header
    /// identifies it as a store from the first byte on.
    private func create() throws {
        try makeFile()
        try StoreFileSystem.forget(path)
        try rollBack()
        // Only an empty file can leave room for checksums; any other is, or becomes, what it was.
        let isEmpty = try SystemFile.head(of: path, count: 1).isEmpty
        let registration = isEmpty ? try CheckedFile.register(path) : nil
        let queue = try DatabaseQueue(path: path, configuration: configuration(nil))
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA page_size = \(Self.pageSize)")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            if isEmpty { database.reserveBytes(CheckedFile.reserved) }
            try SQLiteSchema.create(in: database)
        }
        try queue.close()
        withExtendedLifetime(registration) {}
    }

    /// Undoes what an interrupted change has written, which its journal beside the file contains.
    private func rollBack() throws {
        guard FileManager.default.fileExists(atPath: path + "-journal") else { return }
        let queue = try DatabaseQueue(path: path, configuration: configuration(nil))
        try queue.read { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
        try queue.close()
    }

    /// Creates the tables of an encrypted store in a file with another name, which gets its name when it is complete:
    /// without a journal, nothing else can be interrupted.
    private func createEncrypted(_ key: StoreKey) throws {
        let draft = "\(path).\(UUID().uuidString)"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) } }
        let access = try EncryptedAccess.create(draft, key)
        let queue = try DatabaseQueue(path: draft, configuration: configuration(access))
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = OFF")
            try database.execute(sql: "PRAGMA page_size = \(Self.pageSize)")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            database.reserveBytes(EncryptedPage.reserved)
            try SQLiteSchema.create(in: database)
            try database.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try queue.close()
        // An empty file may be replaced; one that another program has created meanwhile is the store.
        let isEmpty = try FileManager.default.fileExists(atPath: path) && SystemFile.head(of: path, count: 1).isEmpty
        guard
            isEmpty ? rename(draft, path) == 0 : link(draft, path) == 0 || FileManager.default.fileExists(atPath: path)
        else {
            throw StorageError(.unreachable, "\(path) cannot be created.")
        }
        SQLiteFile(path: path).syncFolder()
    }

    /// Creates an empty file if there is none. Only its owner has access, because it will contain health data; SQLite
    /// gives its other files the same permissions.
    ///
    /// The file gets its name only after it is closed. Closing it later could release the locks of a connection that
    /// has opened it in the meantime.
    private func makeFile() throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let draft = "\(path).\(UUID().uuidString)"
        try Self.createFile(draft)
        defer { unlink(draft) }
        // Without hard links, or if the path is a dangling symbolic link, the file is created under its name.
        guard link(draft, path) != 0, !FileManager.default.fileExists(atPath: path) else { return }
        let file = Foundation.open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StorageError(.unreachable, "\(path) cannot be created.") }
        Foundation.close(file)
    }

    static func moved(_ path: String) -> StorageError {
        StorageError(.unreachable, "\(path) was moved or removed while it was open, or can't be reached any more.")
    }

    /// Creates an empty file that only its owner has access to. Throws `StorageError` `.unreachable` if there is one.
    static func createFile(_ path: String) throws {
        let descriptor = Foundation.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(.unreachable, "\(path) cannot be created.") }
        Foundation.close(descriptor)
    }

    /// - Parameter place: Where the file is that each connection must open.
    private func configuration(_ access: EncryptedAccess?, place: FilePlace? = nil) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(options.busyTimeout)
        configuration.maximumReaderCount = max(1, options.maximumReaders)
        configuration.foreignKeysEnabled = false
        configuration.label = "HealthStorage"
        configuration.prepareDatabase(Self.prepare(isEncrypted: access != nil))
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

    /// The settings of each connection.
    private static func prepare(isEncrypted: Bool) -> @Sendable (Database) throws -> Void {
        { database in
            // The structure of each page is checked when it is read, not only where it happens to be used.
            try database.execute(sql: "PRAGMA cell_size_check = ON")
            guard isEncrypted else { return }
            // Temporary files wouldn't be encrypted.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // A page that is read again would be decrypted again.
            try database.execute(sql: "PRAGMA cache_size = -16000")
        }
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
}

/// What tells that a file which is read as one that nobody writes has been written, or is going to be.
struct FileContents: Equatable {
    private struct State: Equatable {
        let place: FilePlace?
        let size: off_t
        let modified: [Int]

        init(_ path: String) {
            var status = stat()
            let isThere = stat(path, &status) == 0
            place = FilePlace(path)
            size = isThere ? status.st_size : -1
            modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        }
    }

    private let file: State
    private let log: State
    /// Whether a program has the file open for writing, or has left its log.
    let isOpen: Bool

    init(of file: SQLiteFile) {
        // In this order: who opens the file meanwhile is seen.
        self.file = State(file.path)
        log = State(file.path + "-wal")
        isOpen = log.size > SQLiteFile.logHeaderLength || access(file.path + "-shm", F_OK) == 0
    }

    /// Whether the file itself is the same, whatever is beside it.
    func hasFile(of other: FileContents) -> Bool { file == other.file }
}

/// A store file before SQLite opens it. A file that is not a store must remain unchanged.
struct SQLiteFile: Sendable {
    enum State: Equatable {
        /// There is no file, an empty file, or one whose creation was interrupted.
        case new
        case store
        /// A store whose version is known only with its key.
        case encrypted
    }

    /// The `PRAGMA application_id` of a store: the letters OHCK, for OpenHealthKit with checksums. A program that
    /// wouldn't write checksums refuses it.
    static let applicationID: Int32 = 0x4F48_434B

    var path: String

    /// Whether there is a file that can be read, and it or its directory can't be written.
    var isProtected: Bool {
        let files = FileManager.default
        let directory = URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent().path
        return files.isReadableFile(atPath: path)
            && (!files.isWritableFile(atPath: path) || !files.isWritableFile(atPath: directory))
    }

    /// Whether commits may be in a log beside the file.
    var hasLog: Bool {
        var status = stat()
        return stat(path + "-wal", &status) == 0 && Int(status.st_size) > Self.logHeaderLength
    }

    /// Creates a log without commits, so that opening a store writes nothing to it.
    ///
    /// GRDB creates and removes a table if there is no log or an empty file, which writes to the store and syncs it
    /// again when it is closed. A log that is no longer than its header contains no commits for SQLite. It gets its
    /// name when it is complete, because a log that another program has created in the meantime must remain.
    ///
    /// SQLite would also use it for a store that hasn't been switched to write-ahead logging yet, and never switch it.
    ///
    /// - Parameter head: The first page of an encrypted store.
    func makeLog(head: [UInt8]?) {
        guard let head = head ?? (try? SystemFile(path).read(count: 20)), head.count >= 20, head[18] == 2, head[19] == 2
        else { return }
        let log = path + "-wal"
        var status = stat()
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
    /// or is not a store of this version.
    ///
    /// - Parameter isReadOnly: Whether the file won't be written.
    func inspect(isReadOnly: Bool = false) throws -> State {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        guard !isDirectory.boolValue else { throw StorageError(.unreachable, "\(path) is a directory.") }
        if !isReadOnly { try checkDirectory() }
        guard exists else { return .new }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw StorageError(.unreachable, "\(path) cannot be read.")
        }
        var status = stat()
        // Opening a pipe would wait for ever.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StorageError(.unreachable, "\(path) is not a regular file.")
        }
        let head = try SystemFile.head(of: path, count: Self.headLength)
        // It never has a journal.
        if head.starts(with: EncryptionHeader.magic) { return .encrypted }
        // A rollback journal indicates that creating the file was interrupted; SQLite must roll it back
        // first.
        if head.isEmpty || FileManager.default.fileExists(atPath: path + "-journal") { return .new }
        guard head.count == Self.headLength, head.starts(with: Self.magic) else {
            throw StorageError(.notAStore, "\(path) is not a health store.")
        }
        try Self.check(head: head)
        return .store
    }

    /// Checks the beginning of a database.
    static func check(head: [UInt8]) throws {
        try check(
            applicationID: Int32(truncatingIfNeeded: bigEndian(head, at: 68)), version: Int(bigEndian(head, at: 60)))
    }

    /// Makes the names in the file's folder durable.
    func syncFolder() {
        let folder = Foundation.open(
            URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        Foundation.close(folder)
    }

    static func check(applicationID: Int32, version: Int) throws {
        guard applicationID == Self.applicationID, version > 0 else {
            throw StorageError(.notAStore, "The file is an SQLite database, but not a health store.")
        }
        guard version <= SQLiteSchema.version else {
            throw StorageError(
                .notAStore,
                "The store has version \(version); this program supports versions up to \(SQLiteSchema.version).")
        }
    }

    private func checkDirectory() throws {
        let directory = URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent().path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory),
            isDirectory.boolValue
        else { throw StorageError(.unreachable, "\(directory) is not a directory.") }
        guard FileManager.default.isWritableFile(atPath: directory) else {
            throw StorageError(.unreachable, "\(directory) cannot be written to.")
        }
    }

    private static let headLength = 100
    fileprivate static let logHeaderLength = 32
    private static let magic = Array("SQLite format 3\0".utf8)

    private static func bigEndian(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
