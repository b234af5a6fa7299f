extension ByteReader {
    /// Unpacks `count` numbers of `width` bits and adds `base` to each, wrapping.
    mutating func packed(
        count: Int, width: Int, adding base: Int64, into target: UnsafeMutablePointer<Int64>,
        _ what: StaticString
    ) throws(PageError) {
        guard BitPacking.isValid(width: width) else { throw error(.inconsistent, what) }
        guard count > 0 else { return }
        if width == 0 {
            target.update(repeating: base, count: count)
            return
        }
        let run = try take(BitPacking.size(count: count, width: width), what)
        guard let source = run.baseAddress else { return }
        if offset + BitPacking.slack <= bytes.count {
            BitPacking.unpack(source, count: count, width: width, adding: base, into: target)
            return
        }
        // The run ends where the bytes do: unpack a copy that has room behind it.
        let copy = Array(run) + Array(repeating: 0, count: BitPacking.slack)
        copy.withUnsafeBytes {
            guard let source = $0.baseAddress else { return }
            BitPacking.unpack(source, count: count, width: width, adding: base, into: target)
        }
    }
}
