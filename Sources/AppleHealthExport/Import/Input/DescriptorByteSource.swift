import Foundation

/// A pipe, or whatever else a descriptor stands for, read as it comes. The descriptor stays open.
final class DescriptorByteSource: ByteSource {
    let name: String
    let byteCount: Int? = nil
    private let descriptor: Int32

    init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let address = buffer.baseAddress, buffer.count > 0 else { return 0 }
        while true {
            let count = Foundation.read(descriptor, address, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw ImportError.reading(name, errno: errno) }
        }
    }
}
