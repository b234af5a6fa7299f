import Foundation
import HealthEngine
@testable import HealthFiles
import HealthIngest
import HealthJSON
import HealthModel
import HealthStorage

@testable import HealthDevices
@testable import HealthIngest

/// The files of devices.
enum DeviceTargets {
    static let all =
        readers + [
            FuzzTarget(name: "fit", examples: { [example] }, words: [".FIT", "\u{E} ", "@\0\0"]) { bytes in
                for recovers in [false, true] { _ = FITReader.read(bytes, recoversDamaged: recovers) }
            },
            FuzzTarget(
                name: "tcx", examples: { [Array(tcx.utf8)] },
                words: [
                    "<Lap StartTime=\"", "<Track>", "<Trackpoint>", "<Transition StartTime=\"", "</Activity>",
                    "<![CDATA[",
                ]
            ) { try check(TCXReader.read($0)) },
            FuzzTarget(
                name: "gpx-track", examples: { [Array(gpx.utf8)] },
                words: [
                    "<trkseg>", "<trkpt lat=\"", "<time>", "<hr>", "</trk>",
                    "<?xml version=\"1.0\" encoding=\"latin1\"?>",
                ]
            ) { try check(GPXTrackReader.read($0)) },
            FuzzTarget(
                name: "csv", examples: { [Array(strava.utf8), Array(sleep.utf8), Array(weight.utf8)] },
                words: [
                    "\"", "\r\n", ";", "sep=;", "[60,60]", "Activity Date", "Fat mass (kg)", "activities/1.fit.gz",
                    "\u{FEFF}",
                ]
            ) { try checkTable($0) },
            FuzzTarget(
                name: "columns", examples: { [Array(mapping.utf8)] },
                words: [
                    "\"column\":", "\"format\":", "\"where\":", "\"values\":", "\"duration\":", "{\"column\": 1}",
                    "\"MM/dd/yy\"",
                ]
            ) { bytes in
                // Any mapping is read or refused, and reads any table.
                guard let mapping = try? ColumnMappingReader.read(bytes) else { return }
                try checkRows(Array(sleep.utf8), mapping)
            },
            FuzzTarget(
                name: "proposal", examples: { ([weight, sleep, whoop] + services).map { Array($0.utf8) } },
                words: ["Date", "Weight (kg)", "Type", "Value", ";", "13.05.2024", "1,5", "*", "\u{0}"], mutations: 500
            ) { bytes in
                let file = InputFile(name: "a.csv", size: bytes.count) { FuzzSource(bytes) }
                do {
                    let proposal = try ColumnProposal(file)
                    // One of which nothing has to be said can be used.
                    guard proposal.remarks.isEmpty else { return }
                    try checkRows(bytes, try ColumnMappingReader.read(Array(proposal.mapping.utf8)))
                } catch is FileReadingError {} catch is ImportError {}
            },
            FuzzTarget(
                name: "google", examples: { googleFiles.map { Array($0.utf8) } },
                words: [
                    "{\"dateTime\" : \"05/01/24 07:00:07\", \"value\" : \"1\"}", "\"levels\": {\"data\": [",
                    "\"seconds\": 60",
                    "\"Data Points\":[", "\"fitValue\":[{\"value\":{\"fpVal\":1.5}}]", "2024-05-01T07:00:07Z", ",\"\",",
                    "\n",
                ]
            ) { bytes in
                // Every kind of file may have any contents.
                for path in googlePaths { try checkGoogle(bytes, path) }
                _ = GoogleFile.content(head: bytes)
            },
            FuzzTarget(name: "tar", examples: { [tar] }, words: ["ustar\0" + "00", "L", "x", "30 path=folder/file\n"]) {
                bytes in
                let directory = TarDirectory(size: bytes.count) { Array(bytes.dropFirst($0).prefix($1)) }
                for entry in directory.entries {
                    try FuzzFailure.unless(
                        entry.size >= 0 && entry.offset + entry.size <= bytes.count, "a file outside of its archive")
                }
            },
        ]

    /// Every reader of the registry, with any contents under its names.
    static let readers = ((try? FileImport.readers()) ?? []).enumerated().compactMap { place, reader in
        let format = type(of: reader).format
        return format.exampleNames.isEmpty || format.isComplete
            ? nil
            : FuzzTarget(
                name: "reader-" + format.name.lowercased().replacing(" ", with: "-"),
                examples: {
                    [example]
                        + ([tcx, gpx, strava, sleep, weight, polar, omron, whoop] + accounts + services + googleFiles
                        + IngestTargets.autoExports
                        + IngestTargets.shortcuts).map { Array($0.utf8) }
                },
                words: ["{", "[", ",", "\"", "2024-05-01T07:00:00Z", "\n"], mutations: 200
            ) { bytes in
                let context = try context()
                for name in format.exampleNames {
                    let file = InputFile(name: name, size: bytes.count) { FuzzSource(bytes) }
                    try read(CandidateFile(file, isAlone: true), try FileImport.readers()[place], context)
                }
            }
    }

    /// Whatever the contents, a file is read or refused with an error that says so.
    private static func read(_ file: CandidateFile, _ reader: any FileReader, _ context: ImportContext) throws {
        try reader.prepare([file])
        switch try reader.recognize(file) {
        case .reads(_, _, let read), .readsRecordings(_, let read):
            do {
                try read(context) { try check($0) }
            } catch is FileReadingError {} catch is ZipError {} catch is JSONSyntaxError {}
            try reader.finish(context) { try check($0) }
        case .leftOut, .ambiguous, .isPart, nil: break
        }
    }

    private static let store = Result { try HealthEngine(storage: InMemoryStorage()) }

    private static func context() throws -> ImportContext {
        try ImportContext(store.get(), ImportOptions(timeZone: "GMT"))
    }

    private static let omron =
        "Date,Time,Systolic (mmHg),Diastolic (mmHg),Pulse (bpm),Symptoms,Consumed,TruRead,Notes\n"
        + "Jan 12 2025,8:15 am,114,74,47,-,-,-,-\n"

    private static let whoop = """
        Cycle start time,Cycle timezone,Recovery score %,Resting heart rate (bpm),Sleep onset,Wake onset
        2024-05-01 00:30:00,UTC+02:00,68,52,2024-05-01 00:40:00,2024-05-01 07:05:00
        """

    /// Tables and JSON of services that are mappings, and of two readers of JSON and CSV.
    private static let services: [String] = [
        #"""
        {"Samples":[{"Attributes":{"suunto/sml":{"Header":{"ActivityType":3,"Duration":60,"Energy":4184}}}},
        {"TimeISO8601":"2024-05-01T12:00:00+02:00","Source":"suunto-1","Attributes":{"suunto/sml":{"Sample":{"HR":2,
        "Latitude":0.9,"Longitude":0.2,"Events":[{"Pause":{"State":true}}]}}}}]}
        """#,
        "Split,Time,Moving Time,GetDistance,Avg HR,Calories\nSummary,00:30:00  ,00:29:00  ,5.02,141,310\n",
        "Date/Time,Step Count (steps),Heart Rate [Min] (bpm),Heart Rate [Avg] (bpm)\n2026-02-05 00:00:00,1200,50,70\n",
        "Glucose Data\n\nDevice,Serial Number,Device Timestamp,Record Type,Historic Glucose mg/dL,Strip Glucose mg/dL\n"
            + "Libre,A,13-05-2024 08:00,0,95,\nLibre,A,05-06-2024 08:15,0,LO,101\n",
        "BLUTDRUCK\nDatum;Uhrzeit;Sys;Dia;Puls;MAD\n13.05.2024;08:00;130;85;62;100\n\nGEWICHT\nDatum;Uhrzeit;kg;BMI\n"
            + "13.05.2024;07:30;80,5;24.8\n",
        "Day,Time,Food Name,Amount,Energy (kcal),Fat (g)\n2024-05-13,8:15 AM,Oats,58 g,220,4.1\n2024-05-13,,Soup,1,90,\n",
        #"[{"date":1715580000000,"sgv":95,"type":"sgv"},{"eventType":"x","created_at":"2024-05-13T06:00:00Z","carbs":30}]"#,
        #"""
        [{"date":"2024-05-13","type":"period","value":{"option":"medium"}},
         {"date":"2024-05-14","type":"pain","value":[{"option":"headache"},{"option":"period_cramps"}]}]
        """#,
        #"""
        {"operationalData":{"cycles":[{"period_start_date":"2024-05-12 22:00:00.0","period_end_date":"2024-05-14","period_intensity":
        "{\"0\": 1}"}],"point_events_manual_v2":[{"date":"2024-05-20","category":"Symptom","subcategory":"Acne"}]}}
        """#,
    ]

    private static let polar = #"""
        {"exportVersion":"1.6","exercises":[{"startTime":"2024-05-01T12:00:00.000","timezoneOffset":120,"duration":"PT10S",
        "sport":"RUNNING","kiloCalories":5,"samples":{"heartRate":[{"dateTime":"2024-05-01T12:00:00.000","value":120}],
        "recordedRoute":[{"dateTime":"2024-05-01T12:00:01.000","latitude":52.5,"longitude":13.4,"altitude":NaN}]}}]}
        """#

    /// Tables and documents of Samsung Health, Oura, Mi Fitness, Garmin, Polar and Huawei.
    private static let accounts = [
        "com.samsung.shealth.exercise,1,1\ncom.samsung.health.exercise.datauuid,com.samsung.health.exercise.start_time,"
            + "com.samsung.health.exercise.end_time,com.samsung.health.exercise.exercise_type\n"
            + "e1,2024-05-01 16:00:00.000,2024-05-01 16:00:20.000,1002\n",
        #"[{"heart_rate":61.0,"heart_rate_max":63.0,"start_time":1714546800000,"end_time":1714546859000}]"#,
        "bedtime_start;bedtime_end;time_in_bed;total_sleep_duration;sleep_phase_5_min;hrv\n"
            + "2024-05-01T00:00:00+02:00;2024-05-01T00:20:00+02:00;1200;900;4221;"
            + #"{"interval":300,"items":[60,null],"timestamp":"2024-05-01T00:00:00+02:00"}"#,
        "Uid,Sid,Key,Time,Value,UpdateTime\n1,s1,sleep,1714539600,"
            + #""{""items"":[{""state"":3,""start_time"":1714510800,""end_time"":1714514400}]}",1"#,
        #"[{"calendarDate":"2024-05-01","totalSteps":9100,"metrics":[{"type":"HRV","value":45.0}]}]"#,
        #"""
        [{"night":"2024-05-01","meanNightlyRecoveryRmssd":42,"sleepResult":{"hypnogram":{"sleepStart":"2024-04-30T23:00:00+02:00",
        "sleepEnd":"2024-05-01T07:00:00+02:00","sleepStateChanges":[{"offsetFromStart":"PT1H","state":"REM"}]}}}]
        """#,
        #"""
        [{"sportType":4,"startTime":1714579200000,"totalTime":60000,"partTimeMap":{1.0:300.5},"attribute":
        "HW_EXT_TRACK_DETAIL@istp=lbs;k=0;lat=52.5;lon=13.4;t=1714579200\ntp=h-r;k=1714579200000;v=120&&HW_EXT_TRACK_SIMPLIFY@is{}"}]
        """#,
        #"""
        [{"samplePoints":[{"key":"SLEEP_DEEP","startTime":1714510800000,"endTime":1714514400000,"unit":"0","value":"60"}]},
        {"recordDay":20240501,"sportDataUserData":[{"startTime":1714546800000,"endTime":1714546860000,"sportType":5,
        "sportBasicInfos":[{"steps":80,"distance":60,"calorie":4200}]}]}]
        """#,
    ]

    /// A tar archive with an empty file.
    private static let tar: [UInt8] = {
        var header = [UInt8](repeating: 0, count: 512)
        for (text, place) in [("a.json", 0), ("00000000000", 124), ("        ", 148), ("0", 156)] {
            header.replaceSubrange(place..<(place + text.utf8.count), with: text.utf8)
        }
        let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
        header.replaceSubrange(148..<(148 + sum.utf8.count + 1), with: Array(sum.utf8) + [0])
        return header + [UInt8](repeating: 0, count: 1_024)
    }()

    private static let googlePaths = [
        "heart_rate-1.json", "calories-1.json", "resting_heart_rate-1.json", "sleep-1.json", "exercise-1.json",
        "weight-1.json", "heart_rate_1.csv", "Minute SpO2 - 1.csv", "Computed Temperature - 1.csv",
        "daily_resting_heart_rate.csv", "UserSleeps_1.csv", "UserSleepStages_1.csv", "UserExercises_1.csv",
        "Profile.csv",
        "raw_com.google.weight.json", "2024-05-01T00_00_00_x.json",
    ]

    private static func checkGoogle(_ bytes: [UInt8], _ path: String) throws {
        guard let file = GoogleFile(path: path) else { throw FuzzFailure("\(path) isn’t a file of Google’s") }
        _ = file.matches(head: bytes[...])
        var archive = GoogleTakeoutReader(timeZone: nil, default: .gmt)
        let content = try? archive.read(FileBytes(FuzzSource(bytes)), as: file)
        for series in [content?.series, archive.finish().series].compactMap(\.self).joined() {
            for row in 0..<series.count {
                try FuzzFailure.unless(
                    series.ends[row] >= series.starts[row] && series.values[row].isFinite && series.values[row] > 0,
                    "a sample that isn’t one")
            }
        }
        for sample in content?.samples ?? [] {
            try FuzzFailure.unless(sample.end >= sample.start && sample.value.isFinite, "a sample that isn’t one")
        }
        for object in content?.objects ?? [] {
            try FuzzFailure.unless(object.end >= object.start, "a workout that ends before it begins")
        }
    }

    private static let googleFiles = [
        #"[{"dateTime" : "05/01/24 07:00:07", "value" : {"bpm" : 60, "confidence" : 2}},{"dateTime" : "05/01/24 07:00:09", "value" : {"bpm" : 61, "confidence" : 3}}]"#,
        #"[{"dateTime":"05/01/24 00:00:00","value":"1.2"},{"dateTime":"05/01/24 00:01:00","value":"3.4"}]"#,
        #"""
        [{"logId": 1, "startTime": "2024-05-01T23:00:00.000", "endTime": "2024-05-02T07:00:00.000", "levels": {"data": [
        {"dateTime": "2024-05-01T23:00:00.000", "level": "light", "seconds": 28800}], "shortData": [{"dateTime":
        "2024-05-02T01:00:00.000", "level": "wake", "seconds": 60}]}, "activityName": "Run", "duration": 60000}]
        """#,
        #"[{"logId": 1, "weight": 80.5, "bmi": 25.1, "date": "05/01/24", "time": "07:30:00"}]"#,
        "timestamp,beats per minute,data source\n2024-05-01T07:00:07Z,60.0,\"Charge, 5\"\n",
        "sleep_id,sleep_stage_type,sleep_start,sleep_end,sleep_stage_start,sleep_stage_end\n"
            + "1,LIGHT,2024-05-01T07:00:00Z,2024-05-01T08:00:00Z,2024-05-01T07:00:00Z,2024-05-01T08:00:00Z\n",
        #"""
        {"Data Source":"raw:com.google.weight:com.example:","Data Points":[{"fitValue":[{"value":{"fpVal":80.5}}],
        "originDataSourceId":"","endTimeNanos":1714560000000000000,"dataTypeName":"com.google.weight",
        "startTimeNanos":1714560000000000000}],"fitnessActivity":"walking","startTime":"2024-05-01T07:00:00Z",
        "endTime":"2024-05-01T08:00:00Z","aggregate":[{"metricName":"com.google.distance.delta","floatValue":3.5}]}
        """#,
    ]

    /// Reads a table as a list of Strava's and by every ready mapping.
    private static func checkTable(_ bytes: [UInt8]) throws {
        for activity in (try StravaList { pieces(bytes) })?.activities ?? [] {
            try FuzzFailure.unless(activity.workout.end > activity.workout.start, "a workout without time")
        }
        for mapping in WithingsReader.mappings + WHOOPReader.mappings { try checkRows(bytes, mapping) }
    }

    private static func checkRows(_ bytes: [UInt8], _ mapping: ColumnMapping) throws {
        do {
            try TableFile(mapping) { pieces(bytes) }.read(context()) { reading in
                for sample in reading.samples + reading.objects.flatMap(\.members) {
                    try FuzzFailure.unless(
                        sample.end >= sample.start && sample.value.isFinite && sample.end.isFinite,
                        "a sample that isn’t one")
                }
            }
        } catch is FileReadingError {}
    }

    /// The bytes in small pieces.
    private static func pieces(_ bytes: [UInt8]) -> () throws -> [UInt8] {
        var rest = bytes[...]
        return {
            defer { rest = rest.dropFirst(7) }
            return Array(rest.prefix(7))
        }
    }

    private static let strava = """
        Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Commute,Activity Gear,Filename
        10001,"May 1, 2024, 10:00:00 AM","Ride, home",Ride,"two
        lines",783,3.68,true,Merida,
        10002,"01.05.2024, 10:00:00",Run,Lauf,,783,"3,68",true,,activities/1.fit.gz
        """

    private static let sleep = """
        start,duration,value
        2024-04-30T23:10:00+02:00,"[600,1800,1800,600]","[0,1,1,3]"
        """

    private static let weight = """
        Date,"Weight (kg)","Fat mass (kg)",Comments
        "2024-05-01 07:12:33",78.4,15.68,"after ""the"" run"
        """

    private static let mapping = """
        {"source": "x", "decimal": ",", "separator": ",", "header": 1, "time": {"column": ["start", "from"], "format":
         ["iso8601", "dd.MM.yyyy HH:mm"], "zone": {"column": "zone"}}, "duration": {"column": "duration", "unit": "s"},
         "except": {"value": "[]"}, "samples": [{"type": "sleepAnalysis", "column": "value", "values": {"0": "awake",
         "1": 3, "3": "asleepREM"}}, {"type": "stepCount", "column": "value", "unit": "count", "total": true}]}
        """

    /// Whatever a file says, the result can be stored.
    private static func check(_ reading: FileContent) throws {
        for object in reading.objects {
            if case .workout = object.body {
                try FuzzFailure.unless(object.end > object.start, "a workout without time")
            } else {
                try FuzzFailure.unless(object.end >= object.start, "an object that ends before it begins")
            }
            for sample in object.members {
                try FuzzFailure.unless(
                    sample.end >= sample.start && sample.value.isFinite && sample.value >= 0, "a sample that isn’t one")
            }
        }
        for (owner, series) in reading.members {
            try FuzzFailure.unless(reading.objects.indices.contains(owner), "members of nothing")
            for row in 0..<series.count {
                try FuzzFailure.unless(
                    series.ends[row] >= series.starts[row] && series.values[row].isFinite && series.values[row] >= 0,
                    "a sample that isn’t one")
            }
        }
    }

    private static let tcx = """
        <TrainingCenterDatabase><Activities><Activity Sport="Biking"><Id>2024-05-01T10:00:00Z</Id>
        <Lap StartTime="2024-05-01T10:00:00Z"><TotalTimeSeconds>60</TotalTimeSeconds><DistanceMeters>500</DistanceMeters>
        <Calories>9</Calories><Track><Trackpoint><Time>2024-05-01T10:00:00Z</Time><Position><LatitudeDegrees>52.1
        </LatitudeDegrees><LongitudeDegrees>13.4</LongitudeDegrees></Position><AltitudeMeters>30</AltitudeMeters>
        <DistanceMeters>0</DistanceMeters><HeartRateBpm><Value>120</Value></HeartRateBpm><Cadence>80</Cadence><Extensions>
        <ns3:TPX><ns3:Watts>200</ns3:Watts><ns3:Speed>8.5</ns3:Speed></ns3:TPX></Extensions></Trackpoint><Trackpoint>
        <Time>2024-05-01T10:01:00Z</Time><DistanceMeters>500</DistanceMeters></Trackpoint></Track></Lap><Creator><Name>
        Edge 530</Name><UnitId>1</UnitId><ProductID>3121</ProductID></Creator></Activity></Activities>
        </TrainingCenterDatabase>
        """

    private static let gpx = """
        <gpx version="1.1" creator="Fuzz"><trk><type>running</type><trkseg><trkpt lat="52.1" lon="13.4"><ele>30</ele>
        <time>2024-05-01T10:00:00Z</time><extensions><power>200</power><gpxtpx:TrackPointExtension><gpxtpx:hr>120
        </gpxtpx:hr><gpxtpx:cad>80</gpxtpx:cad></gpxtpx:TrackPointExtension></extensions></trkpt>
        <trkpt lat="52.2" lon="13.4"><time>2024-05-01T10:00:05.5+02:00</time></trkpt></trkseg></trk></gpx>
        """

    /// A file with an identity and two records, one of them with a compressed header.
    private static var example: [UInt8] {
        let definitions: [UInt8] = [
            0x40, 0, 0, 0, 0, 2, 0, 1, 0, 1, 2, 0x84, 0, 4, 1, 0,
            0x41, 0, 1, 0, 20, 3, 253, 4, 0x86, 3, 1, 2, 8, 3, 13,
        ]
        let records: [UInt8] = [1, 0x3B, 0x9A, 0xCA, 0, 120, 0, 1, 0xFA, 0xA5, 0x3B, 0x9A, 0xCA, 5, 121, 0, 0x41, 6]
        let body = definitions + records
        let header: [UInt8] = [12, 0x20, 0, 0, UInt8(body.count), 0, 0, 0] + Array(".FIT".utf8)
        let checksum = (header + body).withUnsafeBytes(FITChecksum.value)
        return header + body + [UInt8(checksum & 0xFF), UInt8(checksum >> 8)]
    }
}
