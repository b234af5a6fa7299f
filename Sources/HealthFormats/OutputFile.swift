import Dispatch
import Foundation
import Synchronization

/// A new file, written in large chunks. Not thread-safe.
// Unchecked: after the last write, the file is passed to the thread that synchronizes it, and used by no other.
final class OutputFile: @unchecked Sendable {
    private let descriptor: Int32
    private let path: String
    private let isOwned: Bool
    private var buffer: [UInt8] = []
    private static let pieceSize = 256 << 10

    /// Creates a file, which must not exist. “-” is standard output.
    init(_ path: String) throws {
        self.path = path
        isOwned = path != "-"
        descriptor = isOwned ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) : STDOUT_FILENO
        guard descriptor >= 0 else { throw FormatError.system(path) }
        buffer.reserveCapacity(Self.pieceSize + (64 << 10))
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    func write(_ bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.pieceSize { try flush() }
    }

    /// Writes the remaining bytes and synchronizes the file to disk.
    func finish() throws {
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
        try buffer.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    throw FormatError.system(path)
                }
                rest = rest.dropFirst(count)
            }
        }
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

/// A file or folder that is written under a temporary name and renamed when it is complete.
struct Draft {
    let path: String
    /// The temporary path.
    let temporary: String
    private let replaces: Bool

    /// - Throws: ``FormatError`` if the target exists and must not be replaced.
    init(_ path: String, replaces: Bool) throws {
        self.path = path
        self.replaces = replaces
        let url = URL(fileURLWithPath: path)
        temporary =
            url.deletingLastPathComponent()
            .appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString.prefix(8)).partial").path
        try refuse()
    }

    /// Creates the temporary folder.
    func makeFolder() throws {
        guard mkdir(temporary, 0o777) == 0 else { throw FormatError.system(path) }
    }

    /// Checks that the file can be written, so that errors name the requested path.
    func tryFile() throws {
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FormatError.system(path) }
        close(descriptor)
        unlink(temporary)
    }

    /// Runs the export and renames the result, or removes an incomplete one.
    func write<Value>(_ work: (String) throws -> Value) throws -> Value {
        do {
            let value = try work(temporary)
            try put()
            return value
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error
        }
    }

    private func put() throws {
        try refuse()
        // Renaming can't replace a nonempty folder, a file by a folder, or a folder by a file.
        if FileManager.default.fileExists(atPath: path), Self.isFolder(path) || Self.isFolder(temporary) {
            try FileManager.default.removeItem(atPath: path)
        }
        guard rename(temporary, path) == 0 else { throw FormatError.system(path) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private func refuse() throws {
        if !replaces, FileManager.default.fileExists(atPath: path) {
            throw FormatError("“\(path)” already exists")
        }
    }
}

extension FormatError {
    /// An error with the system's reason.
    static func system(_ path: String, _ code: Int32 = errno) -> FormatError {
        FormatError("Can’t write “\(path)”: \(String(cString: strerror(code)))")
    }
}
