import CZlib

/// Packs one zip entry's bytes with zlib.
final class Deflater {
    /// zlib keeps the address of its stream, so it has a fixed place.
    private let stream: UnsafeMutablePointer<z_stream>

    init(level: Int) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        precondition(czlib_deflateInitRaw(stream, Int32(level)) == Z_OK, "zlib has no memory to start")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// What comes out when `bytes` go in; with `last`, all that is left.
    func pack(_ bytes: UnsafeRawBufferPointer, last: Bool) -> [UInt8] {
        var packed: [UInt8] = []
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(bytes.count)
        let room = 1 << 16
        repeat {
            packed += [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = UInt32(room)
                deflate(stream, last ? Z_FINISH : Z_NO_FLUSH)
                filled = room - Int(stream.pointee.avail_out)
            }
        } while stream.pointee.avail_out == 0
        return packed
    }
}
