@testable import AppleHealthExport
import HealthTesting
import Testing

@Suite struct ByteInternerTests {
    @Test func numbersBytesOnce() {
        var interner = ByteInterner()
        var random = SplitMix64(seed: 41)
        var twin: [[UInt8]: Int] = [:]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random)
            }
            let (number, isNew) = bytes.withUnsafeBufferPointer { interner.intern($0) }
            #expect(isNew == (twin[bytes] == nil))
            #expect(number == twin[bytes, default: twin.count], "seed 41")
            twin[bytes] = number
        }
        #expect(interner.count == twin.count)
    }
}
