import Foundation
import Synchronization

/// The file of tokens and sessions, which the server and `hk token` edit at the same time.
///
/// It is replaced as a whole: readers see the old or the new contents, also after a crash. A writer holds a lock file.
/// A reader notices a replacement by the file's number, size and time. The file is readable by its owner only.
final class AccessFile: Sendable {
    let path: String

    private struct Stamp: Equatable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
    }

    private struct State {
        var stamp: Stamp?
        var document = AccessDocument()
        /// Counts the replacements that this process has read.
        var generation = 0
    }

    private let state = Mutex(State())
    /// Held while this process writes: a lock of the file system doesn't exclude threads of one process.
    private let writing = Mutex(())

    init(path: String) {
        self.path = path
    }

    /// The contents now, and a number that grows when they change. Reading an unchanged file is one system call.
    ///
    /// - Throws: ``AccessFileError``.
    func read() throws -> (document: AccessDocument, generation: Int) {
        let stamp = try stamp()
        if let known = state.withLock({ $0.stamp == stamp && $0.generation > 0 ? ($0.document, $0.generation) : nil }) {
            return known
        }
        let document = try load()
        return state.withLock { state in
            state.stamp = stamp
            state.document = document
            state.generation += 1
            return (state.document, state.generation)
        }
    }

    /// Changes the contents and waits until they are on the disk.
    ///
    /// - Throws: the errors of `change`, in which case nothing is changed, and ``AccessFileError``.
    @discardableResult
    func update<Value: Sendable>(_ change: (inout AccessDocument) throws -> Value) throws -> Value {
        try writing.withLock { _ in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw AccessFileError("The folder “\(folder)” can’t be created.")
            }
            let lock = try Self.lock(path + ".lock")
            defer { close(lock) }
            let old = try load()
            var document = old
            let value = try change(&document)
            if document != old { try replace(document, in: folder) }
            return value
        }
    }

    // MARK: -

    private static func lock(_ path: String) throws -> Int32 {
        let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw AccessFileError("The file “\(path)” can’t be opened.") }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else {
                close(lock)
                throw AccessFileError("The file “\(path)” can’t be locked.")
            }
        }
        return lock
    }

    private func stamp() throws -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw AccessFileError("The file “\(path)” can’t be read.")
            }
            return nil
        }
        #if os(Linux)
            let time = status.st_mtim
        #else
            let time = status.st_mtimespec
        #endif
        return Stamp(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
            seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }

    private func load() throws -> AccessDocument {
        guard FileManager.default.fileExists(atPath: path) else { return AccessDocument() }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw AccessFileError("The file “\(path)” can’t be read.")
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let document = try? decoder.decode(AccessDocument.self, from: bytes) else {
            throw AccessFileError("The file “\(path)” isn’t a file of tokens. Remove it to start with no tokens.")
        }
        guard document.version == AccessDocument.currentVersion else {
            throw AccessFileError("The file “\(path)” was written by a newer version.")
        }
        return document
    }

    private func replace(_ document: AccessDocument, in folder: String) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let bytes = try encoder.encode(document)
        let temporary = path + ".new"
        // A file left by a crash may have other permissions, so it is not reused.
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw AccessFileError("The file “\(temporary)” can’t be created.") }
        let isWritten = bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = write(file, rest.baseAddress, rest.count)
                guard count > 0 else { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
            return fsync(file) == 0
        }
        close(file)
        guard isWritten, rename(temporary, path) == 0 else {
            unlink(temporary)
            throw AccessFileError("The file “\(path)” can’t be written.")
        }
        // The new name is durable when the folder is.
        let handle = open(folder, O_RDONLY | O_CLOEXEC)
        if handle >= 0 {
            fsync(handle)
            close(handle)
        }
    }
}

/// The file of tokens can't be read or written.
public struct AccessFileError: Error, CustomStringConvertible, Sendable {
    /// What is wrong, in a sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
