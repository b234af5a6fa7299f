import Testing

@testable import AppleHealthExport

@Suite struct ByteInternerTests {
    @Test func numbersBytesOnce() {
        var interner = ByteInterner()
        var random = SeededRandom(seed: 41)
        var twin: [[UInt8]: Int] = [:]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...3, using: &random) }
            let (number, isNew) = bytes.withUnsafeBufferPointer { interner.intern($0) }
            #expect(isNew == (twin[bytes] == nil))
            #expect(number == twin[bytes, default: twin.count], "seed 41")
            twin[bytes] = number
        }
        #expect(interner.count == twin.count)
    }

    @Test func countsBytes() {
        var random = SeededRandom(seed: 42)
        for length in [0, 1, 15, 16, 17, 4_096, 20_001] {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...40, using: &random) }
            let (feeds, controls) = bytes.withUnsafeBufferPointer { buffer -> (Int, Int) in
                guard let base = buffer.baseAddress else { return (0, 0) }
                let census = ByteCensus.census(base, length)
                #expect(census.lineFeeds == ByteCensus.lineFeeds(base, length))
                return census
            }
            #expect(feeds == bytes.filter { $0 == 10 }.count)
            #expect(controls == bytes.filter { $0 < 32 && ![9, 10, 13].contains($0) }.count)
        }
        let feeds = [UInt8](repeating: 10, count: 100_000)
        feeds.withUnsafeBufferPointer { #expect(ByteCensus.lineFeeds($0.baseAddress!, 100_000) == 100_000) }
    }
}
