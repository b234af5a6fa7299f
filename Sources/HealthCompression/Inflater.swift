import CZlib

/// The zlib that is linked.
package enum CompressionLibrary {
    /// Its version.
    package static var version: String { String(cString: zlibVersion()) }
}

/// Why deflate data can’t be inflated.
package enum InflateError: Error {
    /// The bytes are not deflate data.
    case damaged
    /// The data has no end.
    case truncated
}

/// Inflates raw deflate data, piece by piece, with zlib. Use it on one thread at a time.
package final class Inflater {
    /// Whether the data’s end was read.
    package private(set) var isAtEnd = false

    /// zlib keeps the address of its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)

    package init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        precondition(czlib_inflateInitRaw(stream) == Z_OK, "zlib cannot allocate its memory")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// The number of input bytes that were not needed.
    package var unusedCount: Int { Int(stream.pointee.avail_in) }

    /// Inflates the next bytes.
    ///
    /// - Parameter refill: Fills a buffer with the next deflate data and returns the number of bytes; 0 at the end.
    /// - Returns: The number of bytes in `output`; 0 only at the end of the data.
    /// - Throws: ``InflateError`` after the bytes before the error; the errors of `refill`.
    package func read(
        into output: UnsafeMutableRawBufferPointer, refill: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> Int {
        guard !isAtEnd, !output.isEmpty else { return 0 }
        // zlib counts in 32 bits.
        let room = UInt32(clamping: output.count)
        stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = room
        while stream.pointee.avail_out == room {
            if stream.pointee.avail_in == 0 {
                stream.pointee.avail_in = UInt32(try refill(input))
                stream.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress
            }
            let isWithoutInput = stream.pointee.avail_in == 0
            let code = inflate(stream, Z_NO_FLUSH)
            if code == Z_STREAM_END {
                isAtEnd = true
                break
            }
            // After output, the next call fails in the same way.
            guard stream.pointee.avail_out == room else { break }
            guard code == Z_OK || code == Z_BUF_ERROR else { throw InflateError.damaged }
            guard !isWithoutInput else { throw InflateError.truncated }
        }
        return Int(room - stream.pointee.avail_out)
    }
}
