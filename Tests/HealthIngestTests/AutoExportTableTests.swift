import ArchiveTestSupport
import Foundation
import HealthFiles
import HealthModel
import Testing

@testable import HealthIngest

@Suite("The CSV files of Health Auto Export")
struct AutoExportTableTests {
    private static let days = """
        Date/Time,Step Count (steps),Heart Rate [Min] (bpm),Heart Rate [Max] (bpm),Heart Rate [Avg] (bpm),Blood Pressure [Systolic] (mmHg),Blood Pressure [Diastolic] (mmHg),Weight (lb),Body Fat Percentage (%),Sleep Analysis [Total] (hr),Mood (points),Caffeine (mg)
        2026-02-05 00:00:00,1200,50,120,70,,,,,7,,
        2026-02-06 00:00:00,900,52,110,68,120,80,150,20,,3,

        """
    private static func quantity(_ name: String) -> String { "HKQuantityTypeIdentifier" + name }

    @Test("A column is a metric in its unit, and a row a summary of its day")
    func days() throws {
        let fixture = try ImportFixture()
        try fixture.folder.write(Self.days, as: "HealthAutoExport-2026-02-05-2026-02-06.csv")
        let report = try fixture.run()
        let expected: [(String, [Double], String)] = [
            ("StepCount", [1_200, 900], "count"), ("HeartRate", [70, 68], "count/min"), ("BodyMass", [150], "lb"),
            ("BodyFatPercentage", [0.2], "%"),
        ]
        for (name, values, unit) in expected {
            let samples = try fixture.samples(Self.quantity(name))
            #expect(samples.map(\.value) == values && Set(samples.map(\.unit)) == [unit], "\(name)")
            #expect(samples.allSatisfy { $0.end - $0.start == 86_400 }, "\(name)")
        }
        let pressures = try fixture.objects("HKCorrelationTypeIdentifierBloodPressure")
        #expect(pressures.map { $0.members.map(\.value).sorted() } == [[80, 120]])
        #expect(report.irregularities["column “Sleep Analysis [Total] (hr)”, left out"] == 1)
        #expect(report.irregularities["column “Mood (points)”, left out"] == 1)
        #expect(report.skippedCount == 0)
        #expect(try fixture.run().addedCount == 0)
    }

    @Test("A table and a document of the same day are stored once, in any order", arguments: [false, true])
    func document(isFirst: Bool) throws {
        let fixture = try ImportFixture()
        let document = #"""
            {"data":{"metrics":[{"name":"step_count","units":"count","data":[
            {"date":"2026-02-05 00:00:00 +0100","qty":1200},{"date":"2026-02-06 00:00:00 +0100","qty":900}]}]}}
            """#
        try fixture.folder.write(document, as: "a.json")
        try fixture.folder.write(Self.days, as: "a.csv")
        for name in isFirst ? ["a.json", "a.csv"] : ["a.csv", "a.json"] { _ = try fixture.run(name) }
        #expect(try fixture.samples(Self.quantity("StepCount")).map(\.value) == [1_200, 900])
    }

    @Test("A table is read in parts, and up to a row that is damaged")
    func parts() throws {
        let rows = (0..<5).map { "2026-02-0\($0 + 1) 00:00:00,\($0),\n" }.joined()
        let text = "Date/Time,Step Count (steps),Weight (kg)\n" + rows + "\"open"
        func source() -> () -> [UInt8] {
            var rest = Array(text.utf8)
            return {
                defer { rest = [] }
                return rest
            }
        }
        let table = try AutoExportTable(source(), .gmt, SlashedDates { _ in })
        #expect(table.aggregation == .day && table.leftOut.damages.map(\.line) == [7])
        var documents: [String] = []
        try table.forEachDocument(of: 2, source()) { documents.append(String(decoding: $0, as: UTF8.self)) }
        #expect(documents.map { $0.components(separatedBy: "\"date\"").count - 1 } == [2, 2, 1])
        #expect(documents.allSatisfy { $0.contains("step_count") && !$0.contains("weight") })
    }

    @Test(
        "The times of the rows say which period each has",
        arguments: [
            (["2026-02-05 00:00:00", "2026-02-05 01:00:00"], 3_600.0),
            (["2026-02-05 00:00:00 +0100", "2026-02-05 00:07:00 +0100"], 60.0),
            (["2026-02-02 00:00:00", "2026-02-09 00:00:00"], 0.0),
        ])
    func periods(dates: [String], length: Double) throws {
        let fixture = try ImportFixture()
        let rows = dates.map { "\($0),12\n" }.joined()
        try fixture.folder.write("Date/Time,Step Count (count)\n" + rows, as: "a.csv")
        _ = try fixture.run()
        let samples = try fixture.samples(Self.quantity("StepCount"))
        #expect(samples.map { $0.end - $0.start } == [length, length])
    }

    @Test(
        "Another table isn’t one of these",
        arguments: [
            "Date,Weight (kg)\n", "Date/Time,Weight\n", "Date/Time,Mood (points)\n", "Time,Step Count (count)\n",
        ])
    func others(text: String) {
        #expect(!AutoExportTable.isHeader(text.dropLast().split(separator: ",").map(String.init)))
    }
}
