import CZlib

/// Compresses a stream of bytes with zlib. Use it on one thread at a time.
package final class Deflater {
    /// The container of the deflate data.
    package enum Format: Int32, Sendable {
        /// Nothing, as in a zip file.
        case raw = -15
        case gzip = 31
    }

    /// The kind of flush after some bytes of the data.
    package enum Flush: Int32, Sendable {
        /// With further bytes; output can be held back.
        case none = 0
        /// On a byte boundary, so that any other deflate block can follow.
        case block = 2
        /// Not at all.
        case finish = 4
    }

    /// zlib keeps the address of its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)

    /// - Parameter level: zlib’s compression level, from 1 to 9.
    package init(level: Int = 6, format: Format = .raw) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        precondition(
            czlib_deflateInit(stream, Int32(level), format.rawValue) == Z_OK, "zlib cannot allocate its memory")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    /// Begins a new stream.
    package func reset() {
        deflateReset(stream)
    }

    /// Compresses bytes and passes the output that is available to `receive`, piece by piece.
    package func deflate(
        _ bytes: UnsafeRawBufferPointer, _ flush: Flush = .none, to receive: (UnsafeRawBufferPointer) -> Void
    ) {
        var rest = bytes[...]
        repeat {
            // zlib counts in 32 bits.
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
            rest = rest.dropFirst(part.count)
            stream.pointee.next_in = UnsafeMutablePointer(mutating: part.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(part.count)
            repeat {
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                CZlib.deflate(stream, rest.isEmpty ? flush.rawValue : Flush.none.rawValue)
                let count = output.count - Int(stream.pointee.avail_out)
                if count > 0 { receive(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<count])) }
            } while stream.pointee.avail_out == 0
        } while !rest.isEmpty
    }

    /// Returns bytes in compressed form.
    package static func deflated(_ bytes: some Sequence<UInt8>, format: Format = .raw) -> [UInt8] {
        var packed: [UInt8] = []
        Array(bytes).withUnsafeBytes { bytes in
            Deflater(format: format).deflate(bytes, .finish) { packed += $0 }
        }
        return packed
    }
}
