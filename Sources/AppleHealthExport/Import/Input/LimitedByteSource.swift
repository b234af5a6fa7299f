/// A stream that ends with an error when it is longer than it should be, so that a zip bomb is given up
/// after a bounded effort.
final class LimitedByteSource: ByteSource {
    let name: String
    let byteCount: Int?
    private let base: any ByteSource
    private let limit: Int
    private var count = 0

    init(_ base: any ByteSource, limit: Int) throws(CompanionError) {
        name = base.name
        byteCount = base.byteCount
        self.base = base
        self.limit = limit
        // What the directory promises is not to be relied on, but need not be tried either.
        if let byteCount, byteCount > limit { throw Self.error(limit) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let read = try base.read(into: buffer)
        count += read
        guard count <= limit else { throw Self.error(limit) }
        return read
    }

    private static func error(_ limit: Int) -> CompanionError {
        CompanionError("its file is larger than \(limit >> 20) MB")
    }
}
