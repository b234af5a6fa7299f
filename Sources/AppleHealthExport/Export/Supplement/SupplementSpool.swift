import Foundation

/// Lines of a supplement that wait in a nameless temporary file until the main file is written. Used by one
/// thread at a time.
final class SupplementSpool {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var written = 0

    private static let bufferLength = 1 << 18

    /// Throws ``ExportError`` where there can be no temporary file.
    init() throws {
        var template = Array((NSTemporaryDirectory() + "supplement-XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw ExportError.writing(NSTemporaryDirectory(), errno: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
    }

    deinit {
        close(descriptor)
    }

    func append(_ line: [UInt8]) throws {
        buffer += line
        if buffer.count >= Self.bufferLength { try flush() }
    }

    /// Calls `visit` with all that was appended, some of it at a time.
    func visit(_ visit: ([UInt8]) throws -> Void) throws {
        try flush()
        var offset = 0
        while offset < written {
            let length = min(written - offset, 1 << 20)
            var part = [UInt8](repeating: 0, count: length)
            let count = pread(descriptor, &part, length, off_t(offset))
            guard count > 0 else { throw ExportError.writing(NSTemporaryDirectory(), errno: count == 0 ? EIO : errno) }
            try visit(Array(part[..<count]))
            offset += count
        }
    }

    private func flush() throws {
        let file = FileDescriptor(number: descriptor, path: NSTemporaryDirectory())
        try buffer.withUnsafeBytes { try file.write($0) }
        written += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}
