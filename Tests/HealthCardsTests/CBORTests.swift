import HealthTesting
import Testing

@testable import HealthCards

@Suite struct CBORTests {
    /// Examples of RFC 8949, appendix A.
    @Test(
        arguments: [
            ([0x00], CBORValue.integer(0)), ([0x18, 0x64], .integer(100)), ([0x19, 0x03, 0xE8], .integer(1_000)),
            ([0x1A, 0x00, 0x0F, 0x42, 0x40], .integer(1_000_000)), ([0x20], .integer(-1)),
            ([0x38, 0x63], .integer(-100)),
            ([0x1B, 0x00, 0x00, 0x00, 0xE8, 0xD4, 0xA5, 0x10, 0x00], .integer(1_000_000_000_000)),
            ([0xFB, 0x3F, 0xF1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9A], .number(1.1)),
            ([0xFA, 0x47, 0xC3, 0x50, 0x00], .number(100_000)), ([0xF4], .bool(false)), ([0xF5], .bool(true)),
            ([0xF6], .null), ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])),
            ([0x64, 0x49, 0x45, 0x54, 0x46], .text("IETF")),
            ([0x62, 0xC3, 0xBC], .text("ü")), ([0x83, 1, 2, 3], .list([.integer(1), .integer(2), .integer(3)])),
            ([0xA2, 1, 2, 3, 4], .map([.integer(1): .integer(2), .integer(3): .integer(4)])),
            ([0xC1, 0x1A, 0x51, 0x4B, 0x67, 0xB0], .tagged(1, .integer(1_363_896_240))),
        ] as [([UInt8], CBORValue)])
    func examples(bytes: [UInt8], value: CBORValue) throws {
        #expect(try CBORReader.value(of: bytes) == value)
        for length in 0..<bytes.count {
            #expect(throws: CBORReader.Failure.self) { try CBORReader.value(of: Array(bytes.prefix(length))) }
        }
        #expect(throws: CBORReader.Failure.self) { try CBORReader.value(of: bytes + [0]) }
    }

    @Test(
        arguments: [
            [0x1C], [0x9F, 0xFF], [0x7F], [0x61, 0xFF], [0xF8, 0x20], [0x3B] + [UInt8](repeating: 0xFF, count: 8),
            [0x5B] + [UInt8](repeating: 0xFF, count: 8), [0x9B] + [UInt8](repeating: 0x7F, count: 8),
            [UInt8](repeating: 0x81, count: 1_000) + [0],
        ] as [[UInt8]])
    func invalidValuesThrow(_ bytes: [UInt8]) {
        #expect(throws: CBORReader.Failure.self) { try CBORReader.value(of: bytes) }
    }

    @Test func randomBytesNeverTrap() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<5_000 {
            let bytes = (0..<Int(random.next() % 40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            _ = try? CBORReader.value(of: bytes)
        }
    }
}
