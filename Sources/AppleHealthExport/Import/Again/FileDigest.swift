import Dispatch
import Synchronization

/// The digest of a file's bytes: that of the digests of its blocks, so that several threads can make it.
enum FileDigest {
    /// Bytes of a block; the last one of a file has fewer.
    static let blockLength = 1 << 20

    /// Reads the whole file, on as many threads as the machine has.
    static func text(of file: FileByteSource) throws -> String {
        let size = file.byteCount ?? 0
        let count = (size + blockLength - 1) / blockLength
        let threads = min(count, 8)
        guard threads > 0 else { return text(ofBlocks: []) }
        let results = Mutex<[Result<[String], any Error>?]>(Array(repeating: nil, count: threads))
        let reader = SharedFile(file: file)
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            let blocks = count * thread / threads..<count * (thread + 1) / threads
            let result = Result { try reader.digests(of: blocks) }
            results.withLock { $0[thread] = result }
        }
        return try text(ofBlocks: results.withLock { try $0.flatMap { try $0?.get() ?? [] } })
    }

    /// The digest of these digests.
    static func text(ofBlocks blocks: [String]) -> String {
        var digest = ByteDigest()
        for block in blocks { Array(block.utf8).withUnsafeBytes { digest.update($0) } }
        return digest.text
    }

    /// A file that several threads read at places of their own.
    // Only `read(at:into:count:)` is called, which is one system call and moves nothing they share.
    private struct SharedFile: @unchecked Sendable {
        let file: FileByteSource

        func digests(of blocks: Range<Int>) throws -> [String] {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: blockLength, alignment: 64)
            defer { buffer.deallocate() }
            return try blocks.map { block in
                var digest = ByteDigest()
                var filled = 0
                while filled < blockLength {
                    let count = try file.read(
                        at: block * blockLength + filled, into: buffer.baseAddress! + filled,
                        count: blockLength - filled)
                    if count == 0 { break }
                    filled += count
                }
                digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
                return digest.text
            }
        }
    }
}
