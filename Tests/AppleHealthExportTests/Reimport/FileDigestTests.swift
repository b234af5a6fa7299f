@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthFiles
import HealthTesting
import Testing

@Suite struct FileDigestTests {
    private func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test(arguments: [0, 1, 1_000, 1 << 20, (1 << 20) + 1, 5_000_000])
    func parallelAndSequentialDigestsAreEqual(_ length: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes(length, seed: 7), as: "file")
        let whole = try FileDigest.text(of: FileByteSource(path: path))
        let source = DigestingByteSource(try FileByteSource(path: path))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 700_001, alignment: 1)
        defer { buffer.deallocate() }
        while try source.read(into: buffer) > 0 {}
        #expect(source.digest == whole && whole.count == 16)
    }

    @Test func everyBlockChangesTheDigest() throws {
        let folder = try TemporaryFolder()
        let content = bytes(3 * FileDigest.blockLength + 5, seed: 8)
        var seen: Set<String> = []
        for place in [nil, 0, FileDigest.blockLength, 2 * FileDigest.blockLength - 1, content.count - 1] {
            var changed = content
            if let place { changed[place] ^= 1 }
            seen.insert(try FileDigest.text(of: FileByteSource(path: folder.write(changed, as: "file"))))
        }
        seen.insert(try FileDigest.text(of: FileByteSource(path: folder.write(content.dropLast(), as: "file"))))
        #expect(seen.count == 6)
    }
}
