import CZlib

/// Inflates raw deflate data in memory.
enum RawInflate {
    /// The bytes are not deflate data, or inflate to more than the limit.
    struct Failure: Error {}

    /// - Throws: ``Failure``, also if the result would be larger than `limit` bytes.
    static func inflate(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        // zlib keeps the address of its stream, so the stream must not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard czlib_inflateInitRaw(stream) == Z_OK else { throw Failure() }
        defer { inflateEnd(stream) }
        var input = bytes
        var result: [UInt8] = []
        let isComplete = input.withUnsafeMutableBufferPointer { input -> Bool in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(clamping: input.count)
            return Self.run(stream, into: &result, limit: limit)
        }
        guard isComplete else { throw Failure() }
        return result
    }

    /// Inflates up to the end of the deflate data; returns false for damaged or truncated data and beyond the limit.
    private static func run(
        _ stream: UnsafeMutablePointer<z_stream>, into result: inout [UInt8], limit: Int
    ) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let status = chunk.withUnsafeMutableBufferPointer { chunk -> Int32 in
                stream.pointee.next_out = chunk.baseAddress
                stream.pointee.avail_out = UInt32(chunk.count)
                return CZlib.inflate(stream, Z_NO_FLUSH)
            }
            let count = chunk.count - Int(stream.pointee.avail_out)
            result += chunk[..<count]
            if result.count > limit { return false }
            if status == Z_STREAM_END { return true }
            if status != Z_OK || count == 0 { return false }
        }
    }
}
