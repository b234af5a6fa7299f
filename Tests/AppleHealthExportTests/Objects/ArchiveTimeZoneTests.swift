import ArchiveTestSupport
import Foundation
import HealthEngine
import HealthModel
import HealthImport
import Testing

@testable import AppleHealthExport

@Suite("The time zone of a person is that of the archive if that shows it")
struct ArchiveTimeZoneTests {
    private static func instant(_ text: String) -> Double { ArchiveDate.parse(text) ?? .nan }

    @Test(
        "By the region of the archive and the date of its export",
        arguments: [
            ("ja_JP", "2026-11-20 08:00:00 +0900", "Asia/Tokyo"),
            ("de_DE", "2026-07-01 08:00:00 +0200", "Europe/Berlin"),
            ("en-GB", "2026-01-01 08:00:00 +0000", "Europe/London"),
            ("zh-Hant_TW", "2026-01-01 08:00:00 +0800", "Asia/Taipei"),
            // Denver and Phoenix have the same time in winter only.
            ("en_US", "2026-01-01 08:00:00 -0700", nil),
            // A traveler.
            ("ja_JP", "2026-11-20 08:00:00 +0100", nil), ("ja", "2026-11-20 08:00:00 +0900", nil),
            ("ja_JP", "yesterday", nil),
        ])
    func regions(_ locale: String, _ date: String, _ zone: String?) {
        #expect(ArchiveTimeZone(locale: locale, exportDate: date).zone?.identifier == zone)
    }

    @Test("By dates with several offsets")
    func offsets() {
        var archive = ArchiveTimeZone(locale: "en_US", exportDate: "2026-01-01 08:00:00 -0700")
        archive.dates = ["2025-07-01 08:00:00 -0700", "2025-12-01 08:00:00 -0700"].map {
            (Self.instant($0), -7 * 3_600)
        }
        // One offset is that of the export.
        #expect(archive.zone == nil)
        archive.dates = [
            (Self.instant("2025-07-01 08:00:00 -0600"), -6 * 3_600),
            (Self.instant("2025-12-01 08:00:00 -0700"), -7 * 3_600),
        ]
        #expect(archive.zone?.identifier == "America/Denver")
        #expect(archive.fits(TimeZone(identifier: "America/Boise")!) && !archive.fits(.gmt))
    }

    @Test(
        "Without a locale, or with that of another region, by the offsets of a year alone",
        arguments: [
            (nil, "-0330", -9_000, -12_600, "America/St_Johns"), ("en_US", "+0100", 7_200, 3_600, "Europe/Paris"),
            ("ja", "+0200", 10_800, 7_200, nil),
        ] as [(String?, String, Int, Int, String?)])
    func offsetsAlone(_ locale: String?, _ export: String, _ summer: Int, _ winter: Int, _ zone: String?) {
        var archive = ArchiveTimeZone(locale: locale, exportDate: "2026-01-01 08:00:00 \(export)")
        archive.dates = [
            (Self.instant("2025-07-01 08:00:00 +0000"), summer), (Self.instant("2025-12-01 08:00:00 +0000"), winter),
        ]
        #expect(archive.zone?.identifier == zone)
    }

    @Test("By the zones that samples name")
    func names() {
        func batch(_ zones: [String]) -> BulkBatch {
            BulkBatch(
                objects: zones.map {
                    ObjectRecord(
                        type: TypeCatalog.description(for: "HKWorkoutTypeIdentifier")!.code, start: 0, end: 1,
                        metadata: Metadata([.init(key: "HKTimeZone", value: .string($0))]),
                        body: .workout(WorkoutBody(activityType: 37, duration: 1)))
                })
        }
        var archive = ArchiveTimeZone(locale: "en_US", exportDate: "2026-01-01 08:00:00 -0700")
        archive.add(batch(["Europe/Berlin", "Europe/Berlin", "America/Phoenix", "nowhere"]))
        #expect(archive.zone?.identifier == "America/Phoenix")
    }

    @Test("The parser knows the offsets of the dates")
    func parser() throws {
        var cursor = DateCursor()
        for text in ["2025-07-01 08:00:00 +0200", "2025-07-02 08:00:00 +0200", "2025-12-01 08:00:00 +0100"] {
            _ = Array(text.utf8).withUnsafeBufferPointer { cursor.parse($0.baseAddress!) }
        }
        #expect(cursor.offsets.dates.map(\.offset) == [7_200, 3_600])
    }

    /// The machine has another zone than these archives.
    @Test("An import keeps the zone, and says what it can't tell")
    func imports() throws {
        let own = TimeZone.current.secondsFromGMT(
            for: Date(timeIntervalSinceReferenceDate: Self.instant("2026-11-20 08:00:00 +0900")))
        try #require(own != 9 * 3_600 && own != 12 * 3_600 + 45 * 60)
        func archive(_ locale: String, _ offset: String) -> String {
            """
            <HealthData locale="\(locale)"><ExportDate value="2026-11-20 08:00:00 \(offset)"/><Record type="HKQuantityTypeIdentifierStepCount" \
            sourceName="P" unit="count" startDate="2026-11-19 08:00:00 \(offset)" endDate="2026-11-19 08:09:00 \(offset)" value="321"/></HealthData>
            """
        }
        let folder = try TemporaryFolder()
        let store = try ImportedStore()
        let unknown = try store.run(folder.write(archive("ja_JP", "+1245"), as: "a.xml"))
        #expect(try store.engine.imports.metadata(ImportHistory.timeZoneKey) == nil)
        #expect(unknown.remarks.count == 1 && unknown.remarks[0].contains("+1245"))
        #expect(unknown.remarks[0].contains("hk profile --time-zone"))
        let known = try store.run(folder.write(archive("ja_JP", "+0900"), as: "b.xml"))
        #expect(try store.engine.imports.metadata(ImportHistory.timeZoneKey) == "Asia/Tokyo")
        #expect(known.remarks.count == 1 && known.remarks[0].contains("Asia/Tokyo"))
        // A zone that the person has stays.
        let later = try store.run(folder.write(archive("de_DE", "+0100"), as: "c.xml"))
        #expect(try store.engine.imports.metadata(ImportHistory.timeZoneKey) == "Asia/Tokyo")
        #expect(later.remarks == [])
    }
}
