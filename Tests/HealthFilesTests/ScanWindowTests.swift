@testable import HealthFiles
import ArchiveTestSupport
import Foundation
import HealthTesting
import Testing

@Suite struct ScanWindowTests {
    /// Lines are asked for in any order, and counted from the last one asked for.
    @Test(arguments: [16, 100, 4_096])
    func linesAreThoseOfTheStream(_ chunkSize: Int) throws {
        var random = SplitMix64(seed: 31)
        let bytes = (0..<5_000).map { _ in
            Int.random(in: 0..<7, using: &random) == 0 ? UInt8(ascii: "\n") : UInt8(ascii: "x")
        }
        var lines = [1]
        for byte in bytes { lines.append(lines.last! + (byte == UInt8(ascii: "\n") ? 1 : 0)) }
        var window = ScanWindow(source: MemorySource(bytes), chunkSize: chunkSize)
        repeat {
            for _ in 0..<20 {
                let offset = Int.random(in: 0...window.count, using: &random)
                let (line, place) = (window.line(at: offset), window.bytesBefore + offset)
                #expect(line == lines[place])
            }
            window.position = Int.random(in: window.count / 2...window.count, using: &random)
        } while try window.refill()
        let read = window.bytesRead
        #expect(read == bytes.count)
    }
}
