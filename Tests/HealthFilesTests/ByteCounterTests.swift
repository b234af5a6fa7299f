@testable import HealthFiles
import HealthTesting
import Testing

@Suite struct ByteCounterTests {
    @Test func countsBytes() {
        var random = SplitMix64(seed: 42)
        for length in [0, 1, 15, 16, 17, 4_096, 20_001] {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...40, using: &random) }
            let (feeds, controls) = bytes.withUnsafeBufferPointer { buffer -> (Int, Int) in
                guard let base = buffer.baseAddress else { return (0, 0) }
                let counts = ByteCounter.counts(base, length)
                #expect(counts.lineFeeds == ByteCounter.lineFeeds(base, length))
                return counts
            }
            #expect(feeds == bytes.filter { $0 == 10 }.count)
            #expect(controls == bytes.filter { $0 < 32 && ![9, 10, 13].contains($0) }.count)
        }
        let feeds = [UInt8](repeating: 10, count: 100_000)
        feeds.withUnsafeBufferPointer { #expect(ByteCounter.lineFeeds($0.baseAddress!, 100_000) == 100_000) }
    }
}

@Suite struct UTF8ValidatorTests {
    private func faults(_ bytes: [UInt8], pieces: Int) -> Int {
        var validator = UTF8Validator()
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            let piece = Array(bytes[start..<min(start + pieces, bytes.count)])
            piece.withUnsafeBufferPointer { validator.add($0.baseAddress!, $0.count) }
        }
        return validator.faults
    }

    @Test func validTextHasNone() {
        let text = Array(
            String(
                repeating:
                    "a plain line of more than thirty-two bytes\n Jo’s Apple\u{A0}Watch 😀 \u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}",
                count: 9
            ).utf8)
        for pieces in [1, 2, 3, 31, 32, 33, 64, text.count] { #expect(faults(text, pieces: pieces) == 0) }
    }

    /// As many faults as the standard library puts in replacement characters, however the bytes are divided.
    @Test(arguments: [41, 42, 43] as [UInt64])
    func countsAsADecoderReplaces(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let alphabet: [UInt8] = [
            0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5,
            0xFF,
        ]
        for _ in 0..<400 {
            // Complete at the end, as an incomplete character isn't an error.
            let bytes =
                (0..<Int.random(in: 1...120, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
                + Array(repeating: 0x20, count: 40)
            let wanted = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { $0 == "\u{FFFD}" }.count
            for pieces in [1, 3, 32, 200] { #expect(faults(bytes, pieces: pieces) == wanted, "seed \(seed): \(bytes)") }
        }
    }
}
