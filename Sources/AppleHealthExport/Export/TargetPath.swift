import Foundation

/// The path of a file or folder to write, and the temporary path beside it used until it is complete.
struct TargetPath {
    let final: String
    let temporary: String
    private let replaces: Bool

    /// Throws if the target exists and must not be replaced.
    init(_ path: String, replaces: Bool) throws {
        final = path
        self.replaces = replaces
        let url = URL(fileURLWithPath: path)
        let name = ".\(url.lastPathComponent).\(UUID().uuidString.prefix(8)).partial"
        temporary = url.deletingLastPathComponent().appendingPathComponent(name).path
        try checkTarget()
    }

    /// Renames the complete file or folder.
    func commit() throws {
        try checkTarget()
        var status = stat()
        // A folder cannot replace a non-empty folder by renaming. The previous one is removed when the new one is there.
        let previous = lstat(final, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR ? temporary + ".previous" : nil
        if let previous, rename(final, previous) != 0 { throw ExportError.writing(final, errno: errno) }
        guard rename(temporary, final) == 0 else {
            let code = errno
            if let previous { _ = rename(previous, final) }
            throw ExportError.writing(final, errno: code)
        }
        defer { if let previous { try? FileManager.default.removeItem(atPath: previous) } }
        // The new name is durable only after the folder has been synced.
        let folder = open(URL(fileURLWithPath: final).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        Foundation.close(folder)
    }

    /// Removes what has been written.
    func remove() {
        try? FileManager.default.removeItem(atPath: temporary)
    }

    private func checkTarget() throws {
        var status = stat()
        if !replaces, lstat(final, &status) == 0 { throw ExportError.exists(final) }
    }
}

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
        guard let base = bytes.baseAddress else { return }
        var written = 0
        while written < bytes.count {
            let count = Foundation.write(number, base + written, bytes.count - written)
            guard count >= 0 || errno == EINTR else { throw ExportError.writing(path, errno: errno) }
            written += max(count, 0)
        }
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
