import Foundation
import HealthModel
import Testing

@testable import HealthDevices
@testable import HealthFiles

@Suite("Archives of several services at one path")
struct SeveralArchivesTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static let rates = bytes(
        #"[{"dateTime" : "05/01/24 07:00:07", "value" : {"bpm" : 60, "confidence" : 2}}]"#)
    private static let googleWeight = bytes("timestamp,weight grams,data source\n2024-05-02T07:00:00Z,80000,Scale\n")

    private static let google = [
        "Takeout/Fitbit/Global Export Data/heart_rate-2024-05-01.json": rates,
        "Takeout/Fitbit/Physical Activity_GoogleData/weight.csv": googleWeight,
    ]
    private static let others = [
        "Withings/weight.csv": bytes(
            "Date,\"Weight (kg)\",\"Fat mass (kg)\",Comments\n\"2024-05-01 07:12:33\",78.4,15.68,\n"),
        "Strava/activities.csv": bytes(
            """
            Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Commute,Activity Gear,Filename
            10001,"May 1, 2024, 10:00:00 AM",Ride,Ride,,783,3.68,true,Merida,

            """),
        "Strava/profile.csv": bytes("Athlete ID,First Name\n1,X\n"),
    ]

    @Test("Each file is read as one of its own service, also with a name that another one has")
    func names() throws {
        let folder = try ArchiveFolder(Self.google.merging(Self.others) { $1 })
        defer { folder.remove() }
        let report = try #require(try folder.importing())
        #expect(report.skips == [])
        #expect(try folder.samples("BodyMass").map(\.value) == [78.4, 80])
        #expect(try folder.samples("BodyFatPercentage").map(\.value) == [0.2])
        #expect(try folder.samples("HeartRate").map(\.value) == [60])
        #expect(try folder.workouts().count == 1)
        #expect(report.unreadCount("is a CSV file whose columns are unknown") == 1)
    }

    @Test("Files that are too many are counted, also in a zip file")
    func tooMany() throws {
        let folder = try ArchiveFolder(["a/heart_rate-2024-05-01.json": Self.rates])
        defer { folder.remove() }
        let zip = try ArchiveFolder.zipped(["b/weight.csv": Self.googleWeight, "b/height.csv": Self.googleWeight])
        try folder.write(zip, "b.zip")
        let search = try #require(FileSearch(path: folder.url.path))
        let found = try RecognizedFiles(
            search, readers: FileRegistry.devices(), maximumCount: 1)
        #expect(found.files.count == 1 && found.unread.list.map(\.count).reduce(0, +) == 2)
    }

    @Test("A divided archive in a zip file within a zip file has the same")
    func zips() throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let parts = try Self.google.merging(Self.others) { $1 }.sorted { $0.key < $1.key }.enumerated().map {
            ("takeout-\($0.offset).zip", try ArchiveFolder.zipped([$0.element.key: $0.element.value]))
        }
        for (name, bytes) in parts { try folder.write(bytes, "parts/\(name)") }
        let first = try #require(try folder.importing(folder.url.path + "/parts"))
        #expect(first.added["HKQuantityTypeIdentifierBodyMass"] == 2 && first.skips == [])
        let all = try folder.write(ArchiveFolder.zipped(Dictionary(uniqueKeysWithValues: parts)), "all.zip")
        let again = try #require(try folder.importing(all))
        #expect(again.added == [:] && again.alreadyThereCount == first.addedCount)
    }

    @Test("A mapping of one's own is recognized under a name of Google's, and is preferred for its files")
    func mapping() throws {
        let mapping = #"""
            {"format": "OpenHealthKit columns", "source": "Pedometer", "files": ["steps.csv"], "time": "timestamp",
             "samples": [{"type": "stepCount", "column": "steps"}]}
            """#
        let folder = try ArchiveFolder([
            "heart_rate-2024-05-01.json": Self.rates, "weight.json": Self.bytes(mapping),
            "steps.csv": Self.bytes("timestamp,steps\n2024-05-01T07:00:00Z,25\n"),
        ])
        defer { folder.remove() }
        let report = try #require(try folder.importing())
        #expect(report.added["HKQuantityTypeIdentifierHeartRate"] == 1)
        // A line of Google's is of a minute.
        let steps = try folder.samples("StepCount")
        #expect(steps.map(\.value) == [25] && steps.allSatisfy { $0.start == $0.end })
        let other = try ArchiveFolder()
        defer { other.remove() }
        let only = try #require(
            try other.importing(folder.url.path, columns: mapping))
        #expect(only.added == ["HKQuantityTypeIdentifierStepCount": 1])
    }

    @Test("A zip file without a directory is reported if there are others, and not claimed by itself")
    func damagedZip() throws {
        let folder = try ArchiveFolder(["takeout-1.zip": [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 100)])
        defer { folder.remove() }
        let error = #expect(throws: ImportError.self) { try folder.importing() }
        #expect(error?.description.contains("takeout-1.zip") == true)
        try folder.write(ArchiveFolder.zipped(Self.google), "takeout-2.zip")
        let report = try #require(try folder.importing())
        #expect(report.addedCount == 2 && report.unread.map(\.files) == [["takeout-1.zip"]])
    }

    @Test("A database of another program is not claimed in a folder, nor are files with names of Google’s beside one")
    func databases() throws {
        let database = Self.bytes("SQLite format 3\0") + [UInt8](repeating: 0, count: 100)
        let folder = try ArchiveFolder(["health.sqlite": database])
        defer { folder.remove() }
        let error = #expect(throws: ImportError.self) { try folder.importing() }
        #expect(error?.description.contains("health.sqlite") == true)
        try folder.write(database, "health_connect_export.db")
        try folder.write(Self.bytes("name\nX\n"), "steps.csv")
        let report = try #require(try folder.importing())
        #expect(report.addedCount == 0 && report.unread.map(\.count).reduce(0, +) == 3)
    }

    @Test("An interruption ends the import of an archive after a file")
    func interruption() throws {
        let folder = try ArchiveFolder(Self.google)
        defer { folder.remove() }
        let options = ImportOptions(batchSize: 1)
        #expect(throws: InterruptedImport.self) {
            try FileImporter.run(path: folder.url.path, options: options, isInterrupted: { true }) { folder.engine }
        }
        let report = try #require(try folder.importing())
        #expect(report.addedCount + report.alreadyThereCount == 2)
    }
}
