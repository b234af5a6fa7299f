import AppleHealthGenerator
import ArchiveTestSupport
import Foundation
import Testing

@Suite("Generated archives")
struct ArchiveGeneratorTests {
    private static let newYork = TimeZone(identifier: "America/New_York")!

    private func date(_ text: String) -> Date {
        try! Date(text, strategy: .iso8601)
    }

    private func text(
        records: Int = 2_000, seed: UInt64 = 7, until: String = "2025-11-16T12:00:00-05:00", zone: TimeZone = newYork
    ) throws -> (text: String, records: Int) {
        var bytes: [UInt8] = []
        let written = try ArchiveGenerator(
            options: GeneratorOptions(records: records, seed: seed, exportDate: date(until), timeZone: zone)
        ).writeXML { bytes += $0 }
        return (String(decoding: bytes, as: UTF8.self), written)
    }

    private func elements(_ text: String, _ tag: String, indent: String = " ") -> [[String: String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("\(indent)<\(tag) ") }.map { line in
            Dictionary(
                line.matches(of: #/ ([A-Za-z]+)="([^"]*)"/#).map { (String($0.output.1), String($0.output.2)) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    @Test("The same options give the same bytes; another seed gives different bytes")
    func deterministic() throws {
        let first = try text()
        #expect(try text().text == first.text)
        #expect(try text(seed: 8).text != first.text)
        // Pinned: the data for demos and benchmarks is the same on every machine and in every version.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in first.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        #expect(hash == 4_831_516_121_463_096_096)
    }

    @Test(
        "The number of records is the requested one, or slightly higher",
        arguments: [1_200, 2_500, 9_000, 13_500, 30_000])
    func counts(records: Int) throws {
        let (text, written) = try text(records: records)
        #expect(written >= records && Double(written) <= Double(records) * 1.05)
        #expect(elements(text, "Record").count == written)
        #expect(elements(text, "ActivitySummary").count == max(14, records / 940))
    }

    @Test("The document is well-formed")
    func wellFormed() throws {
        let text = try text().text
        #expect(WellFormedness.fault(in: text) == nil)
        // The check can fail.
        #expect(WellFormedness.fault(in: text.replacing("</HealthData>", with: "")) != nil)
        #expect(WellFormedness.fault(in: text.replacing("&amp;", with: "&")) != nil)
        #expect(WellFormedness.fault(in: text.replacing("&quot;", with: "\"")) != nil)
    }

    @Test("Every date has the offset of the export date and is not later")
    func dates() throws {
        for (until, zone, offset) in [
            ("2025-11-16T12:00:00-05:00", "America/New_York", "-0500"),
            ("2025-07-04T00:05:00+02:00", "Europe/Berlin", "+0200"),
            ("2025-03-09T03:30:00-04:00", "America/New_York", "-0400"),
        ] {
            let text = try text(until: until, zone: TimeZone(identifier: zone)!).text
            let last = text.firstMatch(of: #/<ExportDate value="([^"]*)"/#).map { String($0.output.1) } ?? ""
            let all = text.matches(of: #/(?:startDate|endDate|creationDate|date)="([^"]*)"/#).map {
                String($0.output.1)
            }
            #expect(all.count > 4_000)
            #expect(all.allSatisfy { $0.hasSuffix(" \(offset)") })
            // With one offset, text and instants have the same order.
            #expect(all.allSatisfy { $0 <= last })
            for record in elements(text, "Record") { #expect(record["startDate"]! <= record["endDate"]!) }
        }
    }

    @Test("Summaries are the totals of a day's records, including the last day")
    func summaries() throws {
        for until in ["2025-11-16T12:00:00-05:00", "2025-11-16T00:00:00-05:00", "2025-03-20T23:59:00-04:00"] {
            let text = try text(until: until).text
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = Self.newYork
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
            func day(_ record: [String: String]) -> String {
                let parts = calendar.dateComponents(
                    [.year, .month, .day], from: formatter.date(from: record["startDate"]!)!)
                return String(format: "%04d-%02d-%02d", parts.year!, parts.month!, parts.day!)
            }
            var energy: [String: Double] = [:]
            var exercise: [String: Double] = [:]
            var stood: [String: Double] = [:]
            for record in elements(text, "Record") {
                switch record["type"] {
                case "HKQuantityTypeIdentifierActiveEnergyBurned":
                    energy[day(record), default: 0] += Double(record["value"]!)!
                case "HKQuantityTypeIdentifierAppleExerciseTime":
                    exercise[day(record), default: 0] += Double(record["value"]!)!
                case "HKCategoryTypeIdentifierAppleStandHour":
                    stood[day(record), default: 0] += record["value"] == "HKCategoryValueAppleStandHourStood" ? 1 : 0
                default: break
                }
            }
            let summaries = elements(text, "ActivitySummary")
            #expect(summaries.count == 14)
            for summary in summaries {
                let day = summary["dateComponents"]!
                #expect(abs(Double(summary["activeEnergyBurned"]!)! - energy[day, default: 0]) < 1e-6)
                #expect(Double(summary["appleExerciseTime"]!)! == exercise[day, default: 0])
                #expect(Double(summary["appleStandHours"]!)! == stood[day, default: 0])
            }
            #expect(summaries.last?["dateComponents"] == String(until.prefix(10)))
        }
    }

    @Test("Days of daylight saving changes have 23 or 25 hours, and cumulative samples are within one day")
    func clocks() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = Self.newYork
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
        for (until, changed, hours) in [
            ("2025-03-12T12:00:00-04:00", "2025-03-09T12:00:00-04:00", 23),
            ("2025-11-05T12:00:00-05:00", "2025-11-02T12:00:00-05:00", 25),
        ] {
            let text = try text(until: until).text
            let day = calendar.dateInterval(of: .day, for: date(changed))!
            #expect(day.duration == Double(hours) * 3_600)
            let records = elements(text, "Record").filter { $0["type"] == "HKQuantityTypeIdentifierActiveEnergyBurned" }
            var within = 0
            for record in records {
                let (start, end) = (
                    formatter.date(from: record["startDate"]!)!, formatter.date(from: record["endDate"]!)!
                )
                if start >= day.start, start < day.end {
                    within += 1
                    #expect(end <= day.end)
                } else {
                    #expect(!(start < day.start && end > day.start))
                }
            }
            #expect(within > 5)
        }
    }

    @Test("It has the peculiarities of real archives")
    func hard() throws {
        let text = try text().text
        for piece in [
            "<!DOCTYPE HealthData [", "Mia’s Apple\u{A0}Watch", "iPhone 📱", "Chew &quot;&amp;&quot; Log 🥗",
            "&lt;&lt;HKDevice: 0x",
            "<HeartRateVariabilityMetadataList>", "<Correlation type=\"HKCorrelationTypeIdentifierFood\"",
            "<WorkoutStatistics", "00 %\"", "kcal/hr·kg", "key=\"HKTimeZone\"",
        ] { #expect(text.contains(piece), "\(piece)") }
        // Members of correlations are also at top level.
        let inner = elements(text, "Record", indent: "  ")
        let outer = Set(elements(text, "Record"))
        #expect(!inner.isEmpty)
        #expect(inner.allSatisfy(outer.contains))
        // The watch and the phone count the same steps.
        let sources = Set(
            elements(text, "Record").filter { $0["type"] == "HKQuantityTypeIdentifierStepCount" }.map {
                $0["sourceName"]!
            })
        #expect(sources.count == 2)
    }

    @Test("Zip file, XML file and folder have the same content")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let generator = ArchiveGenerator(
            options: GeneratorOptions(
                records: 1_500, exportDate: date("2025-11-16T12:00:00-05:00"), timeZone: Self.newYork))
        for name in ["a.xml", "a.zip", "a"] {
            #expect(try generator.write(toPath: folder.appendingPathComponent(name).path) == 1_500)
        }
        let plain = try Data(contentsOf: folder.appendingPathComponent("a.xml"))
        #expect(try Data(contentsOf: folder.appendingPathComponent("a/apple_health_export/export.xml")) == plain)
        let zip = try Data(contentsOf: folder.appendingPathComponent("a.zip"))
        #expect(zip.prefix(4) == Data([0x50, 0x4B, 3, 4]))
        #expect(zip.count < plain.count / 5)
    }
}
