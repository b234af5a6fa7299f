extension HKAttachment {
    /// An attachment's bytes, one by one.
    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8
        public typealias AsyncIterator = BufferedAsyncByteIterator

        private let reading: AttachmentReading

        init(_ reading: AttachmentReading) {
            self.reading = reading
        }

        public func makeAsyncIterator() -> BufferedAsyncByteIterator {
            BufferedAsyncByteIterator(reading)
        }
    }
}
