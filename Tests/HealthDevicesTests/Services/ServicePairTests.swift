import ArchiveTestSupport
import Foundation
import GRDBSQLite
import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("The same workout at two services is stored once")
struct ServicePairTests {
    /// The files of a service, by path.
    private typealias Archive = [String: [UInt8]]

    private struct Point {
        /// Seconds since 1970.
        let time: Int
        let latitude: Double
        let longitude: Double
        let rate: Int
    }

    /// The moments of ``FITFileWriter/run``, with a pause of ten seconds.
    private static let points: [Point] = (0..<100).map { place in
        let pause = place >= 50 ? 10 : 0
        let time = 631_065_600 + Int(FITFileWriter.start) + place + pause
        func degrees(_ semicircles: Int) -> Double { Double(semicircles) * 180 / 0x1p31 }
        return Point(
            time: time, latitude: degrees(573_845_000 + place * 100), longitude: degrees(137_200_000 + place * 100),
            rate: 120 + place % 40)
    }

    private static func text(_ time: Int) -> String { Date(timeIntervalSince1970: Double(time)).ISO8601Format() }

    private static let gpx: [UInt8] = {
        let list = points.map { point in
            """
            <trkpt lat="\(point.latitude)" lon="\(point.longitude)"><time>\(text(point.time))</time><extensions><hr>\(point.rate)</hr></extensions></trkpt>
            """
        }
        return Array(
            "<gpx creator=\"Service\"><trk><type>running</type><trkseg>\(list.joined())</trkseg></trk></gpx>".utf8)
    }()

    private static let strava: Archive = [
        "activities.csv": Array(
            """
            Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Filename
            1,"Sep 8, 2021, 1:46:40 AM",Run,Run,,110,1.1,activities/1.gpx

            """.utf8), "activities/1.gpx": gpx,
    ]

    private static let suunto: [UInt8] = {
        let list = points.map { point in
            let (latitude, longitude) = (point.latitude * Double.pi / 180, point.longitude * Double.pi / 180)
            return """
                {"TimeISO8601":"\(text(point.time))","HR":\(Double(point.rate) / 60),"Latitude":\(latitude),"Longitude":\(longitude)}
                """
        }
        return Array(
            #"{"DeviceLog":{"Header":{"ActivityType":3},"Samples":[\#(list.joined(separator: ","))]}}"#.utf8)
    }()

    private static func healthConnect() throws -> [UInt8] {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).db").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let period =
            "row_id INTEGER PRIMARY KEY, uuid BLOB, app_info_id INTEGER, device_info_id INTEGER, start_time INTEGER, start_zone_offset INTEGER, end_time INTEGER, end_zone_offset INTEGER"
        let row = "(1, x'00', 1, NULL, \(points[0].time * 1_000), 0, \(points[99].time * 1_000), 0"
        let rates = points.map { "(1, \($0.rate), \($0.time * 1_000))" }.joined(separator: ",")
        let places = points.map { "(1, \($0.time * 1_000), \($0.latitude), \($0.longitude), NULL)" }
        let statements = """
            CREATE TABLE application_info_table (row_id INTEGER PRIMARY KEY, package_name TEXT, app_name TEXT);
            INSERT INTO application_info_table VALUES (1, 'com.example.watch', 'Watch');
            CREATE TABLE heart_rate_record_table (\(period));
            INSERT INTO heart_rate_record_table VALUES \(row));
            CREATE TABLE heart_rate_record_series_table (parent_key INTEGER, beats_per_minute INTEGER, epoch_millis INTEGER);
            INSERT INTO heart_rate_record_series_table VALUES \(rates);
            CREATE TABLE exercise_session_record_table (\(period), notes TEXT, exercise_type INTEGER, title TEXT, has_route INTEGER);
            INSERT INTO exercise_session_record_table VALUES \(row), NULL, 33, 'Run', 1);
            CREATE TABLE exercise_route_table (parent_key INTEGER, timestamp_millis INTEGER, latitude REAL, longitude REAL, altitude REAL);
            INSERT INTO exercise_route_table VALUES \(places.joined(separator: ","));
            """
        var handle: OpaquePointer?
        #expect(sqlite3_open(path, &handle) == SQLITE_OK)
        #expect(sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(handle)
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static let polar: (json: [UInt8], tcx: [UInt8]) = {
        let moments = points.prefix(50)
        let rates = moments.map { "\($0.rate)" }.joined(separator: ",")
        let json = #"""
            {"timezoneOffsetMinutes":0,"exercises":[{"startTime":"2021-09-08T01:46:40","durationMillis":49000,
            "sport":"RUNNING","samples":{"samples":[{"type":"HEART_RATE","intervalMillis":1000,"values":[\#(rates)]}]}}]}
            """#
        let list = moments.map {
            "<Trackpoint><Time>\(text($0.time))</Time><HeartRateBpm><Value>\($0.rate)</Value></HeartRateBpm></Trackpoint>"
        }
        let tcx = """
            <TrainingCenterDatabase><Activities><Activity Sport="Running"><Lap StartTime="\(text(moments[0].time))">
            <TotalTimeSeconds>49</TotalTimeSeconds><Track>\(list.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """
        return (Array(json.utf8), Array(tcx.utf8))
    }()

    private static let zepp: Archive = [
        "SPORT/SPORT_1.csv": Array(
            """
            type,startTime,sportTime(s),maxPace(/meter),minPace(/meter),distance(m),avgPace(/meter),calories(kcal)
            1,2021-09-08 01:46:40+0000,110,0,0,300.0,0,31.0

            """.utf8)
    ]
    private static let whoop: Archive = [
        "workouts.csv": Array(
            """
            Cycle start time,Cycle end time,Cycle timezone,Workout start time,Workout end time,Duration (min),Activity name,Activity Strain,Energy burned (cal),Max HR (bpm),Average HR (bpm)
            2021-09-08 00:30:00,,UTC+02:00,2021-09-08 03:46:30,2021-09-08 03:48:30,2,Running,12.1,31,159,150

            """.utf8)
    ]

    private static func pairs() throws -> [(names: String, one: Archive, other: Archive)] {
        let garmin: Archive = ["run.fit": FITFileWriter.run.file()]
        let database: Archive = ["health_connect_export.db": try healthConnect()]
        return [
            ("Garmin and Strava", garmin, strava), ("Garmin and Health Connect", garmin, database),
            ("Strava and Health Connect", strava, database), ("Suunto and Strava", ["workout.json": suunto], strava),
            (
                "Polar’s session and its TCX file", ["training-session-2021-09-08.json": polar.json],
                ["polar.tcx": polar.tcx]
            ),
            ("Zepp’s export and its GPX file", zepp, ["zepp.gpx": gpx]), ("WHOOP and Strava", whoop, strava),
        ]
    }

    @Test("In any order, and at once", arguments: 0..<7, ["one after the other", "the other way round", "at once"])
    func pair(number: Int, order: String) throws {
        let (names, one, other) = try Self.pairs()[number]
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        for (place, archive) in [("a", one), ("b", other)] {
            for (name, bytes) in archive { try folder.write(bytes, "\(place)/\(name)") }
        }
        let paths = order == "at once" ? [""] : order == "one after the other" ? ["a", "b"] : ["b", "a"]
        let reports = try paths.map { try #require(try folder.importing(folder.url.path + "/" + $0)) }
        // What an application has saved in Health Connect is never replaced by what has more.
        let isBoth = names.contains("Health Connect") && order != "one after the other"
        #expect(try folder.workouts().count == (isBoth ? 2 : 1), "\(names)")
        let left = reports.last?.irregularities.keys.filter { $0.contains("workout") && $0.contains("detail") } ?? []
        #expect(left.count == (isBoth ? 0 : 1), "\(names): \(reports.last?.irregularities ?? [:])")
        // Each of them again adds nothing.
        for path in paths { #expect(try folder.importing(folder.url.path + "/" + path)?.addedCount == 0, "\(names)") }
        #expect(try folder.workouts().count == (isBoth ? 2 : 1))
    }
}
