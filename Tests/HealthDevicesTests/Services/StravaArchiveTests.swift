import HealthFiles
import ArchiveTestSupport
import Foundation
import HealthCompression
import HealthDevices
import HealthModel
import Testing

@Suite("Strava’s archive")
struct StravaArchiveTests {
    /// 2024-05-01 10:00:00 UTC.
    private static let start = 736_250_400.0
    private static let missing = "file of an activity, which the archive doesn’t have, left out"

    /// The header and the date of a language in the layout of today.
    enum Language: String, CaseIterable {
        case english, german, dutch, unknown

        var header: String {
            switch self {
            case .english:
                "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Max Heart Rate,Relative Effort,Commute,Activity Private Note,Activity Gear,Filename,Athlete Weight,Bike Weight,Elapsed Time,Moving Time,Distance,Max Speed,Average Speed,Elevation Gain,Elevation Loss,Elevation Low,Elevation High,Max Grade,Average Grade,Average Positive Grade,Average Negative Grade,Max Cadence,Average Cadence,Max Heart Rate,Average Heart Rate,Max Watts,Average Watts,Calories,Max Temperature"
            case .german:
                "Aktivitäts-ID,Aktivitätsdatum,Name der Aktivität,Aktivitätsart,Aktivitätsbeschreibung,Verstrichene Zeit,Distanz,Max. Herzfrequenz,Relative Leistung,Pendeln,Hinweis zur Privatsphäre für Aktivitäten,Aktivitätsausrüstung,Dateiname,Sportlergewicht,Fahrradgewicht,Verstrichene Zeit,Bewegungszeit,Distanz,Höchstgeschw.,Durchschnittliche Geschwindigkeit,Höhenzunahme,Höhenunterschied,Min. Höhe,Max. Höhe,Max. Steigung,Durchschnittliche Steigung,Durchschnittliche positive Steigung,Durchschnittliche negative Steigung,Max. Tritt-/Schrittfrequenz,Durchschnittliche Trittfrequenz,Max. Herzfrequenz,Durchschnittliche Herzfrequenz,Max. Watt,Durchschnittliche Watt,Kalorien,Max. Temperatur"
            case .dutch:
                "Activiteits-ID,Datum van activiteit,Naam van activiteit,Activiteitstype,Beschrijving,Verstreken tijd,Afstand,c7,c8,Woon-werkverkeer,c10,Materiaal voor activiteit,Bestandsnaam,c13,c14,Verstreken tijd,Beweegtijd,Afstand,c18,c19,Hoogtewinst,c21,c22,c23,c24,c25,c26,c27,c28,c29,c30,c31,c32,c33,c34,c35"
            case .unknown: (0..<36).map { "słupek \($0)" }.joined(separator: ",")
            }
        }

        var date: String {
            switch self {
            case .english: "\"May 1, 2024, 10:00:00 AM\""
            case .german: "\"01.05.2024, 10:00:00\""
            case .dutch: "1 mei 2024 10:00:00"
            case .unknown: "\"1 maj 2024, 10:00:00\""
            }
        }

        var ride: String {
            switch self {
            case .english: "Ride"
            case .german: "Radfahrt"
            case .dutch: "Fietsrit"
            case .unknown: "jazda na rowerze"
            }
        }

        var kilometers: String { self == .english ? "9.44" : "\"9,44\"" }

        func row(_ id: Int, file: String, name: String = "\"Ride, home\"") -> String {
            "\(id),\(date),\(name),\(ride),\"Notes with\nlines\",3189,\(kilometers),150,,true,,Patria,\(file),,20.0,3189.0,2070.0,9440,8.5,4.5,120.5,110,30,60,5,0,1,1,,,160,130,,,300,"
                + "\n"
        }
    }

    @Test("Activities without a file become workouts by the figures of the list", arguments: Language.allCases)
    func list(language: Language) throws {
        // An unknown language is recognized by an activity that has a file.
        let rows = language.row(10_001, file: "") + language.row(10_002, file: "activities/10002.fit.gz")
        let folder = try ArchiveFolder(["export_1/activities.csv": Array((language.header + "\n" + rows).utf8)])
        defer { folder.remove() }
        let report = try #require(try folder.importing())
        #expect(report.skips.map(\.reason) == [])
        let workouts = try folder.workouts()
        #expect(workouts.count == 2)
        let workout = try #require(workouts.first)
        guard case .workout(let body) = workout.body else { return }
        #expect(body.activityType == 13 && body.duration == 2_070)
        #expect(workout.start == Self.start && workout.end == Self.start + 3_189)
        #expect(body.totalDistance == QuantityRecord(9_440, unit: "m"))
        #expect(body.totalEnergyBurned == QuantityRecord(300, unit: "kcal"))
        #expect(workout.metadata["Title"] == .string("Ride, home") && workout.metadata["Gear"] == .string("Patria"))
        #expect(workout.metadata["Notes"] == .string("Notes with\nlines"))
        #expect(workout.metadata["HKElevationAscended"] == .quantity(120.5, unit: "m"))
        #expect(workout.metadata["HKExternalUUID"] != workouts[1].metadata["HKExternalUUID"])
        let rates = body.statistics.first { $0.type == "HKQuantityTypeIdentifierHeartRate" }
        #expect(rates?.average == 130 && rates?.maximum == 160)
        #expect(try folder.importing()?.addedCount == 0)
    }

    @Test("The layout of before 2019 has meters and other dates")
    func early() throws {
        let list = """
            id,date,name,type,description,elapsed_time,distance,commute,gear,filename
            1836776031,2024-05-01 10:00:00,Evening Ride,Ride,,783,3681.0,true,Merida,
            """
        let folder = try ArchiveFolder(["activities.csv": Array(list.utf8)])
        defer { folder.remove() }
        _ = try folder.importing()
        let workout = try #require(try folder.workouts().first)
        guard case .workout(let body) = workout.body else { return }
        #expect(workout.start == Self.start && body.totalDistance == QuantityRecord(3_681, unit: "m"))
        // The layout that followed has kilometers.
        let next = """
            Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Commute,Activity Gear,Filename
            1836776032,"May 2, 2024, 10:00:00 AM",Evening Ride,Ride,,783,3.68,true,Merida,
            """
        _ = try folder.importing(folder.write(Array(next.utf8), "next.csv"))
        guard case .workout(let other) = try #require(try folder.workouts().last).body else { return }
        #expect(other.totalDistance == QuantityRecord(3_680, unit: "m"))
    }

    /// The archive with one ride as FIT, one whose file is truncated, one whose file is missing, and one without.
    private func archive() throws -> [String: [UInt8]] {
        let language = Language.english
        let run = Deflater.deflated(FITFileWriter.run.file(), format: .gzip)
        let rows = [
            language.row(10_001, file: "activities/1.fit.gz", name: "Morning"),
            language.row(10_002, file: "activities/2.fit.gz"), language.row(10_003, file: "activities/3.tcx.gz"),
            language.row(10_004, file: ""),
        ]
        return [
            "activities.csv": Array((language.header + "\n" + rows.joined()).utf8),
            "activities/1.fit.gz": run, "activities/2.fit.gz": Array(run[..<(run.count / 2)]),
            "profile.csv": Array("Athlete ID,Email Address\n1,x\n".utf8),
        ]
    }

    @Test(
        "The file of an activity beats the list, which gives it a name; in a folder and a zip file",
        arguments: [false, true])
    func files(isZip: Bool) throws {
        let files = try archive()
        let folder = try ArchiveFolder(isZip ? [:] : files)
        defer { folder.remove() }
        let path = isZip ? try folder.write(ArchiveFolder.zipped(files), "export.zip") : folder.url.path
        let report = try #require(try folder.importing(path))
        #expect(report.added["HKWorkoutTypeIdentifier"] == 4)
        #expect(report.skips.count == 1 && report.skips[0].reason.contains("gzip data is damaged"))
        #expect(report.irregularities[Self.missing] == 1)
        #expect(report.unreadCount("is a CSV file whose columns are unknown") == 1)
        let named = try folder.workouts().filter { $0.metadata["Title"] == .string("Morning") }
        #expect(named.count == 1 && named[0].revision?.source.bundleIdentifier.hasPrefix("fit.") == true)
        guard case .workout(let body) = named[0].body else { return }
        #expect(body.activityType == 37)
        #expect(try folder.samples("HeartRate").count == 99)
        let again = try #require(try folder.importing(path))
        #expect(again.addedCount == 0 && again.removedCount == 0)
        #expect(try folder.workouts().count == 4)
    }

    @Test(
        "The same ride from the watch is a copy, whichever comes first, and a complete file replaces the list’s figures"
    )
    func copies() throws {
        let folder = try ArchiveFolder(try archive())
        defer { folder.remove() }
        let watch = try ArchiveFolder(["run.fit": FITFileWriter.run.file()])
        defer { watch.remove() }
        _ = try folder.importing()
        #expect(try folder.importing(watch.url.path)?.addedCount == 0)
        #expect(try folder.workouts().count == 4)
        // First the watch, then the archive.
        _ = try watch.importing()
        #expect(try watch.importing(folder.url.path)?.added["HKWorkoutTypeIdentifier"] == 3)
        #expect(try watch.workouts().count == 4)
        // The truncated file is now complete.
        let gpx =
            "<gpx creator=\"x\"><trk><type>1</type><trkseg>"
            + (0..<9).map {
                "<trkpt lat=\"52.\($0)\" lon=\"13\"><time>2024-05-01T10:0\($0):00Z</time></trkpt>"
            }.joined() + "</trkseg></trk></gpx>"
        let language = Language.english
        let list = language.header + "\n" + language.row(10_002, file: "activities/2.gpx")
        let later = try ArchiveFolder(["activities.csv": Array(list.utf8), "activities/2.gpx": Array(gpx.utf8)])
        defer { later.remove() }
        let report = try #require(try folder.importing(later.url.path))
        #expect(report.irregularities["workout of the store with less detail than a copy of it, left out"] == 1)
        #expect(try folder.workouts().count == 4)
    }

    @Test("A list with rows that can’t be read names their line and column, without what they have")
    func damaged() throws {
        let language = Language.english
        let rows =
            language.row(10_001, file: "") + "x,\(language.date),Secret,Ride,,10,1\n"
            + "10002,yesterday,Secret,Ride,,10,1\n" + "10003,\(language.date),Secret,Ride,,,1\n" + "10004,\"open"
        let folder = try ArchiveFolder(["activities.csv": Array((language.header + "\n" + rows).utf8)])
        defer { folder.remove() }
        let report = try #require(try folder.importing())
        #expect(report.added["HKWorkoutTypeIdentifier"] == 1)
        #expect(report.skips.map(\.line) == [4, 5, 6, 7])
        let reasons = report.skips.map(\.reason).joined()
        #expect(
            reasons.contains("Activity ID") && reasons.contains("Activity Date") && reasons.contains("Elapsed Time"))
        #expect(!reasons.contains("Secret") && !reasons.contains("yesterday"))
    }

    @Test("Garmin’s export has zip files of FIT files in a zip file, and documents that are counted")
    func garmin() throws {
        let inner = try ArchiveFolder.zipped(["a_1.fit": FITFileWriter.run.file(), "a_2.txt": [1, 2]])
        let files = [
            "DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip": inner,
            "DI_CONNECT/DI-Connect-Aggregator/UDSFile_2024.json": Array("[]".utf8),
            "DI_CONNECT/DI-Connect-Wellness/2024_sleepData.json": Array("[]".utf8),
            "DI_CONNECT/DI-Connect-Wellness/2025_sleepData.json": Array("[]".utf8),
        ]
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let path = try folder.write(ArchiveFolder.zipped(files), "garmin.zip")
        let report = try #require(try folder.importing(path))
        #expect(report.added["HKWorkoutTypeIdentifier"] == 1)
        #expect(report.unreadCount("is Garmin’s document of sleep") == 2)
        #expect(report.unreadCount("is Garmin’s document of daily totals") == 1)
        for (name, bytes) in files { try folder.write(bytes, "unzipped/" + name) }
        let again = try #require(try folder.importing(folder.url.path + "/unzipped"))
        #expect(again.addedCount == 0 && again.unreadCount("is Garmin’s document of sleep") == 2)
    }
}
