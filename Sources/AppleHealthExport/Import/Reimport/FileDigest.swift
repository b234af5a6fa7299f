import Dispatch
import HealthFiles
import HealthModel
import Synchronization

/// The digest of a file: the checksum of the checksums of its blocks, which several threads compute. It is not
/// cryptographic: it distinguishes files that were not made to collide.
enum FileDigest {
    /// The length of a block in bytes; the last block of a file may be shorter.
    static let blockLength = 1 << 20

    /// Reads the whole file on up to eight threads and returns its digest.
    static func text(of file: FileByteSource) throws -> String {
        let count = ((file.byteCount ?? 0) + blockLength - 1) / blockLength
        let threads = min(max(count, 1), 8)
        let results = Mutex<[Result<[UInt64], any Error>]>(Array(repeating: .success([]), count: threads))
        let reader = SharedFile(file: file)
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            let blocks = count * thread / threads..<count * (thread + 1) / threads
            let result = Result { try blocks.map { Checksum.of(try reader.block($0)) } }
            results.withLock { $0[thread] = result }
        }
        return text(ofBlocks: try results.withLock { try $0.flatMap { try $0.get() } })
    }

    /// Combines the checksums of blocks.
    static func text(ofBlocks blocks: [UInt64]) -> String {
        blocks.map(\.littleEndian).withUnsafeBytes { Checksum.text(of: $0) }
    }

    /// A file that several threads read at different offsets.
    // Unchecked: only `bytes(at:count:)` is called, system calls that change no shared state.
    private struct SharedFile: @unchecked Sendable {
        let file: FileByteSource

        func block(_ number: Int) throws -> [UInt8] { try file.bytes(at: number * blockLength, count: blockLength) }
    }
}

/// A regular file that is digested block by block while it is read.
final class DigestingByteSource: DerivedByteSource {
    let base: any ByteSource
    private var blocks: [UInt64] = []
    private var block: [UInt8] = []

    init(_ file: FileByteSource) {
        base = file
        block.reserveCapacity(FileDigest.blockLength)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try base.read(into: buffer)
        var rest = buffer[..<count]
        while !rest.isEmpty {
            let part = rest.prefix(FileDigest.blockLength - block.count)
            block += part
            rest = rest.dropFirst(part.count)
            if block.count == FileDigest.blockLength { closeBlock() }
        }
        return count
    }

    /// The digest of the file once it has been read to its end; equal to ``FileDigest/text(of:)``.
    var digest: String {
        if !block.isEmpty { closeBlock() }
        return FileDigest.text(ofBlocks: blocks)
    }

    private func closeBlock() {
        blocks.append(Checksum.of(block))
        block.removeAll(keepingCapacity: true)
    }
}
