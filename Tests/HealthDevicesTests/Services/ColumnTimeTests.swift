import HealthFiles
import Foundation
import HealthJSON
import HealthModel
import Testing

@testable import HealthDevices

@Suite("The dates of tables")
struct ColumnTimeTests {
    private let berlin = LocalClock(timeZone: TimeZone(identifier: "Europe/Berlin")!)
    private let utc = LocalClock(timeZone: .gmt)
    /// 2018-09-12 15:02:23 UTC.
    private static let expected = 558_457_343.0

    @Test(
        "A date as it is written in a language",
        arguments: [
            "Sep 12, 2018, 3:02:23 PM", "Sep 12, 2018, 3:02:23\u{202F}PM", "12 Sep 2018, 15:02:23",
            "12.09.2018, 15:02:23",
            "12 sept. 2018 à 15:02:23", "12 sep. 2018 15:02:23", "12 set 2018, 15:02:23",
            "12 de set. de 2018, 15:02:23",
            "2018/09/12 15:02:23", "2018年9月12日 15:02:23", "2018年9月12日 午後3:02:23", "12 сент. 2018 г., 15:02:23",
            "12 wrz 2018, 15:02:23", "12/09/2018 15:02:23", "12. September 2018 um 15:02:23",
            "2018. szept. 12., 15:02:23", "2018. 9. 12. 오후 3:02:23",
        ])
    func written(text: String) {
        #expect(LocalizedDate(text)?.instant(utc) == Self.expected)
    }

    @Test("Months that begin alike, noon and midnight, and what isn't a date")
    func words() {
        #expect(LocalizedDate.month(called: "juil.") == 7 && LocalizedDate.month(called: "juin") == 6)
        #expect(LocalizedDate.month(called: "März") == 3 && LocalizedDate.month(called: "mrt.") == 3)
        #expect(LocalizedDate.month(called: "mai") == 5 && LocalizedDate.month(called: "May") == 5)
        #expect(LocalizedDate.month(called: "août") == 8 && LocalizedDate.month(called: "июля") == 7)
        #expect(LocalizedDate.month(called: "Agu") == 8 && LocalizedDate.month(called: "Agt") == 8)
        let midnight = LocalizedDate("Jan 1, 2001, 12:00:00 AM")?.instant(utc)
        #expect(midnight == 0 && LocalizedDate("Jan 1, 2001, 12:00:00 PM")?.instant(utc) == 43_200)
        for text in [
            "", "12", "Jan 32, 2018, 1:00:00 AM", "30.02.2018, 10:00:00", "Jan 1, 2018, 13:00:00 PM", "a b c d",
            // The month is of no known language, and the day not the month.
            "2018 eylül 9, 12:02:23",
        ] {
            #expect(LocalizedDate(text)?.instant(utc) == nil, "\(text)")
        }
    }

    @Test("Patterns, numbers and offsets")
    func formats() throws {
        func parse(_ format: String, _ text: String) throws -> Double? {
            try #require(ColumnTimeFormat(format)).parse(text, berlin)
        }
        #expect(try parse("dd.MM.yyyy HH:mm:ss", "12.09.2018 17:02:23") == Self.expected)
        #expect(try parse("M/d/yy h:mm:ss a", "9/12/18 5:02:23 PM") == Self.expected)
        #expect(try parse("M/d/yyyy, h:mm:ss a", "9/12/2018, 5:02:23\u{202F}PM") == Self.expected)
        #expect(try parse("yyyy-MM-dd'T'HH:mm:ss.SSSX", "2018-09-12T15:02:23.000Z") == Self.expected)
        #expect(try parse("yyyy-MM-dd HH:mm:ss Z", "2018-09-12 10:02:23 -0500") == Self.expected)
        #expect(try parse("d MMM yyyy H:mm:ss", "12 Sep 2018 17:02:23") == Self.expected)
        #expect(try parse("iso8601", "2018-09-12T17:02:23") == Self.expected)
        #expect(try parse("seconds", "1536764543") == Self.expected)
        #expect(try parse("milliseconds", "1536764543000") == Self.expected)
        #expect(try parse("spreadsheet", "36892") == -3_600)
        // Spreadsheets of many countries have decimal commas.
        for (format, text) in [("spreadsheet", "36892,25"), ("spreadsheet", "36892.25"), ("seconds", "978325200,0")] {
            #expect(ColumnTimeFormat(format)?.parse(text, berlin, decimal: ",") == 18_000, "\(text)")
        }
        #expect(try parse("dd.MM.yyyy HH:mm", "12/09/2018 17:02") == nil)
        #expect(try parse("dd.MM.yyyy HH:mm", "12.09.2018 17:02:23") == nil)
        for text in ["HH:mm", "yyyy-MM", "dd.MM.yyyy 'at", "qq"] { #expect(ColumnTimeFormat(text) == nil, "\(text)") }
        let offsets = ["UTC+01:00": 3_600, "UTCZ": 0, "-05:00": -18_000, "GMT+2": 7_200, "+0530": 19_800, "UTC": 0]
        for (text, seconds) in offsets { #expect(TimeZoneParser.offset(text) == seconds, "\(text)") }
        #expect(TimeZoneParser.zone("Europe/Berlin")?.identifier == "Europe/Berlin")
        #expect(TimeZoneParser.zone("nowhere") == nil && TimeZoneParser.zone("+25:00") == nil)
    }
}
