import Foundation
import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("Mappings are proposed for unknown tables")
struct ColumnProposalTests {
    private static func proposal(_ text: String, _ name: String = "table.csv") throws -> ColumnProposal {
        let folder = try ArchiveFolder([name: Array(text.utf8)])
        defer { folder.remove() }
        return try ColumnProposal(InputFile(path: folder.url.appendingPathComponent(name).path))
    }

    /// Tables, and what the store has after their import with the proposal as it is.
    static let tables: [(text: String, stored: [String])] = [
        ("Date,Weight (kg)\n2024-05-01,72.5\n", ["BodyMass 72.5 kg 2024-04-30T22:00:00Z"]),
        ("Datum;Gewicht in kg\n01.05.2024;72,500\n", ["BodyMass 72.5 kg 2024-04-30T22:00:00Z"]),
        ("Datum;weight_kg\n01.05.2024 08:30;72.500\n", ["BodyMass 72.5 kg 2024-05-01T06:30:00Z"]),
        (
            "Datum;Uhrzeit;Systolisch;Diastolisch;Puls;Notiz\n13.05.2024;08:30;121;78;61;ruhig\n",
            [
                "BloodPressure 2024-05-13T06:30:00Z", "BloodPressureSystolic 121 mmHg 2024-05-13T06:30:00Z",
                "BloodPressureDiastolic 78 mmHg 2024-05-13T06:30:00Z", "HeartRate 61 count/min 2024-05-13T06:30:00Z",
            ]
        ),
        (
            "Time,Blood Pressure\n2024-05-13T08:30:00Z,121/78\n",
            [
                "BloodPressure 2024-05-13T08:30:00Z", "BloodPressureSystolic 121 mmHg 2024-05-13T08:30:00Z",
                "BloodPressureDiastolic 78 mmHg 2024-05-13T08:30:00Z",
            ]
        ),
        (
            "timestamp,Glucose [mg/dL]\n1715588200,95\n1715588500,101\n",
            [
                "BloodGlucose 95 mg/dL 2024-05-13T08:16:40Z", "BloodGlucose 101 mg/dL 2024-05-13T08:21:40Z",
            ]
        ),
        (
            "Zeitpunkt;Blutzucker\n13.05.2024, 08:30:15;5,4\n",
            ["BloodGlucose 5.4 mmol<180.1558800000541>/L 2024-05-13T06:30:15Z"]
        ),
        (
            "Day,Steps,SpO2\n2024-05-13,9100,0.97\n2024-05-14,8000,\n",
            [
                "StepCount 9100 count 2024-05-12T22:00:00Z +86400", "StepCount 8000 count 2024-05-13T22:00:00Z +86400",
                "OxygenSaturation 0.97 % 2024-05-12T22:00:00Z",
            ]
        ),
        (
            "Start\tEnd\tSteps\tTime zone\n2024-05-13 08:00\t2024-05-13 09:00\t500\tAsia/Tokyo\n",
            ["StepCount 500 count 2024-05-12T23:00:00Z +3600"]
        ),
        (
            "Date,Time,Temperature\n5/13/2024,8:30 AM,98.6\n12/25/2024,8:30 PM,99.1\n",
            ["BodyTemperature 98.6 degF 2024-05-13T06:30:00Z", "BodyTemperature 99.1 degF 2024-12-25T19:30:00Z"]
        ),
        (
            "Date,Type,Value,Unit\n2024-05-13T08:30:00Z,Weight,160,lb\n2024-05-13T08:30:00Z,Heart Rate,61,bpm\n",
            ["BodyMass 160 lb 2024-05-13T08:30:00Z", "HeartRate 61 count/min 2024-05-13T08:30:00Z"]
        ),
        (
            "Exported by an app\n\nDate,Weight (lbs)\n\"May 13, 2024\",160\n",
            ["BodyMass 160 lb 2024-05-12T22:00:00Z"]
        ),
    ]

    @Test("A proposal that is imported as it is has the right values", arguments: tables)
    func imported(text: String, stored: [String]) throws {
        let proposal = try Self.proposal(text)
        let folder = try ArchiveFolder(["table.csv": Array(text.utf8)])
        defer { folder.remove() }
        let path = folder.url.appendingPathComponent("table.csv").path
        let report = try #require(try folder.importing(path, columns: proposal.mapping))
        #expect(try folder.contents() == stored.sorted(), "\(proposal.mapping)")
        #expect(report.skips == [] && report.unread == [], "\(proposal.mapping)")
        #expect(try folder.sources() == ["table"])
    }

    @Test(
        "What isn’t known is said in words, without a cell",
        arguments: [
            ("Date,Weight\n2024-05-13,171.25\n", "“Weight” doesn’t name its unit. It is taken to be kg."),
            ("Date,Mood\n2024-05-13,171.25\n", "Left out, because it isn’t known: “Mood”."),
            ("Date,Mood\n2024-05-13,171.25\n", "No column was recognized. Add “samples”."),
            ("Date,Calories\n2024-05-13,171.25\n", "“Calories” can be several types. Add a sample for it."),
            ("Datum;Eiweiß;Fett\n13.05.2024;80;171,25\n", "“Fett” can be several types. Add a sample for it."),
            (
                "Date,Oxygen saturation\n2024-05-13,0.97\n2024-05-14,0.5\n",
                "“Oxygen saturation” has no number above 1, so 1 is taken to be 100 %. If it isn’t, remove “factor”."
            ),
            ("Number,Weight (kg)\n7,171.25\n", "No column has a date that can be read. Add “time” with its “format”."),
            (
                "Date,Weight (kg)\n05/06/2024,171.25\n",
                "Dates in “Date” can have the day or the month first. If all dates of the file don’t show which, keep one “format”."
            ),
        ])
    func remarks(text: String, remark: String) throws {
        let proposal = try Self.proposal(text)
        #expect(proposal.remarks.contains(remark), "\(proposal.remarks)")
        #expect(!proposal.remarks.contains { $0.contains("171") } && !proposal.mapping.contains("171"))
    }

    @Test(
        "A table without names of columns is refused",
        arguments: ["", "2024-05-13,72\n2024-05-14,73\n", "text\n", "Date,Weight\n", "a,b\nc,d\n"])
    func unnamed(text: String) throws {
        let error = #expect(throws: ImportError.self) { try Self.proposal(text) }
        #expect(error?.kind == .notAnExport)
    }

    @Test("Every word of the table means a type or a role")
    func words() {
        #expect(ColumnWords.meanings.count > 100)
        for (word, meaning) in ColumnWords.meanings {
            let isRole = meaning.hasPrefix("@") && ColumnWords.Role(rawValue: String(meaning.dropFirst())) != nil
            #expect(isRole || ColumnWords.type(called: word)?.shortName == meaning, "\(word)")
        }
    }

    @Test(
        "The name of a column says its type and unit",
        arguments: [
            ("Weight (kg)", "bodyMass", "kg"), ("weight_lbs", "bodyMass", "lbs"), ("Gewicht", "bodyMass", nil),
            ("Weight (morning)", "bodyMass", nil), ("Fat (%)", "bodyFatPercentage", "%"), ("Fat (g)", nil, nil),
            ("fat_%", "bodyFatPercentage", nil), ("Fett (%)", "bodyFatPercentage", "%"), ("Fat", nil, nil),
            ("Blutzucker mmol/L", "bloodGlucose", "mmol/L"), ("Resting Heart Rate", "restingHeartRate", nil),
            ("Herzfrequenz (bpm)", "heartRate", "bpm"), ("Mood", nil, nil), ("Calories", nil, nil), ("Note", nil, nil),
        ])
    func names(name: String, type: String?, unit: String?) {
        let words = ColumnWords(name)
        #expect(words.type?.shortName == type && words.unit == unit)
    }
}
