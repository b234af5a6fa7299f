import Foundation
import HealthJSON
import HealthModel
import HealthTesting
import Testing

@Suite("Instants as text read back exactly")
struct InstantTextTests {
    private static let zones = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kolkata"].compactMap {
        TimeZone(identifier: $0)
    }

    @Test("Random instants, of every precision, before and after 2001", arguments: zones)
    func random(zone: TimeZone) throws {
        let (writer, reader) = (InstantWriter(timeZone: zone), LocalClock(timeZone: zone))
        var generator = SplitMix64(seed: 11)
        for index in 0..<20_000 {
            let scale = [1, 1e3, 1e6, 1e9][index % 4]
            let magnitude = [1.0, 1e3, 8e8, 5e10][index / 4 % 4]
            let raw = Double.random(in: -magnitude...magnitude, using: &generator)
            let instant = index % 5 == 0 ? raw : (raw * scale).rounded() / scale
            let text = writer.text(instant)
            #expect(
                reader.instant(of: text)?.bitPattern == (instant == 0 ? 0 : instant).bitPattern, "\(instant) \(text)")
        }
    }

    @Test(
        "Texts",
        arguments: [
            (0, "2001-01-01T01:00:00+01:00"), (0.5, "2001-01-01T01:00:00.500+01:00"),
            (-0.25, "2001-01-01T00:59:59.750+01:00"),
            (700_000_000.123, "2023-03-08T21:26:40.123+01:00"),
            (700_000_000.000_001, "2023-03-08T21:26:40.000001+01:00"),
        ] as [(Double, String)])
    func texts(instant: Double, text: String) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(InstantWriter(timeZone: zone).text(instant) == text)
        #expect(LocalClock(timeZone: .gmt).instant(of: text) == instant)
    }

    @Test("Forms without an offset are local, and other texts are not dates")
    func forms() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let reader = LocalClock(timeZone: zone)
        #expect(reader.instant(of: "2001-01-01") == -3_600)
        #expect(reader.instant(of: "2001") == -3_600)
        #expect(reader.instant(of: "2001-01-01 01:00") == 0)
        #expect(reader.instant(of: "2001-01-01T00:00:00Z") == 0)
        #expect(reader.instant(of: "2001-01-01T00:00:00-0130") == 5_400)
        // The hour that the clock skips is after the change.
        #expect(reader.instant(of: "2025-03-30T02:30:00") == reader.instant(of: "2025-03-30T01:30:00Z"))
        for text in [
            "", "2001-13", "2001-02-29", "2001-01-01T24:00", "2001-01-01T00:00:00.", "2001-01-01T00:00:00+1",
            "yesterday", "2001-01-01T",
        ] {
            #expect(reader.instant(of: text) == nil, "\(text)")
        }
    }

    @Test("The form that programs write is read as all others are, with any change of a letter")
    func programForm() throws {
        let seed: UInt64 = 20_261_122
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        let reader = LocalClock(timeZone: .gmt)
        let letters = Array("0123456789-:T.+Z 9".utf8)
        var valid = 0
        for _ in 0..<20_000 {
            let parts = [9_999, 12, 31, 23, 59, 60].map { Int.random(in: 0...$0, using: &random) }
            var text = String(
                format: "%04d-%02d-%02dT%02d:%02d:%02d", parts[0], max(parts[1], 1), max(parts[2], 1), parts[3],
                parts[4], parts[5])
            if Bool.random(using: &random) { text += "." + String(Int.random(in: 0...9_999_999, using: &random)) }
            text += ["Z", "+02:00", "-11:30", "+14:45"].randomElement(using: &random)!
            var bytes = Array(text.utf8)
            if Int.random(in: 0..<3, using: &random) == 0 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = letters.randomElement(using: &random)!
            }
            // A small letter means the same, but isn't what programs write.
            var other = bytes
            if other[10] == UInt8(ascii: "T") { other[10] = UInt8(ascii: "t") }
            let (program, general) = (
                bytes.withUnsafeBufferPointer { reader.instant(of: $0) },
                other.withUnsafeBufferPointer { reader.instant(of: $0) }
            )
            #expect(program == general, "\(String(decoding: bytes, as: UTF8.self))")
            if program != nil { valid += 1 }
        }
        #expect(valid > 10_000)
    }
}
