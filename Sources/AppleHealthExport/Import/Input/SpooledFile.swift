import Foundation

/// A stream put into a temporary file that has no name: it is gone once nobody holds this object, even
/// when the process is killed.
final class SpooledFile: Sendable {
    private let descriptor: Int32

    /// Where the file can be opened as long as this object lives.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Writes all there is to read. Throws ``ImportError`` where reading or writing fails.
    init(head: [UInt8], rest: any ByteSource) throws {
        var template = Array((NSTemporaryDirectory() + "archive-XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Self.error(rest.name, errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
        try head.withUnsafeBytes { try write($0, of: rest.name) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try rest.read(into: buffer)
            if count == 0 { return }
            try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), of: rest.name)
        }
    }

    deinit {
        close(descriptor)
    }

    private func write(_ bytes: UnsafeRawBufferPointer, of name: String) throws {
        var written = 0
        while written < bytes.count {
            let count = Foundation.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            guard count >= 0 || errno == EINTR else { throw Self.error(name, errno) }
            written += max(count, 0)
        }
    }

    private static func error(_ name: String, _ code: Int32) -> ImportError {
        ImportError(
            .unreadable,
            "The zip file from “\(name)” cannot be kept in \(NSTemporaryDirectory()) while it is read: \(String(cString: strerror(code))).")
    }
}
