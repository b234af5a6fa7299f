import Foundation
import GRDB
import HealthStorage
package import HealthStorageFiles

/// Putting a store in the place of another one: what restoring, repairing, encrypting and decrypting end with.
extension SQLiteStorage {
    /// The path of the file that `path` leads to, which is another one for a symbolic link. What belongs to the store
    /// is beside it.
    package static func pathOfFile(at path: String) -> String {
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
        return isLink ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
    }

    /// Moves a closed store to the path of another one, which nothing remains of. Within
    /// ``readExclusively(_:encryption:_:)`` of the other one, no change of it can be lost.
    ///
    /// Throws `StorageError` `.unreachable` if the file can't be moved, and `.inputOutput` if not everything is in the
    /// staging's file.
    package static func moveStore(_ staging: String, to path: String) throws {
        try prepare(staging, for: path)
        guard rename(staging, path) == 0 else {
            throw StorageError(.unreachable, "\(path) cannot be replaced: \(String(cString: strerror(errno))).")
        }
        VFSFile.syncFolder(of: path)
    }

    /// Moves the store file `staging` to `path`. A file that is there is moved to `aside`, with everything that belongs to
    /// it.
    ///
    /// No program may have the previous store open: its later writes would go to the file that was put aside. At every
    /// moment there is a whole store at `path`, before or after. Throws `StorageError` `.busy` if another connection
    /// has the previous store open, `.unreachable` if a file can't be moved, and `.inputOutput` if not everything is in
    /// the staging's file.
    ///
    /// - Parameter lock: The lock of the previous store, if the caller has it. Its log is kept beside it then.
    package static func replaceStore(
        at path: String, with staging: String, keepingAs aside: String, encryption: StoreEncryption = .automatic,
        lock: StoreLock? = nil
    ) throws {
        try prepare(staging, for: path)
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
        // No program can open the previous store until the other one has its name.
        defer { withExtendedLifetime(lock) {} }
        // A second name first, so that the previous store is never without one.
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
            try move(staging, to: path)
        } catch {
            // The previous store stays where it is, with its log.
            if lock != nil {
                for suffix in ["-wal", "-journal"] { rename(aside + suffix, path + suffix) }
                if isLinked { unlink(aside) } else { rename(aside, path) }
            }
            throw error
        }
        VFSFile.syncFolder(of: path)
    }

    /// Prepares a store that was closed for the place of another one: everything is in its file, and access to it stays
    /// the same.
    ///
    /// Throws `StorageError` `.inputOutput` if the file isn't everything, because the disk was full when the store was
    /// closed.
    static func prepare(_ staging: String, for path: String) throws {
        guard !SQLiteFile(path: staging).hasLog else {
            throw StorageError(
                .inputOutput, "What replaces \(path) cannot be completed: the disk is full or cannot be written to.")
        }
        var (previous, own) = (stat(), stat())
        guard stat(path, &previous) == 0 else { return }
        // In a folder that another user can write, the staging's name may lead elsewhere by now.
        let descriptor = open(staging, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { Foundation.close(descriptor) }
        guard fstat(descriptor, &own) == 0, own.st_mode & S_IFMT == S_IFREG, own.st_nlink == 1, own.st_uid == geteuid()
        else { return }
        // A group that the caller isn't in gets no access, nor does a group that the store wasn't opened to.
        guard
            fchown(descriptor, previous.st_uid, previous.st_gid) == 0
                || fchown(descriptor, uid_t.max, previous.st_gid) == 0
        else { return }
        // With an access control list, the group's bits are the mask of others' rights.
        fchmod(descriptor, previous.st_mode & (VFSFile.hasAccessList(path) ? 0o700 : 0o777))
    }

    /// Moves the contents of the log to the file, which only the last connection can do. Returns `false` for a store
    /// that is too damaged for it.
    private static func closeLog(of path: String, _ encryption: StoreEncryption) throws -> Bool {
        do {
            let state = try SQLiteFile(path: path).inspect()
            if state == .encrypted {
                let file = try VFSFile(path, isWritten: true)
                // The log can be moved to the file only with the key. Without it, the log is kept beside the file.
                var options = SQLiteOptions()
                options.encryption = encryption
                let isClosed = (try? SQLiteStorage(path: path, options: options).close()) != nil
                try file.lockExclusively()
                return isClosed
            }
            guard state == .store else { return false }
            try StorageError.translating {
                let access = try ChecksummedFile.access()
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
package final class StoreLock {
    /// The file's path, without symbolic links.
    package let path: String
    private let file: VFSFile

    /// Locks the file at `path`, which needn't be a sound store.
    ///
    /// Throws `StorageError`: `.busy` if a program has it open, `.unreachable` if it can't be read and written.
    package init(_ path: String) throws {
        self.path = try VFSFile.fullName(path)
        file = try VFSFile(self.path, isWritten: true)
        try file.lockExclusively()
    }

    /// Copies the file. Throws `StorageError` `.inputOutput` if the copy can't be written.
    package func copy(to other: String) throws {
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
