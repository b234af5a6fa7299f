import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Bytes to standard output, without a buffer in between.
enum StandardOutput {
    /// Writes all of the bytes. A reader that went away ends the process as a pipe does.
    static func send(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    throw UsageError("Standard output cannot be written: \(String(cString: strerror(errno))).")
                }
                rest = rest.dropFirst(count)
            }
        }
    }
}
