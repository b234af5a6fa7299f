/// A plain file that is digested, block by block, as it is read.
final class DigestingByteSource: ByteSource {
    let name: String
    let byteCount: Int?
    private let source: FileByteSource
    private var blocks: [String] = []
    private var block = ByteDigest()
    private var filled = 0

    init(_ source: FileByteSource) {
        self.source = source
        name = source.name
        byteCount = source.byteCount
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try source.read(into: buffer)
        var place = 0
        while place < count {
            let part = min(count - place, FileDigest.blockLength - filled)
            block.update(UnsafeRawBufferPointer(rebasing: buffer[place..<place + part]))
            place += part
            filled += part
            if filled == FileDigest.blockLength { closeBlock() }
        }
        return count
    }

    /// The same as ``FileDigest/text(of:)`` of the file, once all of it has been read.
    var digest: String {
        if filled > 0 { closeBlock() }
        return FileDigest.text(ofBlocks: blocks)
    }

    private func closeBlock() {
        blocks.append(block.text)
        block = ByteDigest()
        filled = 0
    }
}
