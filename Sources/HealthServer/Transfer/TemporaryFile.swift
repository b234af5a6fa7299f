import Foundation
import HealthStorage
import HealthStorageFiles

/// A private file that a request writes and reads, and that is gone when nothing refers to it any more.
///
/// Use it on one thread at a time; calls read and write the disk, so they belong on the pool.
final class TemporaryFile: Sendable {
    private let descriptor: Int32

    /// Creates the file, without a name, in a folder.
    ///
    /// - Throws: `StorageError`.
    init(in folder: String) throws {
        var template = Array("\(folder)/body-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw StorageError(.unreachable, "The folder \(folder) can’t be written: \(StorageError.systemReason).")
        }
        unlink(template)
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Opens a file to read it. It exists until its name is removed.
    ///
    /// - Returns: The file and its size in bytes.
    /// - Throws: `StorageError`.
    static func opening(_ path: String) throws -> (file: TemporaryFile, size: Int) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0 else { throw StorageError(.unreachable, "A temporary file can’t be read.") }
        let file = TemporaryFile(descriptor: descriptor)
        guard fstat(descriptor, &status) == 0 else {
            throw StorageError(.inputOutput, "A temporary file can’t be read.")
        }
        return (file, Int(status.st_size))
    }

    /// Writes bytes at an offset.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        guard bytes.write(to: descriptor, at: offset) == nil else {
            throw StorageError(.inputOutput, "A temporary file can’t be written: \(StorageError.systemReason).")
        }
    }

    /// Fills a buffer with the bytes from an offset on and returns their number, which is less only at the end.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < buffer.count {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = pread(descriptor, part.baseAddress, part.count, off_t(offset + filled))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw StorageError(.inputOutput, "A temporary file can’t be read.") }
            if count == 0 { break }
            filled += count
        }
        return filled
    }
}
