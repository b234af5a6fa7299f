import Foundation

/// A lock on a file or folder, held until it is released. The system releases it when the process ends, however it
/// ends, so that leftovers of a killed server are distinguished from what another server over the same folder is using.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Locks a file or folder; `nil` if it doesn't exist, or if something else has locked it, in this process or
    /// another.
    init?(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        // A file system without locks has no other server that could hold one.
        let isTaken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
        guard !isTaken, Self.isFile(descriptor, path) else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Whether the open file still has its name: who held the lock before may have removed it.
    private static func isFile(_ descriptor: Int32, _ path: String) -> Bool {
        var locked = stat()
        var current = stat()
        return fstat(descriptor, &locked) == 0 && lstat(path, &current) == 0 && locked.st_dev == current.st_dev
            && locked.st_ino == current.st_ino
    }
}
