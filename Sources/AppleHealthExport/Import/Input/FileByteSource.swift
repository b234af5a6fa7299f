import Foundation

/// A plain file, read with `read(2)`: a mapped file would count against the process's memory.
final class FileByteSource: ByteSource {
    let name: String
    let byteCount: Int?
    private let descriptor: Int32

    /// Opens `path`, or throws ``ImportError`` when there is none or it may not be read.
    /// In messages it is called `name`, or else by its path.
    init(path: String, name title: String? = nil) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ImportError.opening(title ?? path, errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ImportError(.unreadable, "“\(title ?? path)” cannot be read: it is not a regular file.")
        }
        name = title ?? path
        byteCount = Int(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let address = buffer.baseAddress, buffer.count > 0 else { return 0 }
        while true {
            let count = Foundation.read(descriptor, address, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw ImportError.reading(name, errno: errno) }
        }
    }

    /// Reads up to `count` bytes at `offset` without moving the stream's position; 0 at the file's end.
    func read(at offset: Int, into address: UnsafeMutableRawPointer, count: Int) throws -> Int {
        while true {
            let count = pread(descriptor, address, count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw ImportError.reading(name, errno: errno) }
        }
    }

    /// The `count` bytes at `offset`; fewer at the end of the file.
    func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            guard let address = buffer.baseAddress else { return }
            while filled < count {
                let read = try read(at: offset + filled, into: address + filled, count: count - filled)
                if read == 0 { return }
                filled += read
            }
        }
    }
}
