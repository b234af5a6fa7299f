import Foundation

/// An open file that is written from front to back.
struct FileDescriptor {
    let number: Int32
    let path: String

    /// Makes a new file.
    static func create(_ path: String) throws -> FileDescriptor {
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard number >= 0 else { throw ExportError.writing(path, errno: errno) }
        return FileDescriptor(number: number, path: path)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard let base = bytes.baseAddress else { return }
        var written = 0
        while written < bytes.count {
            let count = Foundation.write(number, base + written, bytes.count - written)
            guard count >= 0 || errno == EINTR else { throw ExportError.writing(path, errno: errno) }
            written += max(count, 0)
        }
    }

    /// Waits until all is on the disk, and closes the file.
    func finish() throws {
        // Pipes and the like have nothing to wait for.
        if fsync(number) != 0, errno != EINVAL, errno != EROFS {
            let code = errno
            close()
            throw ExportError.writing(path, errno: code)
        }
        close()
    }

    func close() {
        Foundation.close(number)
    }
}
