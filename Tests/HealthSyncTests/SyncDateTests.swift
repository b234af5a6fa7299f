import Foundation
import HealthTesting
import Testing

@testable import HealthSync

@Suite("Dates in batches")
struct SyncDateTests {
    @Test(
        "Known instants",
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
            (794_044_800.5, "2026-03-01T08:00:00.5Z"),
            (1.5e-5, "2001-01-01T00:00:00.000015Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
            (63_113_904_000, "4001-01-01T00:00:00Z"), (183_081_599.999, "2006-10-20T23:59:59.999Z"),
        ])
    func known(seconds: Double, text: String) {
        #expect(SyncDate.text(of: seconds) == text)
        #expect(SyncDate.seconds(of: text) == seconds)
    }

    @Test("Every instant comes back bit for bit")
    func roundTrip() throws {
        var random = SplitMix64(seed: 7)
        for round in 0..<20_000 {
            let magnitude = pow(10, Double(round % 11))
            let seconds = Double.random(in: -magnitude...magnitude, using: &random)
            let text = try #require(SyncDate.text(of: seconds))
            #expect(SyncDate.seconds(of: text)?.bitPattern == seconds.bitPattern, "\(text)")
        }
        let encoder = SyncCoding.encoder()
        for extreme in [Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 1e15)] {
            let date = SyncDate(extreme)
            #expect(try SyncCoding.decoder().decode([SyncDate].self, from: encoder.encode([date])) == [date])
        }
    }

    @Test("The calendar agrees with Foundation's over the years")
    func calendar() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in stride(from: -700_000, to: 2_000_000, by: 997) {
            let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
            let parts = calendar.dateComponents([.era, .year, .month, .day], from: date)
            // Foundation's calendar is the Julian one before 1582.
            guard let year = parts.year, year > 1582, parts.era == 1 else { continue }
            let text = String(format: "%04d-%02d-%02dT00:00:00Z", year, parts.month ?? 0, parts.day ?? 0)
            #expect(SyncDate.text(of: date.timeIntervalSinceReferenceDate) == text)
        }
    }

    @Test("Offsets count, and other forms are rejected")
    func forms() {
        #expect(SyncDate.seconds(of: "2001-01-01T02:30:00+02:30") == 0)
        #expect(SyncDate.seconds(of: "2000-12-31T19:00:00.500-05:00") == 0.5)
        for text in [
            "", "2001-01-01", "2001-01-01T00:00:00", "2001-13-01T00:00:00Z", "2001-01-01T24:00:00Z",
            "2001-01-01T00:00:00.Z",
            "2001-01-01T00:00:00+2:00", "2001-01-01 00:00:00Z", "20O1-01-01T00:00:00Z", "2001-01-01T00:00:00Zx",
        ] {
            #expect(SyncDate.seconds(of: text) == nil, "\(text)")
        }
    }
}
