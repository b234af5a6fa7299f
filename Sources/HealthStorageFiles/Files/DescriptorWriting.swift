import Foundation

extension UnsafeRawBufferPointer {
    /// Writes all bytes to an open file, of which the system may take a part at a time.
    ///
    /// - Parameter offset: The place in the file; `nil` for that of the descriptor.
    /// - Returns: The system's code for a failure; `nil` when everything is written.
    package func write(to descriptor: Int32, at offset: Int? = nil) -> Int32? {
        var rest = self[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count =
                offset.map { pwrite(descriptor, part.baseAddress, part.count, off_t($0 + rest.startIndex)) }
                ?? Foundation.write(descriptor, part.baseAddress, part.count)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                return Swift.max(errno, 1)
            }
        }
        return nil
    }
}
