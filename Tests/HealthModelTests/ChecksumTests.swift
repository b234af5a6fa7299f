import Testing

import HealthModel

@Suite struct ChecksumTests {
    /// Published values of XXH64 with seed 0.
    @Test(
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)])
    func agreesWithTheSpecification(_ text: String, _ expected: UInt64) {
        #expect(Checksum.of(Array(text.utf8)) == expected)
    }

    @Test func everyByteOfEveryLengthCounts() {
        for length in 1...80 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37) }
            let whole = Checksum.of(bytes)
            for place in 0..<length {
                var changed = bytes
                changed[place] ^= 1 << UInt8(place % 8)
                #expect(Checksum.of(changed) != whole, "length \(length), byte \(place)")
            }
        }
    }
}
