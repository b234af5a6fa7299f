import Foundation
import GRDB
import GRDBSQLite
import HealthStorage

extension SQLiteStorage {
    /// Writes a snapshot of the store to a new file without blocking readers and writers.
    ///
    /// Unlike ``copy(to:)``, each page of the database keeps its place in the file, so that two snapshots differ only
    /// where the store has changed. That of an encrypted store is encrypted with the same key, and two snapshots are still equal where
    /// the store is. The file isn't synced. Throws `StorageError` `.unreachable` if there is a file at
    /// `path` or it can't be created, `.damaged` if a page of the store isn't what was written, and `.inputOutput` if the disk is full.
    public func writeSnapshot(to path: String) throws {
        try checkOpen()
        let descriptor = Foundation.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(.unreachable, "\(path) cannot be created.") }
        Foundation.close(descriptor)
        let copyAccess = try access?.copy(from: self.path, to: path)
        let registration = try registerCopy(path)
        try StorageError.translating {
            let copy = try DatabaseQueue(path: path)
            try copy.writeWithoutTransaction { destination in
                // A snapshot that is interrupted is thrown away.
                try destination.execute(sql: "PRAGMA synchronous = OFF")
                if copyAccess != nil {
                    try destination.execute(sql: "PRAGMA journal_mode = OFF")
                    destination.reserveBytes(EncryptedPage.reserved)
                }
                if registration != nil { destination.reserveBytes(CheckedFile.reserved) }
                // All pages in one step: they are of one state, however many commits there are meanwhile.
                let unwritten: Set<Int64> = try pool.unsafeRead { source in
                    let file = StoreFileSystem.file(of: source.sqliteConnection)
                    file?.readsUnwrittenPages = true
                    file?.unwrittenPages = []
                    defer {
                        file?.readsUnwrittenPages = false
                        // What was read this way isn't for others.
                        sqlite3_db_release_memory(source.sqliteConnection)
                    }
                    try source.backup(to: destination, pagesPerStep: -1)
                    return file?.unwrittenPages ?? []
                }
                guard !unwritten.isEmpty, let file = StoreFileSystem.file(of: destination.sqliteConnection) else { return }
                // A page in use was written before.
                if let lost = unwritten.subtracting(Self.freePages(of: file)).min() {
                    throw StorageError(.damaged, PageDamage(path: self.path, page: lost, isInLog: false).description)
                }
            }
            try copy.close()
        }
        withExtendedLifetime((copyAccess, registration)) {}
    }

    /// Opens a snapshot of this store for reading, without the person's key, which may have been changed since the store was opened.
    public func openSnapshot(at path: String) throws -> SQLiteStorage {
        var options = SQLiteOptions()
        options.isReadOnly = true
        var opening = SQLiteOpening(path: path, options: options, migrator: SQLiteMigrator())
        opening.original = access
        return try SQLiteStorage(opening)
    }

    /// Gives the pages of a copy checksums, if those of the store have them.
    func registerCopy(_ path: String) throws -> StoreFileSystem.Registration? {
        let isChecked = try pool.unsafeRead { StoreFileSystem.file(of: $0.sqliteConnection) is CheckedFile }
        return isChecked ? try CheckedFile.register(path) : nil
    }

    /// Moves the store file `draft` to `path`. A file that is there is kept as `aside`, with everything that belongs to it.
    ///
    /// No program may have the former store open: its later writes would go to the file that was put aside. At every
    /// moment there is a whole store at `path`, before or after. Throws `StorageError` `.busy` if another connection has
    /// the former store open, `.unreachable` if a file can't be moved, and `.inputOutput` if not everything is in the draft's file.
    ///
    /// - Parameter lock: The lock of the former store, if the caller has it. Its log is kept beside it then.
    public static func replaceStore(
        at path: String, with draft: String, keepingAs aside: String, encryption: StoreEncryption = .automatic, lock: StoreLock? = nil
    ) throws {
        try prepare(draft, for: path)
        var lock = lock
        if FileManager.default.fileExists(atPath: path), lock == nil {
            // SQLite may remove the log of a file that it can't read.
            let hasLog = link(path + "-wal", aside + "-wal") == 0
            do {
                if try closeLog(of: path, encryption), hasLog { unlink(aside + "-wal") }
            } catch {
                if hasLog { unlink(aside + "-wal") }
                throw error
            }
            lock = try StoreLock(path)
        }
        // Nobody can open the former store until the other one has its name.
        defer { withExtendedLifetime(lock) {} }
        // A second name first, so that the former store is never without one.
        let isLinked = lock != nil && link(path, aside) == 0
        if lock != nil, !isLinked { try move(path, to: aside) }
        do {
            // A log at the new store's name would be replayed into it.
            for suffix in ["-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
                if !FileManager.default.fileExists(atPath: aside + suffix) { try move(path + suffix, to: aside + suffix) }
                unlink(path + suffix)
            }
            unlink(path + "-shm")
            try move(draft, to: path)
        } catch {
            // The former store stays where it is, with its log.
            if lock != nil {
                for suffix in ["-wal", "-journal"] { rename(aside + suffix, path + suffix) }
                if isLinked { unlink(aside) } else { rename(aside, path) }
            }
            throw error
        }
        SQLiteFile(path: path).syncFolder()
    }

    /// Prepares a store that was closed for the place of another one: everything is in its file, and who may use that stays the same.
    ///
    /// Throws `StorageError` `.inputOutput` if the file isn't everything, because the disk was full when the store was closed.
    static func prepare(_ draft: String, for path: String) throws {
        guard !SQLiteFile(path: draft).hasLog else {
            throw StorageError(.inputOutput, "What replaces \(path) cannot be completed: the disk is full or cannot be written to.")
        }
        var (former, own) = (stat(), stat())
        guard stat(path, &former) == 0 else { return }
        // In a folder that somebody else can write, the draft's name may lead elsewhere by now.
        let descriptor = open(draft, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { Foundation.close(descriptor) }
        guard fstat(descriptor, &own) == 0, own.st_mode & S_IFMT == S_IFREG, own.st_nlink == 1, own.st_uid == geteuid() else { return }
        // A group that the caller isn't in gets no access, nor does a group that the store wasn't opened to.
        guard fchown(descriptor, former.st_uid, former.st_gid) == 0 || fchown(descriptor, uid_t.max, former.st_gid) == 0 else { return }
        // With an access control list, the group's bits are the mask of others' rights.
        fchmod(descriptor, former.st_mode & (hasAccessList(path) ? 0o700 : 0o777))
    }

    /// The path of the store that a restore writes before it takes the place of the one at `path`. A restore has the file
    /// `pathOfRestore(of:)-lock` locked (`flock`).
    public static func pathOfRestore(of path: String) -> String { path + ".restoring" }

    /// Removes what a killed restore to `path` has left, which may not be encrypted where the store is.
    static func removeInterruptedRestore(of path: String) {
        let draft = pathOfRestore(of: path)
        guard Foundation.access(draft, F_OK) == 0 else { return }
        let lock = open(draft + "-lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { return }
        defer { Foundation.close(lock) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return }
        let folder = URL(fileURLWithPath: draft).deletingLastPathComponent().path
        let prefix = URL(fileURLWithPath: draft).lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // The draft itself comes last, so that an interruption leaves nothing that isn't found again.
        for name in names.filter({ $0.hasPrefix(prefix) }).sorted(by: >) { unlink("\(folder)/\(name)") }
    }

    /// Whether a file has an access control list, by Linux's `getxattr`, which Swift doesn't import.
    private static func hasAccessList(_ path: String) -> Bool {
        #if os(Linux)
            typealias Look = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
            guard let look = dlsym(nil, "getxattr").map({ unsafeBitCast($0, to: Look.self) }) else { return false }
            return look(path, "system.posix_acl_access", nil, 0) > 0
        #else
            return false
        #endif
    }

    /// The path of the file that `path` leads to, which is another one for a symbolic link. What belongs to the store is beside it.
    public static func pathOfFile(at path: String) -> String {
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
        return isLink ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
    }

    /// Moves the contents of the log to the file, which only the last connection can do. Returns `false` for a store that
    /// is too damaged for it.
    private static func closeLog(of path: String, _ encryption: StoreEncryption) throws -> Bool {
        do {
            let state = try SQLiteFile(path: path).inspect(newestVersion: .max)
            if state == .encrypted {
                let file = try SystemFile(path, isWritten: true)
                // The log can be moved to the file only with the key. Without it, the log is kept beside the file.
                var options = SQLiteOptions()
                options.encryption = encryption
                let isClosed = (try? SQLiteStorage(path: path, options: options).close()) != nil
                try file.lockExclusively()
                return isClosed
            }
            guard state == .store else { return false }
            try StoreFileSystem.install()
            try StorageError.translating {
                let queue = try DatabaseQueue(path: path)
                try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
                try queue.close()
            }
            return true
        } catch let error as StorageError where error.kind == .busy {
            throw StorageError(.busy, "Another program has \(path) open.")
        } catch let error as StorageError where error.kind == .unreachable {
            throw error
        } catch is StorageError {
            // Damaged, or not a store: it is kept as it is.
            return false
        }
    }

    private static func move(_ path: String, to other: String) throws {
        guard rename(path, other) == 0 else {
            throw StorageError(.unreachable, "\(path) cannot be moved: \(String(cString: strerror(errno))).")
        }
    }
}

/// A store's file that no other program has open or can open until this object is released: to copy it, and to replace it.
public final class StoreLock {
    /// The file's path, without symbolic links.
    public let path: String
    private let file: SystemFile

    /// Locks the file at `path`, which needn't be a sound store.
    ///
    /// Throws `StorageError`: `.busy` if a program has it open, `.unreachable` if it can't be read and written.
    public init(_ path: String) throws {
        self.path = try SystemFile.fullName(path)
        file = try SystemFile(self.path, isWritten: true)
        try file.lockExclusively()
    }

    /// Copies the file. Throws `StorageError` `.inputOutput` if the copy can't be written.
    public func copy(to other: String) throws {
        // Opening and closing the file otherwise would release the lock.
        let descriptor = Foundation.open(other, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        let failure = StorageError(.inputOutput, "\(path) cannot be copied, which needs as much room as the store has.")
        guard descriptor >= 0 else { throw failure }
        let output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var offset = 0
        while case let bytes = try file.read(count: 1 << 20, at: offset), !bytes.isEmpty {
            guard (try? output.write(contentsOf: bytes)) != nil else { throw failure }
            offset += bytes.count
        }
    }
}
