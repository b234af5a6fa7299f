import Foundation
import HealthStorage

/// The right to import into a store, which one import has at a time, in all threads and processes.
///
/// For a store in a file it is a lock on a file beside it, which the system releases even if the process is killed. The
/// file exists while an import runs. For a store in a database it is a lock of the database, which the server releases
/// with the connection; for a store in memory it is a semaphore of the engine. Without the lock, two imports would
/// alternate batch by batch: neither would add what the other has added, but each would report half of the archive as
/// added.
public final class ImportTurn: Sendable {
    /// The suffix of the lock file's name.
    static let suffix = "-import"

    private let release: @Sendable () -> Void

    /// Waits until no other import into the store is running.
    ///
    /// - Parameter onWaiting: Called once, on the calling thread, if there is one.
    public init(engine: HealthEngine, onWaiting: () -> Void = {}) {
        guard let path = engine.storage.filePath else {
            // A database that can't be reached has nothing to keep apart either.
            if let turn = try? engine.storage.beginImport(onWaiting: onWaiting) {
                release = { turn.cancel() }
                return
            }
            let semaphore = engine.importing
            if semaphore.wait(timeout: .now()) == .timedOut {
                onWaiting()
                semaphore.wait()
            }
            release = { semaphore.signal() }
            return
        }
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path + Self.suffix
        guard let descriptor = Self.lock(file, onWaiting) else {
            // The store's own transactions still keep two imports apart.
            release = {}
            return
        }
        release = {
            unlink(file)
            close(descriptor)
        }
    }

    /// Ends the turn. Call this method once, when the import is complete or has failed.
    public func end() {
        release()
    }

    /// Creates and locks a file and returns its descriptor; `nil` if the file system does not allow it.
    private static func lock(_ file: String, _ onWaiting: () -> Void) -> Int32? {
        var hasWaited = false
        while true {
            let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return nil }
            while flock(descriptor, hasWaited ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
                if errno == EWOULDBLOCK, !hasWaited {
                    onWaiting()
                    hasWaited = true
                } else if errno != EINTR {
                    close(descriptor)
                    return nil
                }
            }
            // The import that held the lock has removed its file; a third one may have made a new one since.
            if isFile(descriptor, file) { return descriptor }
            close(descriptor)
        }
    }

    private static func isFile(_ descriptor: Int32, _ file: String) -> Bool {
        var locked = stat()
        var current = stat()
        return fstat(descriptor, &locked) == 0 && stat(file, &current) == 0 && locked.st_dev == current.st_dev
            && locked.st_ino == current.st_ino
    }
}
