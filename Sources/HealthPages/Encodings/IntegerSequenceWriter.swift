/// Writes a run of integers in whichever encoding is smallest. Twin of ``IntegerSequenceReader``.
///
/// All arithmetic wraps, so that any 64-bit pattern may be a number.
enum IntegerSequenceWriter {
    @discardableResult
    static func write(
        _ numbers: UnsafeBufferPointer<Int64>, to writer: inout ByteWriter
    ) -> IntegerEncoding {
        guard let first = numbers.first else { return .constant }
        let plain = FrameOfReference(numbers)
        if plain.width == 0, plain.exceptions == 0 {
            writer.byte(IntegerEncoding.constant.rawValue)
            writer.signed(first)
            return .constant
        }
        let steps = UnsafeMutableBufferPointer<Int64>.allocate(capacity: numbers.count - 1)
        defer { steps.deallocate() }
        for index in 0..<numbers.count - 1 {
            steps.initializeElement(at: index, to: numbers[index + 1] &- numbers[index])
        }
        let stepped = FrameOfReference(UnsafeBufferPointer(steps))
        let steppedSize = stepped.size + Varint.size(signed: first)
        if stepped.width == 0, stepped.exceptions == 0 {
            writer.byte(IntegerEncoding.stride.rawValue)
            writer.signed(first)
            writer.signed(stepped.base)
            return .stride
        }
        if let table = IntegerDictionary(numbers, below: min(plain.size, steppedSize)) {
            writer.byte(IntegerEncoding.dictionary.rawValue)
            table.write(numbers, to: &writer)
            return .dictionary
        }
        if plain.size <= steppedSize {
            let encoding: IntegerEncoding = plain.exceptions == 0 ? .packed : .patched
            writer.byte(encoding.rawValue)
            write(numbers, plain, to: &writer)
            return encoding
        }
        let encoding: IntegerEncoding = stepped.exceptions == 0 ? .steppedPacked : .steppedPatched
        writer.byte(encoding.rawValue)
        writer.signed(first)
        write(UnsafeBufferPointer(steps), stepped, to: &writer)
        return encoding
    }

    /// The frame, its packed offsets, and the list of exceptions: how far each is behind the one before, and
    /// its signed offset.
    private static func write(
        _ numbers: UnsafeBufferPointer<Int64>, _ frame: FrameOfReference, to writer: inout ByteWriter
    ) {
        writer.signed(frame.base)
        writer.byte(UInt8(frame.width))
        guard frame.exceptions > 0 else {
            writer.packed(count: numbers.count, width: frame.width) {
                UInt64(bitPattern: numbers[$0] &- frame.base)
            }
            return
        }
        writer.unsigned(frame.exceptions)
        writer.packed(count: numbers.count, width: frame.width) {
            frame.excludes(numbers[$0]) ? 0 : UInt64(bitPattern: numbers[$0] &- frame.base)
        }
        var last = 0
        for index in numbers.indices where frame.excludes(numbers[index]) {
            writer.unsigned(index - last)
            writer.signed(numbers[index] &- frame.base)
            last = index
        }
    }
}
