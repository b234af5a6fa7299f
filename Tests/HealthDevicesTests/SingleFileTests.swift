import Foundation
import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("Files of a service given by themselves")
struct SingleFileTests {
    private static func minutes(_ values: [String]) -> String {
        "[" + values.map { "{\n  \"dateTime\" : \"05/01/24 07:00:00\",\n  \"value\" : \($0)\n}" }.joined(separator: ",")
            + "]"
    }

    private static let night = #"""
        [{"logId": 1, "dateOfSleep": "2024-05-02", "startTime": "2024-05-01T23:00:00.000",
        "endTime": "2024-05-02T07:00:00.000", "levels": {"data": [
        {"dateTime": "2024-05-01T23:00:00.000", "level": "deep", "seconds": 28800}]}}]
        """#

    /// Imports a file under another name than its own, as an upload has none.
    private static func importing(_ text: String, as name: String = "5f3a.upload") throws -> (
        folder: ArchiveFolder, report: ImportReport?
    ) {
        let folder = try ArchiveFolder()
        do {
            return (folder, try folder.importing(folder.write(Array(text.utf8), name)))
        } catch {
            folder.remove()
            throw error
        }
    }

    @Test(
        "Content tells what a file is, whatever its name",
        arguments: [
            (minutes([#"{"bpm": 60, "confidence": 2}"#]), "HeartRate"),
            (minutes([#"{"date": "05/01/24", "value": 61.5, "error": 6.7}"#]), "RestingHeartRate"),
            (minutes([#"{"demographicVO2Max": 41.5, "filteredDemographicVO2Max": 42}"#]), "VO2Max"),
            (night, "SleepAnalysis"),
            (
                #"[{"logId": 1, "weight": 176.4, "bmi": 25.1, "fat": 20.5, "date": "05/01/24", "time": "07:30:00"}]"#,
                "BodyMass"
            ),
            (
                "timestamp,beats per minute,data source\n2024-05-01T04:00:07Z,60.0,Charge 5\n2024-05-01T04:00:09Z,61,\n",
                "HeartRate"
            ),
            (
                "timestamp,beats per minute,data source\n2024-05-01T00:00:00Z,60,App\n2024-05-02T00:00:00Z,61,App\n",
                "RestingHeartRate"
            ),
            ("timestamp,steps,data source\n2024-05-01T12:01:00Z,25,Charge 5\n", "StepCount"),
            (
                "timestamp,rmssd,coverage,low_frequency,high_frequency\n2024-05-02T01:00:00,35.5,0.9,1,2\n",
                "HeartRateVariabilityRMSSD"
            ),
            ("date_time,heart_zone_id,total_minutes\n2024-05-01T08:00,FAT_BURN,1\n", "AppleExerciseTime"),
            (
                "sleep_id,sleep_start,sleep_end,data_source\n11,2024-05-02T03:00:00Z,2024-05-02T11:00:00Z,CHARGE_5\n",
                "SleepAnalysis"
            ),
            ("Date,\"Height (m)\",Comments\n\"2024-01-01 08:00:00\",1.8,\n", "Height"),
        ] as [(String, String)])
    func content(text: String, type: String) throws {
        let (folder, report) = try Self.importing(text)
        defer { folder.remove() }
        #expect(report?.skips == [])
        #expect(try !folder.samples(type).isEmpty)
    }

    @Test("What content doesn't tell, the name does, and without one an error says what to give")
    func names() throws {
        let steps = Self.minutes(["\"25\""])
        let oxygen = "timestamp,value\n2024-05-01T08:00:00Z,95.5\n"
        let raw = "start,duration,value\n2024-05-01T09:00:00+02:00,[60],[100]\n"
        for (text, name, type) in [
            (steps, "steps-2024-05-01.json", "StepCount"),
            (steps, "distance-2024-05-01.json", "DistanceWalkingRunning"),
            (oxygen, "Minute SpO2 - 2024-05-01.csv", "OxygenSaturation"), (raw, "raw_tracker_steps.csv", "StepCount"),
        ] {
            let (folder, _) = try Self.importing(text, as: name)
            #expect(try folder.samples(type).count == 1, "\(name)")
            folder.remove()
            let error = #expect(throws: ImportError.self, "\(name)") { try Self.importing(text, as: "data") }
            #expect(error?.kind == .partOfArchive && error?.description.contains("its own name, such as") == true)
        }
    }

    @Test("A name that is given beside the path is the file's")
    func givenName() throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let path = try folder.write(Array(Self.minutes(["\"25\""]).utf8), "5f3a.upload")
        let report = try #require(
            try FileImporter.run(
                path: path, name: "steps-2024-05-01.json", options: .init(), opening: { folder.engine }))
        #expect(report.addedCount == 1)
    }

    @Test(
        "An error says what a file is that isn't imported by itself",
        arguments: [
            (
                "UDSFile_2024-01-01_2024-04-10.json",
                #"[{"userProfilePK": 1, "calendarDate": "2024-01-01"}]"#,
                "Garmin’s document of daily totals"
            ),
            (
                "a.json", #"[{"sleepStartTimestampGMT": "2024-01-01T22:00:00.0", "deepSleepSeconds": 1}]"#,
                "Garmin’s document of sleep"
            ),
            ("food_logs-0.json", "[{}]", "a file of food or water"),
            ("sleep_score.csv", "sleep_log_entry_id,timestamp,overall_score\n1,2024-05-02T11:00:00Z,80\n", "scores"),
            ("other.json", #"{"a": 1}"#, "a JSON file that isn’t known"),
        ])
    func refusals(name: String, text: String, what: String) throws {
        let error = #expect(throws: ImportError.self) { try Self.importing(text, as: name) }
        #expect(error?.kind == .partOfArchive)
        let description = error?.description ?? ""
        #expect(description.contains(what) && description.contains("zip file"), "\(description)")
        // Never what the file has.
        #expect(!description.contains("2024-05-02"))
    }

    @Test("Others' tables and documents aren't claimed")
    func others() throws {
        let error = #expect(throws: ImportError.self) {
            try Self.importing("timestamp,steps\n2024-05-01T07:00:00Z,25\n", as: "pedometer.csv")
        }
        #expect(error?.kind == .notAnExport && error?.description.contains("--columns") == true)
        let (folder, report) = try Self.importing("dear diary", as: "notes.txt")
        folder.remove()
        #expect(report == nil)
    }

    @Test("A first line of megabytes isn’t a header, so that it isn’t compared with every table")
    func longHeader() throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        for (count, isHeader) in [(1_000, true), (100_000, false)] {
            let path = try folder.write(Array(String(repeating: "x", count: count).utf8), "\(count).csv")
            #expect(CandidateFile(InputFile(path: path)).header.isEmpty == !isHeader)
        }
    }
}
