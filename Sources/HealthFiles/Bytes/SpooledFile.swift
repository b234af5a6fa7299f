import Foundation

/// A stream copied to a temporary file without a name. The file disappears with this object, even if the process
/// is killed.
package final class SpooledFile: Sendable {
    private let descriptor: Int32

    /// The path at which the file can be opened while this object exists.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// Copies the stream. Throws ``ImportError`` if reading or writing fails.
    package init(head: [UInt8], rest: any ByteSource) throws {
        var template = Array((NSTemporaryDirectory() + "archive-XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Self.error(rest.name, errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
        try head.withUnsafeBytes { try write($0, of: rest.name) }
        while case let part = try rest.bytes(1 << 18), !part.isEmpty {
            try part.withUnsafeBytes { try write($0, of: rest.name) }
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
            "The zip file from “\(name)” cannot be stored in \(NSTemporaryDirectory()) while it is read: \(String(cString: strerror(code)))."
        )
    }
}
