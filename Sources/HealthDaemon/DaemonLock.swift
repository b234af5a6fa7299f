import Foundation

/// Ensures that a store has one daemon at a time, and a position one program that moves it. The lock is held until it
/// is released or the process ends, however it ends.
package struct DaemonLock: ~Copyable, Sendable {
    private let descriptor: Int32

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - path: The lock file, which is created if necessary and remains.
    ///   - holder: What another process does that has the lock, as a sentence without a period.
    ///   - givesWay: Whether the holder watches ``isWanted`` and releases the lock for another that doesn't give way.
    /// - Throws: ``DaemonError`` if another process has the lock, or the file can't be opened.
    package init(
        path: String, holder: String = "Another daemon delivers the changes of this store", givesWay: Bool = false
    ) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw DaemonError("The file \(path) can’t be opened: \(String(cString: strerror(errno)))")
        }
        var isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        // A holder that gives way may take the lock again before it looks, and who asks whether it is held has it for a
        // moment.
        var isLeft = false
        for count in 0..<Self.longestWait where !isLocked && !givesWay && (isLeft || count < 3) {
            if Self.size(descriptor) > 0 { isLeft = ftruncate(descriptor, 0) == 0 }
            usleep(50_000)
            isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        }
        guard isLocked else {
            close(descriptor)
            throw DaemonError("\(holder). It has locked \(path)")
        }
        // A holder that gives way says so by a file that isn't empty, and another that wants the lock empties it.
        ftruncate(descriptor, givesWay ? 1 : 0)
        self.descriptor = descriptor
    }

    /// How often the lock is tried, every twentieth of a second, until a holder that gives way has released it.
    private static let longestWait = 400

    /// Whether another process wants the lock, of a holder that gives way.
    package var isWanted: Bool { Self.size(descriptor) == 0 }

    private static func size(_ descriptor: Int32) -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    deinit {
        close(descriptor)
    }

    /// The file that a daemon locks for a store in a file.
    ///
    /// - Parameter store: The path of the store’s file, not of a link to it.
    package static func path(ofStore store: String) -> String { store + ".daemon-lock" }

    /// Whether a process has the lock.
    ///
    /// - Parameter path: The lock file, which need not exist.
    package static func isHeld(path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }
}

/// An error of a daemon: what it used, and what went wrong. It contains no health data.
package struct DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence, without a period.
    package var description: String

    /// Creates an error.
    package init(_ description: String) {
        self.description = description
    }
}
