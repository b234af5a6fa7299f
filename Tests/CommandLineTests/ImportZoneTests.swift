import Foundation
import Testing

@Suite("The time zone of an imported person")
struct ImportZoneTests {
    private let scratch = Scratch()

    private func run(_ arguments: [String]) throws -> CommandRun {
        try CommandRun(arguments, store: scratch.store, timeZone: "UTC", now: "2026-11-20T12:00:00Z")
    }

    private func archive(_ locale: String, _ offset: String) throws -> String {
        let file = scratch.file("\(locale).xml")
        let text = """
            <HealthData locale="\(locale)"><ExportDate value="2026-11-20 08:00:00 \(offset)"/><Record type="HKQuantityTypeIdentifierStepCount" \
            sourceName="P" unit="count" startDate="2026-11-19 08:00:00 \(offset)" endDate="2026-11-19 08:09:00 \(offset)" value="321"/></HealthData>
            """
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func firstDay() throws -> String? {
        let answer =
            try run(["stats", "steps", "--every", "day", "--from", "2026-11-18", "--json"]).json() as? [String: Any]
        let days = answer?["statistics"] as? [[String: Any]] ?? []
        return days.first { $0["sumQuantity"] != nil }?["startDate"] as? String
    }

    @Test("An archive of Japan has Japan’s days on a machine in UTC")
    func known() throws {
        let output = try run(["import", archive("ja_JP", "+0900")]).output
        #expect(
            output.contains(
                "\nDays begin at midnight in Asia/Tokyo, the archive’s time zone; “hk profile --time-zone” changes it.\n"
            ))
        #expect(try firstDay() == "2026-11-19T00:00:00+09:00")
        #expect(try run(["profile"]).lines.contains { $0.contains(/^time zone +Asia\/Tokyo$/) })
        let changed = try run(["profile", "--time-zone", "America/New_York", "--json"]).json() as? [String: Any]
        #expect(changed?["timeZone"] as? String == "America/New_York")
        #expect(try firstDay() == "2026-11-18T00:00:00-05:00")
        #expect(try run(["profile", "--time-zone", "none"]).lines.contains { $0.hasSuffix("(of this machine)") })
        #expect(try firstDay() == "2026-11-18T00:00:00+00:00")
        #expect(try run(["profile", "--time-zone", "Tokyo"]).status == 64)
        // Days stay as they were chosen.
        #expect(!(try run(["import", archive("ja_JP", "+0900")]).output.contains("Days begin")))
    }

    @Test("An import says that the archive doesn’t show the zone")
    func unknown() throws {
        let output = try run(["import", archive("en_US", "+0545")]).output
        #expect(output.contains("but the archive’s dates have the offset +0545; “hk profile --time-zone” sets"))
        #expect(try firstDay() == "2026-11-19T00:00:00+00:00")
    }

    @Test("An archive of the machine’s zone needs no words")
    func same() throws {
        #expect(!(try run(["import", archive("is_IS", "+0000")]).output.contains("Days begin")))
    }
}
