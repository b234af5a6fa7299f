import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import Testing

@testable import HealthDevices
@testable import HealthFiles

@Suite("Importing Google’s archives")
struct GoogleTakeoutReaderTests {
    private let engine: HealthEngine
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("google-\(UUID().uuidString)")

    init() throws {
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    // MARK: - Archives

    /// Fitbit's files as its archives have them: folders may have names in any language.
    private static func minutes(_ values: [(String, String)]) -> String {
        "[" + values.map { "{\n  \"dateTime\" : \"\($0)\",\n  \"value\" : \"\($1)\"\n}" }.joined(separator: ",") + "]"
    }

    private static func rates(_ values: [(String, Int, Int)]) -> String {
        "["
            + values.map {
                "{\n  \"dateTime\" : \"\($0)\",\n  \"value\" : {\n    \"bpm\" : \($1),\n    \"confidence\" : \($2)\n  }\n}"
            }.joined(separator: ",") + "]"
    }

    private static let night = """
        [{"logId": 1, "dateOfSleep": "2024-05-02", "startTime": "2024-05-01T23:00:00.000", "endTime": "2024-05-02T07:00:00.000",
        "duration": 28800000, "type": "stages", "levels": {"summary": {"deep": {"count": 1, "minutes": 60}}, "data": [
        {"dateTime": "2024-05-01T23:00:00.000", "level": "wake", "seconds": 600},
        {"dateTime": "2024-05-01T23:10:00.000", "level": "light", "seconds": 10200},
        {"dateTime": "2024-05-02T02:00:00.000", "level": "deep", "seconds": 3600},
        {"dateTime": "2024-05-02T03:00:00.000", "level": "rem", "seconds": 14400}],
        "shortData": [{"dateTime": "2024-05-02T01:00:00.000", "level": "wake", "seconds": 60}]}}]
        """

    private static let fitbit: [(String, String)] = [
        ("Ihr Profil/Profile.csv", "id,timezone,weight_unit\nX,America/New_York,METRIC\n"),
        (
            "Globale Exportdaten/heart_rate-2024-05-01.json",
            rates([("05/01/24 04:00:07", 60, 2), ("05/01/24 04:00:12", 70, 0), ("05/01/24 04:00:17", 62, 3)])
        ),
        (
            "Globale Exportdaten/steps-2024-05-01.json",
            minutes([("05/01/24 12:00:00", "0"), ("05/01/24 12:01:00", "25"), ("05/01/24 12:02:00", "100")])
        ),
        ("Globale Exportdaten/distance-2024-05-01.json", minutes([("05/01/24 12:01:00", "2500")])),
        ("Globale Exportdaten/altitude-2024-05-01.json", minutes([("05/01/24 12:01:00", "20")])),
        (
            "Globale Exportdaten/calories-2024-05-01.json",
            minutes([("05/01/24 00:00:00", "1.2"), ("05/01/24 00:01:00", "1.2"), ("05/01/24 00:02:00", "5.7")])
        ),
        ("Globale Exportdaten/sleep-2024-05-01.json", night),
        (
            "Globale Exportdaten/weight-2024-05-01.json",
            #"[{"logId": 1, "weight": 176.4, "bmi": 25.1, "fat": 20.5, "date": "05/01/24", "time": "07:30:00"}]"#
        ),
        (
            "Globale Exportdaten/resting_heart_rate-2024-05-01.json",
            #"""
            [{"dateTime": "05/01/24 00:00:00", "value": {"date": "05/01/24", "value": 61.5, "error": 6.7}},
            {"dateTime": "05/02/24 00:00:00", "value": {"date": null, "value": 0.0, "error": 0.0}}]
            """#
        ),
        (
            "Globale Exportdaten/exercise-0.json",
            #"""
            [{"logId": 1, "activityName": "Run", "startTime": "05/01/24 12:00:00", "duration": 1800000,
            "activeDuration": 1700000, "calories": 300, "steps": 4000, "distance": 5, "distanceUnit": "Kilometer",
            "averageHeartRate": 150}]
            """#
        ),
        (
            "Sauerstoff/Minute SpO2 - 2024-05-01.csv",
            "timestamp,value\n2024-05-01T08:00:00Z,95.5\n2024-05-01T08:01:00Z,50.0\n"
        ),
        (
            "Sauerstoff/Daily SpO2 - 2024-05-01-2024-05-31.csv",
            "timestamp,average_value,lower_bound,upper_bound\n"
                + "2024-05-01T00:00:00Z,95.0,93.0,97.0\n2024-05-03T00:00:00Z,94.0,93.0,97.0\n"
        ),
        (
            "HRV/Heart Rate Variability Details - 2024-05-01.csv",
            "timestamp,rmssd,coverage,low_frequency,high_frequency\n2024-05-02T01:00:00,35.5,0.9,1,2\n"
        ),
        (
            "Temperatur/Computed Temperature - 2024-05-01.csv",
            "type,sleep_start,sleep_end,temperature_samples,nightly_temperature\n"
                + "SKIN,2024-05-01T23:00,2024-05-02T07:00,404,34.07\n"
        ),
        (
            "Aktivzonenminuten/Active Zone Minutes - 2024-05-01.csv",
            "date_time,heart_zone_id,total_minutes\n2024-05-01T08:00,FAT_BURN,1\n2024-05-01T08:01,PEAK,2\n"
        ),
        (
            "Globale Exportdaten/very_active_minutes-2024-05-01.json",
            minutes([
                ("05/01/24 00:00:00", "30"), ("05/03/24 00:00:00", "20"),
            ])
        ),
        ("Schlafindex/sleep_score.csv", "sleep_log_entry_id,timestamp,overall_score\n1,2024-05-02T11:00:00Z,80\n"),
        ("Leer/Glucose 202405.csv", "no data"),
    ]

    private func write(_ files: [(String, String)], to name: String = "Takeout/Fitbit") throws -> String {
        for (path, text) in files {
            let file = folder.appendingPathComponent(name).appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return folder.appendingPathComponent(name).path
    }

    private func importing(_ path: String, _ options: ImportOptions = .init()) throws -> ImportReport {
        try #require(try FileImporter.run(path: path, options: options) { engine })
    }

    /// A sample, whether it was read as a part of a column or by itself.
    private struct Value: Hashable {
        let start: Double
        let end: Double
        let value: Double
        let source: String
    }

    /// The contents of the files at a path, by type.
    private func read(_ path: String, timeZone: String? = nil) throws -> (
        values: [TypeCode: [Value]], objects: [ObjectRecord], leftOut: [String: Int], damages: [FileDamage]
    ) {
        let search = try #require(FileSearch(path: path))
        let found = try RecognizedFiles(search, readers: FileRegistry.devices())
        let context = try ImportContext(engine, ImportOptions(timeZone: timeZone))
        var policy = try CopyPolicy(context, found.readers.map { type(of: $0).format })
        var contents: [FileContent] = []
        func add(_ content: FileContent, _ place: Int) throws {
            var content = content
            let format = type(of: found.readers[found.files[place].reader]).format
            _ = try policy.apply(to: &content, file: place, format: format)
            contents.append(content)
        }
        for (place, file) in found.files.enumerated() {
            try file.read(context) { try add($0, place) }
            context.endFile()
        }
        for reader in found.readers { try reader.finish(context) { try add($0, found.files.count - 1) } }
        let damages = contents.flatMap(\.damages)
        var values: [TypeCode: [Value]] = [:]
        for sample in contents.flatMap(\.samples) {
            let source = sample.revision?.source.name ?? ""
            values[sample.type, default: []].append(
                Value(start: sample.start, end: sample.end, value: sample.value, source: source))
        }
        for series in contents.flatMap(\.series) {
            for row in 0..<series.count {
                values[series.type, default: []].append(
                    Value(
                        start: series.starts[row], end: series.ends[row], value: series.values[row],
                        source: series.origin.revision.source.name))
            }
        }
        var leftOut = contents.reduce(into: [:]) { $0.merge($1.leftOut, uniquingKeysWith: +) }
        for entry in found.unread.list { leftOut[entry.reason] = entry.count }
        return (
            values.mapValues { $0.sorted { ($0.start, $0.value) < ($1.start, $1.value) } }, contents.flatMap(\.objects),
            leftOut, damages
        )
    }

    /// A date in New York in the summer of 2024.
    private static func date(_ text: String) throws -> Double {
        try Date(text + "-04:00", strategy: .iso8601).timeIntervalSinceReferenceDate
    }

    private static let sleep = MeasuredType.code("HKCategoryTypeIdentifierSleepAnalysis")

    // MARK: - Tests

    @Test("Fitbit’s files: minutes in UTC, nights in the profile’s time zone, and the units of the account")
    func fitbitFiles() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let read = try read(write(Self.fitbit))
        #expect(read.damages == [])
        let rates = try #require(read.values[MeasuredType.heartRate.code])
        // The one without confidence isn't a measurement.
        #expect(rates.map(\.value) == [60, 62] && rates.map(\.source) == ["Fitbit", "Fitbit"])
        #expect(try rates[0].start == Self.date("2024-05-01T00:00:07") && rates[0].end == rates[0].start)
        let steps = try #require(read.values[MeasuredType.steps.code])
        #expect(steps.map(\.value) == [25, 100])
        #expect(try steps[0].start == Self.date("2024-05-01T08:01:00") && steps[0].end - steps[0].start == 60)
        #expect(read.values[MeasuredType.distanceOnFoot.code]?.map(\.value) == [25])
        #expect(read.values[MeasuredType.flights.code]?.map(\.value) == [2])
        // The list begins at midnight and therefore is local.
        let active = try #require(read.values[MeasuredType.activeEnergy.code])
        #expect(try active.map(\.value) == [4.5] && active[0].start == Self.date("2024-05-01T00:02:00"))
        let basal = try #require(read.values[MeasuredType.basalEnergy.code])
        #expect(basal.map(\.value) == [3.6] && basal[0].end - basal[0].start == 180)
        let weights = try #require(read.values[MeasuredType.bodyMass.code])
        #expect(try abs(weights[0].value - 80.0137) < 0.001 && weights[0].start == Self.date("2024-05-01T07:30:00"))
        #expect(read.values[MeasuredType.bodyFat.code]?.map(\.value) == [0.205])
        let resting = try #require(read.values[MeasuredType.restingHeartRate.code])
        #expect(try resting.map(\.value) == [61.5] && resting[0].start == Self.date("2024-05-01T00:00:00"))
        #expect(try resting[0].end == Self.date("2024-05-02T00:00:00"))
        #expect(try read.values[MeasuredType.variability.code]?.map(\.start) == [Self.date("2024-05-02T01:00:00")])
        let temperatures = try #require(read.values[MeasuredType.wristTemperature.code])
        #expect(try temperatures.map(\.value) == [34.07] && temperatures[0].end == Self.date("2024-05-02T07:00:00"))
        #expect(read.leftOut.contains { $0.key.hasPrefix("is a file of scores") && $0.value == 1 })
        #expect(read.leftOut["value that represents a missing one, left out"] == 1)
    }

    @Test("A night’s stages don’t overlap: short awakenings interrupt them")
    func nights() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let read = try read(write(Self.fitbit))
        let night = try #require(read.values[Self.sleep])
        let stages = night.filter { $0.value > 0 }
        #expect(night.filter { $0.value == 0 }.count == 1)
        #expect(stages.map(\.value) == [2, 3, 2, 3, 4, 5])
        #expect(zip(stages, stages.dropFirst()).allSatisfy { $0.end == $1.start })
        #expect(try stages[2].start == Self.date("2024-05-02T01:00:00") && stages[2].end - stages[2].start == 60)
        #expect(stages.reduce(0) { $0 + $1.end - $1.start } == 8 * 3_600)
    }

    @Test("A total or average of a day is only imported where nothing finer exists for it")
    func totals() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let read = try read(write(Self.fitbit))
        let oxygen = try #require(read.values[MeasuredType.oxygenSaturation.code])
        #expect(try oxygen.map(\.value) == [0.955, 0.94] && oxygen[1].start == Self.date("2024-05-03T00:00:00"))
        let exercise = try #require(read.values[MeasuredType.exerciseTime.code])
        #expect(exercise.map(\.value) == [1, 1, 20])
        #expect(read.leftOut["total of a day of which there is more, left out"] == 2)
    }

    private static let tables: [(String, String)] = [
        (
            "Physical Activity_GoogleData/heart_rate_2024-05-01.csv",
            "timestamp,beats per minute,data source\n2024-05-01T04:00:07Z,60.0,Charge 5\n2024-05-01T04:00:09Z,,Charge 5\n"
        ),
        (
            "Physical Activity_GoogleData/steps_2024-05-01.csv",
            "timestamp,steps,data source\n2024-05-01T12:01:00Z,25,Charge 5\n2024-05-01T12:01:00Z,24,MobileTrack\n"
        ),
        (
            "Physical Activity_GoogleData/weight.csv",
            "timestamp,weight grams,data source\n2024-05-01T11:30:00.000000Z,80000,\"Scale, new\"\n"
        ),
        (
            "Physical Activity_GoogleData/daily_resting_heart_rate.csv",
            "timestamp,beats per minute,data source\n2024-05-01T00:00:00Z,61.234,Fitbit App\n"
        ),
        (
            "Health Fitness Data_GoogleData/UserSleeps_2024-05-01.csv",
            "sleep_id,sleep_type,start_utc_offset,sleep_start,end_utc_offset,sleep_end,data_source\n"
                + "11,STAGES,-04:00,2024-05-02T03:00:00Z,-04:00,2024-05-02T11:00:00Z,CHARGE_5\n"
                + "12,CLASSIC,-04:00,2024-05-02T18:00:00Z,-04:00,2024-05-02T18:30:00Z,MANUAL\n"
        ),
        (
            "Health Fitness Data_GoogleData/UserSleepStages_2024-05-01.csv",
            "sleep_id,sleep_stage_id,sleep_stage_type,start_utc_offset,sleep_stage_start,end_utc_offset,sleep_stage_end\n"
                + "11,1,LIGHT,-04:00,2024-05-02T03:00:00Z,-04:00,2024-05-02T05:00:00Z\n"
                + "11,2,DEEP,-04:00,2024-05-02T05:00:00Z,-04:00,2024-05-02T11:00:00Z\n"
        ),
        (
            "Health Fitness Data_GoogleData/UserExercises_2024-05-01.csv",
            "exercise_id,exercise_start,exercise_end,utc_offset,activity_name,log_type,tracker_total_calories,tracker_total_distance_mm\n"
                + "1,2024-05-01T12:00:00Z,2024-05-01T12:30:00Z,-04:00,Run,AUTO_DETECTED,301,5001000\n"
        ),
        ("Physical Activity_GoogleData/gps_location_2024-05-01.csv", "timestamp,latitude,longitude\n"),
    ]

    @Test("Google Health’s tables name the device and are preferred to the lists of the same hours and nights")
    func googleHealth() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let read = try read(write(Self.fitbit + Self.tables, to: "Takeout/Google Health"))
        #expect(read.damages == [])
        let steps = try #require(read.values[MeasuredType.steps.code])
        // The table lacks the minute after it.
        #expect(steps.map(\.source).sorted() == ["Charge 5", "Fitbit", "MobileTrack"] && steps.last?.value == 100)
        #expect(read.values[MeasuredType.heartRate.code]?.map(\.source) == ["Charge 5"])
        let weights = try #require(read.values[MeasuredType.bodyMass.code])
        #expect(weights.map(\.value) == [80] && weights.map(\.source) == ["Scale, new"])
        // The table of weights doesn't have what the scale measured besides.
        #expect(read.values[MeasuredType.bodyMassIndex.code]?.map(\.value) == [25.1])
        #expect(read.values[MeasuredType.bodyFat.code]?.map(\.value) == [0.205])
        #expect(read.values[MeasuredType.restingHeartRate.code]?.map(\.value) == [61.234])
        let night = try #require(read.values[Self.sleep])
        #expect(night.map(\.value).sorted() == [0, 0, 1, 3, 4])
        // One that was typed in has no device.
        #expect(Set(night.map(\.source)) == ["Charge 5", "Fitbit"])
        let workouts = read.objects.filter { $0.type == MeasuredType.code("HKWorkoutTypeIdentifier") }
        #expect(workouts.count == 1)
        guard case .workout(let body) = workouts[0].body else { return }
        #expect(body.activityType == 37 && body.totalDistance == QuantityRecord(5_001, unit: "m"))
        #expect(read.leftOut.contains { $0.key.hasPrefix("is a file of places") && $0.value == 1 })
        #expect(read.leftOut["night that a table has, too, left out"] == 1)
    }

    @Test("Of the same minutes in both layouts, those of the tables count; the lists add the minutes that they lack")
    func bothLayouts() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let table = "timestamp,steps,data source\n2024-05-01T12:01:00Z,24,Charge 5\n2024-05-01T12:03:00Z,10,Charge 5\n"
        let rates = "timestamp,beats per minute,data source\n2024-05-01T04:00:20Z,64,Charge 5\n"
        let read = try read(
            write(
                Self.fitbit + [
                    ("Physical Activity_GoogleData/steps_2024-05-01.csv", table),
                    ("Physical Activity_GoogleData/heart_rate_2024-05-01.csv", rates),
                ]))
        let steps = try #require(read.values[MeasuredType.steps.code])
        #expect(steps.map(\.value) == [24, 100, 10])
        #expect(steps.map(\.source) == ["Charge 5", "Fitbit", "Charge 5"])
        #expect(read.values[MeasuredType.heartRate.code]?.map(\.value) == [64])
    }

    @Test("The parts of a divided archive may be imported separately, in any order", arguments: [false, true])
    func parts(isReversed: Bool) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let isTotal = { (file: (String, String)) in file.0.contains("very_active") || file.0.contains("Daily SpO2") }
        let totals = try write(Self.fitbit.filter(isTotal), to: "takeout-1")
        let rest = try write(Self.fitbit.filter { !isTotal($0) }, to: "takeout-2")
        func values(_ type: MeasuredType) throws -> [Double] {
            let request = SampleRequest(parts: [.init(type: type.code)])
            return try engine.samples(request, as: .reader).batches.flatMap(\.values).sorted()
        }
        let options = ImportOptions(timeZone: "America/New_York")
        for path in isReversed ? [totals, rest] : [rest, totals] { _ = try importing(path, options) }
        #expect(try values(.exerciseTime) == [1, 1, 20])
        #expect(try values(.oxygenSaturation) == [0.94, 0.955])
        for path in [totals, rest] { #expect(try importing(path, options).added == [:]) }
        #expect(try values(.exerciseTime) == [1, 1, 20])
    }

    @Test("What another file of the same kind has, too, counts once, also if one of both was written earlier that day")
    func overlappingFiles() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let energy = [("05/01/24 00:00:00", "1.2"), ("05/01/24 00:01:00", "1.2"), ("05/01/24 00:02:00", "5.7")]
        let later = [
            ("heart_rate-2024-05-01.json", Self.rates([("05/01/24 04:00:07", 60, 2), ("05/01/24 05:00:07", 61, 2)])),
            ("steps-2024-05-01.json", Self.minutes([("05/01/24 12:01:00", "25"), ("05/01/24 13:00:00", "5")])),
            ("calories-2024-05-01.json", Self.minutes(energy + [("05/01/24 00:03:00", "1.2")])),
            ("very_active_minutes-2024-05-01.json", Self.minutes([("05/03/24 00:00:00", "20")])),
        ]
        let nights = Self.tables.filter { $0.0.contains("UserSleep") }
        let again = nights.map { ("2/\($0.0)", $0.1) }
        let read = try read(write(Self.fitbit + nights + again + later))
        #expect(read.values[MeasuredType.heartRate.code]?.map(\.value) == [60, 62, 61])
        #expect(read.values[MeasuredType.steps.code]?.map(\.value) == [25, 100, 5])
        #expect(read.values[MeasuredType.activeEnergy.code]?.map(\.value) == [4.5])
        #expect(read.values[MeasuredType.basalEnergy.code]?.map(\.value) == [3.6, 1.2])
        #expect(read.values[MeasuredType.exerciseTime.code]?.map(\.value) == [1, 1, 20])
        #expect(read.values[Self.sleep]?.map(\.value).sorted() == [0, 0, 1, 3, 4])
    }

    @Test("An hour at rest that an earlier archive has in part counts once, in any order", arguments: [false, true])
    func grownHour(isReversed: Bool) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = try [3, 6].map { count in
            let minutes = (0..<count).map { ("05/01/24 00:0\($0):00", "1.2") }
            return try write([("calories-2024-05-01.json", Self.minutes(minutes))], to: "\(count)")
        }
        let options = ImportOptions(timeZone: "America/New_York")
        for path in isReversed ? paths.reversed() : paths { _ = try importing(path, options) }
        for path in paths { #expect(try importing(path, options).added == [:]) }
        let request = SampleRequest(parts: [.init(type: MeasuredType.basalEnergy.code)])
        #expect(try engine.samples(request, as: .reader).batches.flatMap(\.values) == [7.2])
    }

    @Test("The stages of a night follow each other when clocks are set back")
    func repeatedHour() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let stages = [("02T23:00", "light", 9_000), ("03T01:30", "deep", 3_600), ("03T01:30", "rem", 1_800)]
        let levels = (stages + [("03T02:00", "light", 14_400)]).map { time, level, seconds in
            #"{"dateTime": "2024-11-\#(time):00.000", "level": "\#(level)", "seconds": \#(seconds)}"#
        }
        let night = """
            [{"logId": 1, "startTime": "2024-11-02T23:00:00.000", "endTime": "2024-11-03T06:00:00.000",
            "levels": {"data": [\(levels.joined(separator: ","))]}}]
            """
        let path = try write([("sleep-2024-11-01.json", night)])
        let read = try read(path, timeZone: "America/New_York")
        let sleep = try #require(read.values[Self.sleep]).filter { $0.value > 0 }
        #expect(sleep.map(\.value) == [3, 4, 5, 3])
        #expect(sleep.map { $0.end - $0.start } == [9_000, 3_600, 1_800, 14_400])
    }

    @Test("A zip file, several in a folder and the folder itself have the same, and importing again adds nothing")
    func again() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try write(Self.fitbit + Self.tables)
        let first = try importing(path)
        #expect(first.skips == [] && first.addedCount > 20)
        let zips = folder.appendingPathComponent("zips")
        try FileManager.default.createDirectory(at: zips, withIntermediateDirectories: true)
        for (number, files) in [Self.fitbit, Self.tables].enumerated() {
            let zip = try ZipWriter(path: zips.appendingPathComponent("takeout-\(number).zip").path)
            for (name, text) in files {
                try zip.beginEntry("Takeout/Fitbit/\(name)")
                try zip.write(Array(text.utf8))
            }
            try zip.finish()
        }
        for path in [path, zips.path] {
            let report = try importing(path)
            #expect(report.added == [:] && report.alreadyThereCount == first.addedCount, "\(path)")
        }
    }

    @Test("Of a file that is cut off, what is before is imported; other files with such names aren’t claimed")
    func damages() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = Self.rates((0..<50).map { ("05/01/24 04:00:\(10 + $0)", 60 + $0, 2) })
        let path = try write([("heart_rate-2024-05-01.json", String(text.dropLast(40)))], to: "cut")
        let report = try importing(path)
        #expect(report.added["HKQuantityTypeIdentifierHeartRate"] == 49)
        #expect(report.skips.count == 1 && report.skips[0].byte != nil)
        let other = try write([("weight-1.json", "{\"weights\": []}"), ("steps.csv", "a;b\n1;2\n")], to: "other")
        let refused = #expect(throws: ImportError.self) {
            try FileImporter.run(path: other, options: .init()) { engine }
        }
        #expect(refused?.kind == .noExportInside)
    }

    @Test("Of a zip file that was cut off, the files that are there are recovered")
    func cutArchive() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("takeout.zip").path
        let zip = try ZipWriter(path: path)
        for (name, text) in Self.fitbit.prefix(3) {
            try zip.beginEntry("Takeout/Fitbit/\(name)")
            try zip.write(Array(text.utf8))
        }
        try zip.finish()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.dropLast(60).write(to: URL(fileURLWithPath: path))
        #expect(try FileImporter.run(path: path, options: .init()) { engine } == nil)
        var options = ImportOptions()
        options.recoversDamagedArchives = true
        let report = try importing(path, options)
        #expect(report.added["HKQuantityTypeIdentifierHeartRate"] == 2 && report.unread.map(\.files) == [["\(path)"]])
        #expect(report.added["HKQuantityTypeIdentifierStepCount"] == 2)
    }

    private static func stream(_ name: String, _ points: [String]) -> String {
        "{\"Data Source\":\"\(name)\",\"Data Points\":[\(points.joined(separator: ","))]}"
    }

    private static func point(
        _ type: String, _ value: String, _ start: Int, _ end: Int, from origin: String = ""
    ) -> String {
        """
        {"fitValue":[{"value":{\(value)}}],"originDataSourceId":"\(origin)","endTimeNanos":\(end)000000000,
        "dataTypeName":"com.google.\(type)","startTimeNanos":\(start)000000000,"modifiedTimeMillis":1}
        """
    }

    private static func session(_ name: String, _ start: String, _ end: String) -> String {
        """
        {"fitnessActivity":"\(name)","startTime":"\(start)","endTime":"\(end)","duration":"1700.5s","aggregate":[
        {"metricName":"com.google.calories.expended","floatValue":200.5},
        {"metricName":"com.google.distance.delta","floatValue":3000.0}]}
        """
    }

    @Test("Google Fit: the merged stream with its origins, sessions without copies, and no daily sums")
    func googleFit() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let device = "raw:com.google.step_count.cumulative:Google:Pixel 8:1a2b:step counter"
        let (steps, merged) = (
            "step_count.delta", "derived:com.google.step_count.delta:com.google.android.gms:merge_step_deltas"
        )
        let points = [
            Self.point(steps, "\"intVal\":40", 1_714_560_000, 1_714_560_060, from: device),
            Self.point(steps, "\"intVal\":0", 1_714_560_060, 1_714_560_120, from: device),
            Self.point(
                steps, "\"intVal\":7", 1_714_560_120, 1_714_560_180,
                from: "raw:com.google.step_count.delta:com.example.app:"),
        ]
        let stages = [(4, 0, 3_600), (5, 3_600, 7_200)].map { stage, start, end in
            Self.point("sleep.segment", "\"intVal\":\(stage)", 1_714_600_000 + start, 1_714_600_000 + end, from: device)
        }
        let path = try write(
            [
                ("Alle Daten/derived_com.google.step_count.delta_com.google.an.json", Self.stream(merged, points)),
                (
                    "Alle Daten/raw_com.google.step_count.delta_com.example.json",
                    Self.stream("raw:com.google.step_count.delta:com.example.app:", [points[2]])
                ),
                (
                    "Alle Daten/raw_com.google.hydration_com.example.json",
                    Self.stream(
                        "raw:com.google.hydration:com.example.app:",
                        [Self.point("hydration", "\"fpVal\":0.25", 1_714_560_000, 1_714_560_000)])
                ),
                (
                    "Alle Daten/derived_com.google.sleep.segment_com.google.an.json",
                    Self.stream("derived:com.google.sleep.segment:com.google.android.gms:merged", stages)
                ),
                (
                    "Alle Sitzungen/2024-05-01T08_00_00-04_00_Gehen.json",
                    Self.session("walking", "2024-05-01T12:00:00.000Z", "2024-05-01T12:30:00.000Z")
                ),
                (
                    "Alle Sitzungen/2024-05-01T17_46_40-04_00_SLEEP.json",
                    Self.session("sleep", "2024-05-01T21:46:40Z", "2024-05-01T23:46:40Z")
                ),
                ("Tägliche Aktivitätsmesswerte/2024-05-01.csv", "Start time,End time,Step count\n08:00,08:15,40\n"),
            ], to: "Takeout/Fit")
        let read = try read(path, timeZone: "America/New_York")
        #expect(read.damages == [])
        let found = try #require(read.values[MeasuredType.steps.code])
        #expect(found.map(\.value) == [40, 7] && found.map(\.source) == ["Google Pixel 8", "com.example.app"])
        #expect(try found[0].start == Self.date("2024-05-01T06:40:00"))
        #expect(read.values[MeasuredType.water.code]?.map(\.value) == [0.25])
        #expect(read.values[Self.sleep]?.map(\.value) == [3, 4])
        #expect(read.leftOut["point that a merged stream of Google Fit has, left out"] == 1)
        #expect(read.leftOut["night of which a stream of Google Fit has the stages, left out"] == 1)
        guard read.objects.count == 1, case .workout(let body) = read.objects[0].body else {
            Issue.record("no workout")
            return
        }
        #expect(body.activityType == 52 && body.duration == 1_700.5)
        #expect(body.totalDistance == QuantityRecord(3_000, unit: "m"))
    }

    @Test("Google Fit: who is awake in a part of a night isn’t asleep")
    func fitNights() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        func night(_ day: String, _ parts: String) -> (String, String) {
            let times = "\"startTime\":\"2019-06-\(day)T20:00:00Z\",\"endTime\":\"2019-06-\(day)T23:00:00Z\""
            let text = "{\"fitnessActivity\":\"sleep\",\(times)\(parts)}"
            return ("Sessions/2019-06-\(day)T20_00_00Z_SLEEP.json", text)
        }
        let parts = [("sleep", "20:00", "21:00"), ("sleep.awake", "21:00", "21:30"), ("sleep", "21:30", "23:00")]
        let segments = parts.map { name, start, end in
            """
            {"fitnessActivity":"\(name)","startTime":"2019-06-10T\(start):00Z","endTime":"2019-06-10T\(end):00Z"}
            """
        }
        let path = try write(
            [night("10", ",\"segment\":[\(segments.joined(separator: ","))]"), night("11", "")], to: "Takeout/Fit")
        let sleep = try #require(try read(path).values[Self.sleep])
        #expect(sleep.map(\.value) == [1, 2, 1, 1])
        #expect(sleep.map { $0.end - $0.start } == [3_600, 1_800, 5_400, 10_800])
    }

    @Test("Google Fit: the distance of a ride, by its session or the activities of the day, isn’t one on foot")
    func fitDistances() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        func name(_ type: String) -> String { "derived:com.google.\(type):com.google.android.gms:merge" }
        let base = 1_714_564_800
        // Walked, ridden in a session, ridden without one, and swum.
        let distances = [(0, 80.5), (1_800, 400.5), (7_200, 300.5), (9_000, 25.5)].map { start, meters in
            Self.point("distance.delta", "\"fpVal\":\(meters)", base + start, base + start + 60)
        }
        let activities = [(7, 0), (1, 7_200), (84, 9_000)].map { activity, start in
            Self.point("activity.segment", "\"intVal\":\(activity)", base + start, base + start + 600)
        }
        let path = try write(
            [
                ("All/derived_com.google.distance.delta_com.json", Self.stream(name("distance.delta"), distances)),
                ("All/raw_com.google.activity.segment_com.json", Self.stream(name("activity.segment"), activities)),
                (
                    "Sessions/2024-05-01T12_20_00Z_Biking.json",
                    Self.session("biking", "2024-05-01T12:20:00Z", "2024-05-01T12:50:00Z")
                ),
            ], to: "Takeout/Fit")
        let read = try read(path)
        func meters(_ activity: UInt) throws -> [Double]? {
            try read.values[#require(MeasuredType.distance(of: activity)).code]?.map(\.value)
        }
        #expect(try meters(52) == [80.5] && meters(13) == [400.5, 300.5] && meters(46) == [25.5])
        #expect(read.objects.count == 1)
    }

    @Test(
        "The unit of a weight is the one in which its body mass index fits a person",
        arguments: [(80.0, FitbitWeight.Unit.kilograms), (176.4, .pounds), (12.6, .stones)])
    func weightUnits(weight: Double, unit: FitbitWeight.Unit) {
        let log = FitbitWeight(date: 0, weight: weight, bodyMassIndex: 25, fat: nil, isManual: false)
        #expect(log.unit == unit)
    }
}
