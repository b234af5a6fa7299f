import ArchiveTestSupport
import Foundation
import HealthFiles
import HealthModel
import Testing

@testable import HealthIngest

@Suite("The order of day and month in dates with slashes")
struct SlashedDatesTests {
    /// The form of a file with dates.
    enum Form: CaseIterable {
        case samples, lists, document, table, summaries

        func file(_ dates: [String]) -> (name: String, text: String) {
            // Foundation escapes the slashes of its JSON.
            let escaped = dates.map { "\"\($0.replacing("/", with: "\\/"))\"" }
            func rows(_ begin: String, _ end: String) -> String {
                escaped.map { "\(begin)\($0)\(end)" }.joined(separator: ",")
            }
            return switch self {
            case .samples: ("a.json", "[\(rows(#"{"type":"stepCount","value":7,"date":"#, "}"))]")
            case .lists:
                (
                    "a.json",
                    #"{"type":"stepCount","value":"#
                        + "\"\(dates.map { _ in "7" }.joined(separator: "\\n"))\""
                        + #","date":"#
                        + "\"\(dates.joined(separator: "\\n"))\"}"
                )
            case .document:
                (
                    "a.json",
                    #"{"data":{"metrics":[{"name":"step_count","units":"count","data":["#
                        + rows(#"{"qty":7,"date":"#, "}") + "]}]}}"
                )
            case .table: ("a.csv", "Type,Value,Date\n" + dates.map { "stepCount,7,\"\($0)\"\n" }.joined())
            case .summaries: ("a.csv", "Date/Time,Step Count (steps)\n" + dates.map { "\"\($0)\",7\n" }.joined())
            }
        }
    }

    @Test(
        "All dates show the order, then hours with AM or PM",
        arguments: Form.allCases,
        [
            (["5/1/2024, 8:00\u{202F}AM"], [(5, 1)]),
            (["5/1/2024, 8:00 AM", "13/1/2024, 8:00 AM"], [(1, 5), (1, 13)]),
            (["1/5/2024, 08:00", "1/13/2024, 08:00"], [(1, 5), (1, 13)]),
            (["5/1/2024, 08:00"], []),
            (["5/1/2024, 8:00 am"], []),
            (["13/1/2024, 8:00 AM", "1/13/2024, 8:00 AM"], []),
        ] as [([String], [(month: Int, day: Int)])])
    func order(form: Form, dates: (texts: [String], days: [(month: Int, day: Int)])) throws {
        let fixture = try ImportFixture()
        let file = form.file(dates.texts)
        try fixture.folder.write(file.text, as: file.name)
        let report = try fixture.run(file.name, zone: "UTC")
        let starts = try fixture.samples("HKQuantityTypeIdentifierStepCount").map(\.start)
        #expect(
            starts == dates.days.map { Double(CivilDate.second(year: 2024, month: $0.month, day: $0.day, hour: 8)) })
        #expect(report.skippedCount == dates.texts.count - dates.days.count, "\(report.skips)")
    }
}
