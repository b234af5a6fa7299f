import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Prints a text to standard output like the function of the standard library, which doesn't notice that this fails.
func print(_ text: String, terminator: String = "\n") {
    StandardOutput.append(Array((text + terminator).utf8))
}

/// The one way to standard output. What commands print is collected, and written when there is enough, when a command
/// asks for it, and at the end of each command, which fails if anything couldn't be written.
enum StandardOutput {
    private struct State {
        var buffer: [UInt8] = []
        /// The system's code for the first failure, after which nothing is written.
        var failure: Int32?
    }

    private static let state = Mutex(State())
    private static let pieceSize = 64 << 10

    @discardableResult
    fileprivate static func append(_ bytes: [UInt8]) -> Int32? {
        state.withLock { state in
            state.buffer += bytes
            if state.buffer.count >= pieceSize { empty(&state) }
            return state.failure
        }
    }

    /// Prints bytes.
    ///
    /// - Throws: ``OutputError`` if something before couldn't be written.
    static func send(_ bytes: [UInt8]) throws {
        if let failure = append(bytes) { throw OutputError(code: failure) }
    }

    /// Writes what was printed.
    ///
    /// - Parameter isDurable: Whether a file has it on the disk when this returns.
    /// - Throws: ``OutputError`` if anything that was printed couldn't be written.
    static func flush(isDurable: Bool = false) throws {
        let failure = state.withLock { state in
            empty(&state)
            // Pipes and terminals can't be synchronized and needn't be.
            if isDurable, state.failure == nil, fsync(STDOUT_FILENO) != 0, ![EINVAL, EROFS, ENOTSUP].contains(errno) {
                state.failure = errno
            }
            return state.failure
        }
        if let failure { throw OutputError(code: failure) }
    }

    private static func empty(_ state: inout State) {
        defer { state.buffer.removeAll(keepingCapacity: true) }
        var rest = state.buffer[...]
        while state.failure == nil, !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // The terminal or pipe is shared with a program that doesn't want to wait.
                var place = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                poll(&place, 1, -1)
            } else if errno != EINTR {
                state.failure = errno
            }
        }
    }
}

/// Standard output that can't be written to.
struct OutputError: Error, CustomStringConvertible {
    let code: Int32

    /// Whether the reader of a pipe has had enough, which isn't worth a message.
    var isClosedPipe: Bool { code == EPIPE }

    var description: String { "Can’t write to standard output: \(String(cString: strerror(code)))." }
}
