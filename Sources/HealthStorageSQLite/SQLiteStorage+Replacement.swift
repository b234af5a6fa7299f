import Foundation
import GRDB
import HealthStorage
public import HealthStorageFiles

/// Putting a store in the place of another one: what restoring, repairing, encrypting and decrypting end with.
extension SQLiteStorage {
    /// The path of the file that `path` leads to, which is another one for a symbolic link. What belongs to the store
    /// is beside it.
    public static func pathOfFile(at path: String) -> String {
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
        return isLink ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
    }

    /// Moves a closed store to the path of another one, which nothing remains of. Within
    /// ``readExclusively(_:encryption:_:)`` of the other one, no change of it can be lost.
    ///
    /// Throws `StorageError` `.unreachable` if the file can't be moved, and `.inputOutput` if not everything is in the
    /// draft's file.
    public static func moveStore(_ draft: String, to path: String) throws {
        try prepare(draft, for: path)
        guard rename(draft, path) == 0 else {
            throw StorageError(.unreachable, "\(path) cannot be replaced: \(String(cString: strerror(errno))).")
        }
        SystemFile.syncFolder(of: path)
    }

    /// Moves the store file `draft` to `path`. A file that is there is kept as `aside`, with everything that belongs to
    /// it.
    ///
    /// No program may have the former store open: its later writes would go to the file that was put aside. At every
    /// moment there is a whole store at `path`, before or after. Throws `StorageError` `.busy` if another connection
    /// has the former store open, `.unreachable` if a file can't be moved, and `.inputOutput` if not everything is in
    /// the draft's file.
    ///
    /// - Parameter lock: The lock of the former store, if the caller has it. Its log is kept beside it then.
    public static func replaceStore(
        at path: String, with draft: String, keepingAs aside: String, encryption: StoreEncryption = .automatic,
        lock: StoreLock? = nil
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
                if !FileManager.default.fileExists(atPath: aside + suffix) {
                    try move(path + suffix, to: aside + suffix)
                }
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
        SystemFile.syncFolder(of: path)
    }

    /// The store that a repair writes before it takes the place of the store at `path`, and the copy that it reads.
    public static func pathsOfRepair(of path: String) -> (draft: String, copy: String) {
        (path + ".repairing", path + ".repairing-copy")
    }

    /// Removes what a killed repair has left, which may not be encrypted where the store is. No program repairs a store
    /// that is open.
    public static func removeInterruptedRepair(of path: String) {
        let (draft, copy) = pathsOfRepair(of: path)
        for file in [draft, copy] where Foundation.access(file, F_OK) == 0 {
            for suffix in ["-schema-journal", "-schema-wal", "-schema-shm", "-schema", "-journal", "-shm", "-wal", ""] {
                unlink(file + suffix)
            }
        }
    }

    /// Prepares a store that was closed for the place of another one: everything is in its file, and who may use that
    /// stays the same.
    ///
    /// Throws `StorageError` `.inputOutput` if the file isn't everything, because the disk was full when the store was
    /// closed.
    static func prepare(_ draft: String, for path: String) throws {
        guard !SQLiteFile(path: draft).hasLog else {
            throw StorageError(
                .inputOutput, "What replaces \(path) cannot be completed: the disk is full or cannot be written to.")
        }
        var (former, own) = (stat(), stat())
        guard stat(path, &former) == 0 else { return }
        // In a folder that somebody else can write, the draft's name may lead elsewhere by now.
        let descriptor = open(draft, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { Foundation.close(descriptor) }
        guard fstat(descriptor, &own) == 0, own.st_mode & S_IFMT == S_IFREG, own.st_nlink == 1, own.st_uid == geteuid()
        else { return }
        // A group that the caller isn't in gets no access, nor does a group that the store wasn't opened to.
        guard fchown(descriptor, former.st_uid, former.st_gid) == 0 || fchown(descriptor, uid_t.max, former.st_gid) == 0
        else { return }
        // With an access control list, the group's bits are the mask of others' rights.
        fchmod(descriptor, former.st_mode & (SystemFile.hasAccessList(path) ? 0o700 : 0o777))
    }

    /// Moves the contents of the log to the file, which only the last connection can do. Returns `false` for a store
    /// that is too damaged for it.
    private static func closeLog(of path: String, _ encryption: StoreEncryption) throws -> Bool {
        do {
            let state = try SQLiteFile(path: path).inspect()
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
            try StorageError.translating {
                let access = try CheckedFile.access()
                defer { withExtendedLifetime(access) {} }
                let queue = try DatabaseQueue(path: access.uri(of: path))
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

/// A store's file that no other program has open or can open until this object is released: to copy it, and to replace
/// it.
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

/// The store that a restore writes before it takes the place of another one, and the files beside it. It is the
/// caller's alone as long as this object exists; what is there of it then is removed.
public final class RestoreStaging {
    /// The path of the store.
    public let path: String
    private let lock: LockFile

    /// Locks the staging file of a restore to `path`, which has no symbolic link, and removes what a killed restore has left.
    ///
    /// Throws `StorageError`: `.busy` if another program restores to `path`, `.unreachable` if the folder can't be
    /// written.
    public init(for path: String) throws {
        self.path = Self.path(for: path)
        lock = try LockFile(self.path + "-lock") {
            throw StorageError(.busy, "Another program restores a backup to “\(path)”.")
        }
        removeFiles()
    }

    deinit {
        removeFiles()
    }

    /// Removes what a killed restore to `path` has left, which may not be encrypted where the store is.
    static func removeInterrupted(for path: String) {
        guard access(Self.path(for: path), F_OK) == 0 else { return }
        _ = try? RestoreStaging(for: path)
    }

    private static func path(for path: String) -> String { path + ".restoring" }

    /// Removes everything but the lock; the store itself, by which the rest is found again, at the end.
    private func removeFiles() {
        let place = URL(fileURLWithPath: path)
        let (folder, name) = (place.deletingLastPathComponent().path, place.lastPathComponent)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for other in names where other != name + "-lock" && (other.hasPrefix(name + "-") || other.hasPrefix(name + "."))
        {
            unlink("\(folder)/\(other)")
        }
        unlink(path)
    }
}
