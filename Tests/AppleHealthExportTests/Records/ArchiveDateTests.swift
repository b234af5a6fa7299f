@testable import AppleHealthExport
import HealthModel
import HealthTesting
import Testing

@Suite struct ArchiveDateTests {
    /// By the cursor where it takes the text, as the parser does it.
    private func both(_ text: String, _ cursor: inout DateCursor) -> (Double, Double?) {
        let bytes = Array(text.utf8) + [UInt8](repeating: 0, count: 32)
        return (bytes.withUnsafeBufferPointer { cursor.parse($0.baseAddress!) }, ArchiveDate.parse(text))
    }

    @Test func readsTheUsualSpelling() {
        #expect(ArchiveDate.parse("2001-01-01 00:00:00 +0000") == 0)
        #expect(ArchiveDate.parse("2001-01-01 01:00:00 +0100") == 0)
        #expect(ArchiveDate.parse("2000-12-31 23:59:59 -0000") == -1)
        #expect(ArchiveDate.parse("2024-02-29 12:34:56 -0330") == ArchiveText.instant(2024, 2, 29, 16, 4, 56))
        #expect(ArchiveDate.parse("1969-12-31 00:00:00 +0000") == ArchiveText.instant(1969, 12, 31))
    }

    @Test func readsOtherSpellings() {
        #expect(ArchiveDate.parse("2001-01-01T00:00:01Z") == 1)
        #expect(ArchiveDate.parse("2001-01-01 00:00:00.25 +0000") == 0.25)
        #expect(ArchiveDate.parse("2001-01-01T01:00:00+01:00") == 0)
    }

    @Test(arguments: [
        "", "2024-01-01", "2024-13-01 00:00:00 +0000", "2023-02-29 00:00:00 +0000", "2024-01-01 24:00:00 +0000",
        "2024-01-01 00:60:00 +0000", "2024-01-01 00:00:60 +0000", "2024-01-01 00:00:00 +1900",
        "2024-01-01 00:00:00 +0060", "2024-01-01 00:00:00 0000", "2024-01-01 00:00:00 +000",
        "2024-01-01 00:00:00 +00000",
        "2024-01-01 00:00:00", "2024/01/01 00:00:00 +0000", "2024-01-01 00-00-00 +0000", "0000-01-01 00:00:00 +0000",
        "2024-01-00 00:00:00 +0000", "2024-00-10 00:00:00 +0000", "2024-01-01 00:00:00. +0000",
        "x024-01-01 00:00:00 +0000",
        "2024-01-01 0:00:00  +0000",
    ])
    func refuses(_ text: String) {
        #expect(ArchiveDate.parse(text) == nil)
        if text.utf8.count == DateCursor.length {
            var cursor = DateCursor()
            #expect(both(text, &cursor).0.isNaN)
        }
    }

    @Test func cursorAgreesWithParserOnDamagedDates() {
        var random = SplitMix64(seed: 11)
        var cursor = DateCursor()
        let days = ["2024-03-30", "2024-03-31", "2023-12-31", "2024-01-01", "1999-02-28"]
        for _ in 0..<20_000 {
            let day = days.randomElement(using: &random)!
            var bytes = Array("\(day) 12:34:56 +0\(Int.random(in: 0...9, using: &random))00".utf8)
            for place in [11, 12, 14, 15, 17, 18] { bytes[place] = UInt8(48 + Int.random(in: 0...9, using: &random)) }
            if Bool.random(using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let slow = bytes.withUnsafeBufferPointer(ArchiveDate.parse)
            let padded = bytes + [UInt8](repeating: 0, count: 8)
            let fast = padded.withUnsafeBufferPointer { cursor.parse($0.baseAddress!) }
            // The cursor may leave an unusual spelling to the parser, but never reads one differently.
            if !fast.isNaN || slow == nil {
                #expect(fast.isNaN ? slow == nil : slow == fast, "seed 11: \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    @Test func everyDayRoundTrips() {
        // All days of eight centuries, by counting.
        var number = CivilDate.dayNumber(year: 1600, month: 1, day: 1)
        for year in 1600..<2400 {
            for month in 1...12 {
                for day in 1...31 where CivilDate.isValid(year: year, month: month, day: day) {
                    guard CivilDate.dayNumber(year: year, month: month, day: day) == number,
                        CivilDate.date(dayNumber: number) == (year, month, day)
                    else {
                        Issue.record("\(year)-\(month)-\(day)")
                        return
                    }
                    number += 1
                }
            }
        }
        #expect(CivilDate.dayNumber(year: 2001, month: 1, day: 1) == 0)
    }

    @Test(arguments: ["2024-02-29 12:34:56 +0000", "1850-07-01 00:00:00 +0000", "0001-01-01 00:00:00 +0000"])
    func prints(_ text: String) throws {
        #expect(ArchiveDate.print(try #require(ArchiveDate.parse(text))) == text)
    }

    @Test func printsTheNearestDateForInstantsOutOfRange() {
        for instant in [1e12, 1e300, .infinity, .greatestFiniteMagnitude] {
            #expect(ArchiveDate.print(instant) == "9999-12-31 23:59:59 +0000")
            #expect(ArchiveDate.print(-instant) == "0001-01-01 00:00:00 +0000")
        }
        #expect(ArchiveDate.print(-1e300, offset: -3_600) == "0001-01-01 00:00:00 +0000")
        #expect(ArchiveDate.print(.nan) == "0001-01-01 00:00:00 +0000")
        #expect(MetadataText.print(.date(1e300), key: "anything") == "9999-12-31 23:59:59 +0000")
    }

    @Test func printsOffsetsAndFractions() {
        #expect(ArchiveDate.print(0, offset: 3_600) == "2001-01-01 01:00:00 +0100")
        #expect(ArchiveDate.print(0, offset: -12_600) == "2000-12-31 20:30:00 -0330")
        #expect(ArchiveDate.print(0.25) == "2001-01-01 00:00:00.25 +0000")
    }
}
