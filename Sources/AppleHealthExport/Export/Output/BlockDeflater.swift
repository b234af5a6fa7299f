import CZlib

/// Packs blocks of a stream each by itself, so that several can be packed at once: what comes out ends on a
/// whole byte and goes on with whatever block is put behind it.
final class BlockDeflater {
    /// zlib keeps the address of its stream, so it has a fixed place.
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter level: zlib's; see Docs/Decisions/Archive-writing.md for the figures.
    init(level: Int = 4) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        precondition(czlib_deflateInitRaw(stream, Int32(level)) == Z_OK, "zlib has no memory to start")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Appends the packed block.
    func pack(_ bytes: UnsafeRawBufferPointer, into target: ByteBuffer) {
        deflateReset(stream)
        var position = 0
        repeat {
            // zlib counts in 32 bits.
            let length = min(bytes.count - position, 1 << 30)
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: bytes.baseAddress.map { ($0 + position).assumingMemoryBound(to: UInt8.self) })
            stream.pointee.avail_in = UInt32(length)
            position += length
            let flush = position == bytes.count ? Z_SYNC_FLUSH : Z_NO_FLUSH
            repeat {
                let room = 1 << 18
                stream.pointee.next_out = target.room(room)
                stream.pointee.avail_out = UInt32(room)
                deflate(stream, flush)
                target.advance(by: room - Int(stream.pointee.avail_out))
            } while stream.pointee.avail_out == 0
        } while position < bytes.count
    }
}
