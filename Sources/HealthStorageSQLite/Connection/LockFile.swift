import Foundation
import HealthStorage

/// A lock that one program has at a time, by a file that exists as long as one has it. The system releases it when the
/// process ends.
final class LockFile: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Creates and locks the file at `path`.
    ///
    /// - Parameter onBusy: Called once if another program has the lock, which is waited for unless it throws.
    /// - Throws: `StorageError` `.unreachable` if the file can't be created or the file system has no locks; rethrows
    ///   the error of `onBusy`.
    init(_ path: String, onBusy: () throws -> Void) throws {
        func failure() -> StorageError {
            StorageError(.unreachable, "\(path) cannot be locked: \(String(cString: strerror(errno))).")
        }
        var isWaiting = false
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw failure() }
            do {
                while flock(descriptor, isWaiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
                    if errno == EWOULDBLOCK, !isWaiting {
                        try onBusy()
                        isWaiting = true
                    } else if errno != EINTR {
                        throw failure()
                    }
                }
            } catch {
                close(descriptor)
                throw error
            }
            // The previous holder of the lock has removed the file; a third program may have made a new one since.
            var (locked, current) = (stat(), stat())
            if fstat(descriptor, &locked) == 0, stat(path, &current) == 0, locked.st_dev == current.st_dev,
                locked.st_ino == current.st_ino
            {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            close(descriptor)
        }
    }

    deinit {
        // The name first: who waits for the lock finds another file.
        unlink(path)
        close(descriptor)
    }
}
