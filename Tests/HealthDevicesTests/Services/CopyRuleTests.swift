import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("Copies, cut files and reports of several services")
struct CopyRuleTests {
    /// Imports files at once, or one after the other.
    private func imported(_ files: [(String, String)], atOnce: Bool) throws -> (
        folder: ArchiveFolder, reports: [ImportReport]
    ) {
        let folder = try ArchiveFolder()
        var paths: [String] = []
        for (name, text) in files { paths.append(try folder.write(Array(text.utf8), name)) }
        let reports = try atOnce ? [folder.importing()] : paths.map { try folder.importing($0) }
        return (folder, reports.compactMap(\.self))
    }

    // MARK: - Rules

    private static let withings = "Date,\"Weight (kg)\",\"Fat mass (kg)\"\n2024-05-01 09:00:00,80,\n"

    @Test("The same file twice at a path is read once, under its own name or that of a second copy")
    func files() throws {
        let (folder, reports) = try imported(
            [
                ("weight.csv", Self.withings), ("weight (1).csv", Self.withings), ("b/weight.csv", Self.withings),
                ("c/weight.csv", Self.withings.replacing("80", with: "81")),
            ], atOnce: true)
        defer { folder.remove() }
        #expect(try folder.samples("BodyMass").map(\.value) == [80, 81])
        #expect(reports[0].unread.map(\.reason) == ["has the same contents as another file"])
        #expect(reports[0].unread.first?.count == 2)
    }

    /// A run from ten o'clock on, with a heart rate every ten seconds, as Polar and as another program write it.
    private static let polar: (String, String) = {
        let rates = (0..<30).map { "\(120 + $0)" }.joined(separator: ",")
        return (
            "training-session-2024-05-01.json",
            #"""
            {"timezoneOffsetMinutes":0,"exercises":[{"startTime":"2024-05-01T10:00:00","durationMillis":290000,
            "sport":"RUNNING","samples":{"samples":[{"type":"HEART_RATE","intervalMillis":10000,"values":[\#(rates)]}]}}]}
            """#
        )
    }()
    private static let gpx: (String, String) = {
        let points = (0..<30).map { place -> String in
            let seconds = place * 10
            let (minute, second) = (seconds / 60, seconds % 60)
            let time = "2024-05-01T10:0\(minute):\(second < 10 ? "0" : "")\(second)Z"
            return """
                <trkpt lat="52.\(10 + place)" lon="13.4"><time>\(time)</time><extensions><hr>\(120 + place)</hr></extensions></trkpt>
                """
        }
        return (
            "run.gpx",
            "<gpx creator=\"Service\"><trk><type>running</type><trkseg>\(points.joined())</trkseg></trk></gpx>"
        )
    }()

    @Test("A recording of two services is one workout, that with its places, in any order", arguments: [0, 1, 2])
    func recordings(order: Int) throws {
        let files = order == 1 ? [Self.gpx, Self.polar] : [Self.polar, Self.gpx]
        let (folder, _) = try imported(files, atOnce: order == 2)
        defer { folder.remove() }
        #expect(try folder.workouts().map { $0.revision?.source.name } == ["Service"])
        #expect(try folder.samples("HeartRate").count == 30)
    }

    @Test(
        "A workout by totals gives way to a recording of half of its time",
        arguments: [
            ("10:00:30", 240_000, 1), ("10:02:00", 170_000, 1), ("10:04:00", 600_000, 2), ("12:00:00", 240_000, 2),
        ])
    func summaries(start: String, milliseconds: Int, count: Int) throws {
        let log = #"""
            [{"logId": 1, "activityName": "Run", "startTime": "05/01/24 \#(start)", "duration": \#(milliseconds)}]
            """#
        let (folder, _) = try imported([Self.gpx, ("Fitbit/exercise-0.json", log)], atOnce: true)
        defer { folder.remove() }
        #expect(try folder.workouts().count == count)
    }

    @Test(
        "A workout by totals gives way to a recording of its activity only, in the store and in the files",
        arguments: [("Running", 1), ("Hiking", 1), ("Xyz", 1), ("Swimming", 2)],
        ["recording first", "recording last", "at once"])
    func activities(activity: (name: String, count: Int), order: String) throws {
        var summaries = [
            (
                "workouts.csv",
                """
                Cycle start time,Cycle end time,Cycle timezone,Workout start time,Workout end time,Duration (min),Activity name,Activity Strain,Energy burned (cal),Max HR (bpm),Average HR (bpm)
                2024-05-01 00:30:00,,UTC+02:00,2024-05-01 12:00:30,2024-05-01 12:04:30,4,\(activity.name),12.1,31,159,150

                """
            )
        ]
        // Strava's list has workouts that the person has entered.
        if order == "recording last" {
            summaries.append(
                (
                    "activities.csv",
                    """
                    Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Filename
                    1,"May 1, 2024, 10:00:30 AM",x,\(activity.name),,240,,

                    """
                ))
        }
        for summary in summaries {
            let files = order == "recording last" ? [summary, Self.gpx] : [Self.gpx, summary]
            let (folder, _) = try imported(files, atOnce: order == "at once")
            defer { folder.remove() }
            #expect(try folder.workouts().count == activity.count, "\(summary.0)")
        }
    }

    @Test(
        "A total gives way to finer samples of its own service only",
        arguments: [
            ("raw_tracker_steps.csv", "start,duration,value\n2024-05-01T09:00:00+02:00,[60],[100]\n", [100.0]),
            (
                "Takeout/steps_2024-05-01.csv", "timestamp,steps,data source\n2024-05-01T07:00:00Z,100,X\n",
                [5_000, 100]
            ),
        ])
    func totals(name: String, text: String, values: [Double]) throws {
        for atOnce in [false, true] {
            let (folder, _) = try imported(
                [("aggregates_steps.csv", "date,value\n2024-05-01,5000\n"), (name, text)], atOnce: atOnce)
            defer { folder.remove() }
            #expect(try folder.samples("StepCount").map(\.value) == values, "at once: \(atOnce)")
        }
    }

    // MARK: - Cut files

    static let documents: [(name: String, text: String)] = [
        (
            "heart_rate-2024-05-01.json",
            #"""
            [{"dateTime": "05/01/24 07:00:07", "value": {"bpm": 60, "confidence": 2}},
            {"dateTime": "05/01/24 07:00:17", "value": {"bpm": 161, "confidence": 3}}]
            """#
        ),
        (
            "sleep-2024-05-01.json",
            #"""
            [{"logId": 1, "startTime": "2024-05-01T23:00:00.000", "endTime": "2024-05-02T07:00:00.000", "levels": {"data": [
            {"dateTime": "2024-05-01T23:00:00.000", "level": "deep", "seconds": 28800}]}},
            {"logId": 2, "startTime": "2024-05-02T23:00:00.000", "endTime": "2024-05-03T07:00:00.000"}]
            """#
        ),
        (
            "exercise-0.json",
            #"""
            [{"logId": 1, "activityName": "Run", "startTime": "05/01/24 07:00:00", "duration": 1800000, "calories": 300},
            {"logId": 2, "activityName": "Walk", "startTime": "05/02/24 07:00:00", "duration": 600000, "steps": 900}]
            """#
        ),
        polar,
    ]

    @Test("Of a document that is cut off anywhere, nothing is stored that the whole one lacks", arguments: documents)
    func cuts(name: String, text: String) throws {
        func contents(_ length: Int) throws -> [String] {
            let folder = try ArchiveFolder([name: Array(text.utf8.prefix(length))])
            defer { folder.remove() }
            do { _ = try folder.importing() } catch is ImportError {}
            return try folder.contents()
        }
        let whole = Set(try contents(text.utf8.count))
        #expect(!whole.isEmpty)
        for length in stride(from: 1, to: text.utf8.count - 1, by: 13) {
            #expect(Set(try contents(length)).isSubset(of: whole), "\(length) bytes")
        }
    }

    // MARK: - Reports

    @Test(
        "A file that isn’t read is named with its reason",
        arguments: [
            ("empty.csv", "", "is empty or can’t be read"), ("empty.json", "", "is empty or can’t be read"),
            ("notes.txt", "text", "isn’t in a known format"), ("image.png", "\u{89}PNG", "isn’t in a known format"),
            (
                "table.csv", "a,b\n1,2\n",
                "is a CSV file whose columns are unknown. Say what they are in a mapping, with --columns; --propose prints one"
            ),
            (
                "table.tsv", "a\tb\n",
                "is a CSV file whose columns are unknown. Say what they are in a mapping, with --columns; --propose prints one"
            ),
            (
                "other.json", "{}",
                "is a JSON file that isn’t known. Import the zip file or folder that the service has handed out, as a whole"
            ),
            ("run.fit", "not a FIT file", "can’t be read: it does not begin like a FIT, TCX or GPX file"),
            (
                "activity-2024-05-01.json", #"{"exportVersion": "1.0"}"#,
                "is one of Polar’s other documents. Only training sessions, steps, nights and heart rates are imported"
            ),
            (
                "Health detail data & description/other.json", "{}",
                "is one of Huawei’s other documents. Only workouts, health details and sport by the minute are imported"
            ),
            (
                "DI_CONNECT/2024_sleepData.json", "[]",
                "is Garmin’s document of sleep, which isn’t imported: the FIT files of the export have the same in detail. Import the zip file of the export, or its folder"
            ),
        ])
    func reports(name: String, text: String, reason: String) throws {
        let (folder, reports) = try imported([(name, text), ("weight.csv", Self.withings)], atOnce: true)
        defer { folder.remove() }
        #expect(reports.first?.addedCount == 1)
        #expect(reports.first?.unread.map(\.reason) == [reason] && reports.first?.unread.map(\.files) == [[name]])
    }

    @Test(
        "A name that several services use belongs to the one whose columns it has",
        arguments: [
            ("weight.csv", withings, "Withings"),
            ("weight.csv", "timestamp,weight grams,data source\n2024-05-01T07:00:00Z,80000,Scale\n", "Scale"),
            ("height.csv", "Date,\"Height (m)\"\n2024-05-01 09:00:00,1.8\n", "Withings"),
            ("height.csv", "timestamp,height millimeters,data source\n2024-05-01T07:00:00Z,1800,Scale\n", "Scale"),
            (
                "activities.csv", "from,to,Activity type,Data\n2024-05-01T18:00:00Z,2024-05-01T18:45:00Z,Run,{}\n",
                "Withings"
            ),
            (
                "activities.csv",
                "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Filename\n1,\"May 1, 2024, 10:00:00 AM\",Ride,Ride,,783,3.68,\n",
                "Strava"
            ),
            (
                "strava activities (1).csv",
                "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Filename\n1,\"May 1, 2024, 10:00:00 AM\",Ride,Ride,,783,3.68,\n",
                "Strava"
            ),
        ])
    func names(name: String, text: String, source: String) throws {
        let (folder, reports) = try imported([(name, text)], atOnce: true)
        defer { folder.remove() }
        #expect(try folder.sources() == [source] && reports.first?.unread == [])
    }
}
