import HealthFiles

/// A stream that throws if it exceeds a limit, so that a zip bomb costs a bounded effort.
final class LimitedByteSource: DerivedByteSource {
    let base: any ByteSource
    private let limit: Int
    private var count = 0

    init(_ base: any ByteSource, limit: Int) throws(AuxiliaryFileError) {
        (self.base, self.limit) = (base, limit)
        // The size in a zip's directory may be false; if it already exceeds the limit, there is nothing to try.
        if let byteCount, byteCount > limit { throw Self.error(limit) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let read = try base.read(into: buffer)
        count += read
        guard count <= limit else { throw Self.error(limit) }
        return read
    }

    private static func error(_ limit: Int) -> AuxiliaryFileError {
        AuxiliaryFileError("its file is larger than \(limit >> 20) MB")
    }
}
