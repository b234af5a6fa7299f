import Foundation
import HealthTesting
import Testing

@testable import HealthFormats

@Suite("Instants as text read back exactly")
struct InstantTextTests {
    private static let zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kolkata"].compactMap { TimeZone(identifier: $0) }

    @Test("Random instants, of every precision, before and after 2001", arguments: zones)
    func random(zone: TimeZone) throws {
        let (writer, reader) = (InstantWriter(timeZone: zone), InstantReader(timeZone: zone))
        var generator = SplitMixGenerator(seed: 11)
        for index in 0..<20_000 {
            let scale = [1, 1e3, 1e6, 1e9][index % 4]
            let magnitude = [1.0, 1e3, 8e8, 5e10][index / 4 % 4]
            let raw = Double.random(in: -magnitude...magnitude, using: &generator)
            let instant = index % 5 == 0 ? raw : (raw * scale).rounded() / scale
            let text = writer.text(instant)
            #expect(reader.instant(of: text)?.bitPattern == (instant == 0 ? 0 : instant).bitPattern, "\(instant) \(text)")
        }
    }

    @Test(
        "Texts",
        arguments: [
            (0, "2001-01-01T01:00:00+01:00"), (0.5, "2001-01-01T01:00:00.500+01:00"), (-0.25, "2001-01-01T00:59:59.750+01:00"),
            (700_000_000.123, "2023-03-08T21:26:40.123+01:00"), (700_000_000.000_001, "2023-03-08T21:26:40.000001+01:00"),
        ] as [(Double, String)])
    func texts(instant: Double, text: String) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(InstantWriter(timeZone: zone).text(instant) == text)
        #expect(InstantReader(timeZone: .gmt).instant(of: text) == instant)
    }

    @Test("Forms without an offset are local, and other texts are not dates")
    func forms() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let reader = InstantReader(timeZone: zone)
        #expect(reader.instant(of: "2001-01-01") == -3_600)
        #expect(reader.instant(of: "2001") == -3_600)
        #expect(reader.instant(of: "2001-01-01 01:00") == 0)
        #expect(reader.instant(of: "2001-01-01T00:00:00Z") == 0)
        #expect(reader.instant(of: "2001-01-01T00:00:00-0130") == 5_400)
        // The hour that the clock skips is after the change.
        #expect(reader.instant(of: "2025-03-30T02:30:00") == reader.instant(of: "2025-03-30T01:30:00Z"))
        for text in ["", "2001-13", "2001-02-29", "2001-01-01T24:00", "2001-01-01T00:00:00.", "2001-01-01T00:00:00+1", "yesterday", "2001-01-01T"] {
            #expect(reader.instant(of: text) == nil, "\(text)")
        }
    }
}

/// The generator of SplitMix64 (Steele, Lea, Flood 2014), for tests.
struct SplitMixGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
