import Dispatch
import Foundation
import HealthStorageFiles
import Synchronization

/// A new file, written in large chunks. Not thread-safe.
// Unchecked: after the last write, the file is passed to the thread that synchronizes it, and used by no other.
package final class OutputFile: @unchecked Sendable {
    private let descriptor: Int32
    private let path: String
    private let isOwned: Bool
    private var buffer: [UInt8] = []
    private static let pieceSize = 256 << 10

    /// Creates a file, which must not exist. “-” is standard output.
    package init(_ path: String) throws {
        self.path = path
        isOwned = path != "-"
        descriptor = isOwned ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) : STDOUT_FILENO
        guard descriptor >= 0 else { throw FormatError.system(path) }
        buffer.reserveCapacity(Self.pieceSize + (64 << 10))
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    package func write(_ bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.pieceSize { try flush() }
    }

    /// Writes the remaining bytes and synchronizes the file to disk.
    package func finish() throws {
        try flush()
        try synchronize()
    }

    /// Writes the remaining bytes; the file is synchronized to disk in the background.
    func finish(_ synchronization: FileSynchronization) throws {
        try flush()
        synchronization.add { [self] in try synchronize() }
    }

    private func synchronize() throws {
        // Pipes and terminals can't be synchronized and needn't be.
        if isOwned, fsync(descriptor) != 0, errno != EINVAL { throw FormatError.system(path) }
    }

    private func flush() throws {
        if let code = buffer.withUnsafeBytes({ $0.write(to: descriptor) }) { throw FormatError.system(path, code) }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Synchronizes finished files to disk while others are written: the disk's time then isn't added to that of the lines.
final class FileSynchronization: Sendable {
    private let queue = DispatchQueue(label: "export: synchronization", attributes: .concurrent)
    private let group = DispatchGroup()
    /// Limits how many files are open.
    private let places = DispatchSemaphore(value: 16)
    private let failure = Mutex<(any Error)?>(nil)

    /// Calls `synchronize` in the background, after waiting while there are too many.
    func add(_ synchronize: @escaping @Sendable () throws -> Void) {
        places.wait()
        queue.async(group: group) { [self] in
            defer { places.signal() }
            do {
                try synchronize()
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
    }

    /// Waits for all files.
    ///
    /// - Throws: The first error.
    func wait() throws {
        group.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

extension FormatOptions {
    /// Runs an export to a temporary path, which takes the place of the target when it is complete, or to standard
    /// output for “-”.
    ///
    /// - Throws: ``FormatError`` if the target can't be written, and the errors of `work`.
    package func write<Value>(
        to path: String, as form: TargetPath.Form, _ work: (String) throws -> Value
    ) throws -> Value {
        guard path != "-" else { return try work(path) }
        var target: TargetPath?
        do {
            let created = try TargetPath(path, as: form, replaces: replaces)
            target = created
            let value = try work(created.temporary)
            try created.commit()
            return value
        } catch {
            target?.remove()
            guard error is TargetError || error is FormatError else { throw error }
            throw FormatError(target?.named("\(error)") ?? "\(error)")
        }
    }
}

extension FormatError {
    /// An error with the system's reason.
    static func system(_ path: String, _ code: Int32 = errno) -> FormatError {
        FormatError(TargetError.writing(path == "-" ? "standard output" : path, errno: code).description)
    }
}
