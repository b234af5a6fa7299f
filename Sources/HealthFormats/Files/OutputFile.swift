import Foundation

/// A new file, written in large pieces. Used on one thread.
final class OutputFile {
    private let descriptor: Int32
    private let path: String
    private let isOwned: Bool
    private var buffer: [UInt8] = []
    private static let pieceSize = 256 << 10

    /// A file that must not be there yet; “-” is standard output.
    init(_ path: String) throws {
        self.path = path
        isOwned = path != "-"
        descriptor = isOwned ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) : STDOUT_FILENO
        guard descriptor >= 0 else { throw FormatError.system(path) }
        buffer.reserveCapacity(Self.pieceSize + (64 << 10))
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    func write(_ bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.pieceSize { try flush() }
    }

    /// Writes what is left and has the disk keep it.
    func finish() throws {
        try flush()
        // Pipes and terminals cannot, and need not.
        if isOwned, fsync(descriptor) != 0, errno != EINVAL { throw FormatError.system(path) }
    }

    private func flush() throws {
        try buffer.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    throw FormatError.system(path)
                }
                rest = rest.dropFirst(count)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
