@testable import AppleHealthExport
import Foundation
import Testing

@Suite struct FileDigestTests {
    private func digest(_ bytes: [UInt8], cut: (inout SeededRandom) -> Int = { _ in .max }, seed: UInt64 = 1) -> String
    {
        var random = SeededRandom(seed: seed)
        var digest = ByteDigest()
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(cut(&random)))
            part.withUnsafeBytes { digest.update($0) }
            rest = rest.dropFirst(part.count)
        }
        return digest.text
    }

    private func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test func splittingDoesNotChangeTheDigest() {
        for length in [0, 1, 63, 64, 65, 127, 128, 1_000, 4_096] {
            let bytes = bytes(length, seed: 5)
            for seed in 1...10 as ClosedRange<UInt64> {
                #expect(
                    digest(bytes, cut: { Int.random(in: 1...150, using: &$0) }, seed: seed) == digest(bytes),
                    "\(length)")
            }
        }
    }

    @Test func everyBitChangesTheDigest() {
        let bytes = bytes(200, seed: 6)
        var seen: Set<String> = [digest(bytes)]
        for place in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[place] ^= 1 << UInt8(bit)
                seen.insert(digest(other))
            }
        }
        #expect(seen.count == 1 + 200 * 8)
    }

    @Test func lengthAndOrderChangeTheDigest() {
        // Zeros at the end look like the padding.
        let lengths = (0...300).map { digest(Array(repeating: 0, count: $0)) }
        #expect(Set(lengths).count == 301)
        let blocks = (0..<4).map { self.bytes(64, seed: UInt64(10 + $0)) }
        var seen: Set<String> = []
        for first in 0..<4 {
            for second in 0..<4 { seen.insert(digest(blocks[first] + blocks[second])) }
        }
        #expect(seen.count == 16)
        #expect(digest([1]).count == 32)
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
        #expect(source.digest == whole)
    }
}
