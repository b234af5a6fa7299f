import Foundation
import HealthStorageFiles

/// An open file that is written sequentially.
struct FileDescriptor {
    let number: Int32
    let path: String

    /// Creates a file.
    static func create(_ path: String) throws -> FileDescriptor {
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw ExportError.writing(path, errno: errno) }
        return FileDescriptor(number: number, path: path)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        if let code = bytes.write(to: number) { throw ExportError.writing(path, errno: code) }
    }

    /// Waits until everything is on disk, and closes the file.
    func finish() throws {
        // Pipes and some other files do not support synchronization.
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
