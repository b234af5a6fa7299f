import Foundation
import ProcessTestSupport
import Testing

/// Files that other programs write, as `hk import` and Python's readers of these formats find them.
@Suite("hk import reads what other programs write")
struct DeviceImportTests {
    private let scratch = Scratch()

    private static let python = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(".build/python/bin/python").path
    private static let gpsbabel = "/usr/bin/gpsbabel"

    private func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = scratch.folder
        let run = try process.finish()
        #expect(run.status == 0, "\(run.errors.suffix(2_000))")
        return run.output
    }

    private func script(_ text: String) throws -> [String: Any] {
        try Data(text.utf8).write(to: scratch.file("script.py"))
        let output = try run(Self.python, ["script.py"])
        return try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }

    /// Imports a file into a separate store, and returns the workout and the values of a type in order of time.
    private func importing(
        _ name: String, _ types: [String]
    ) throws -> (workout: [String: Any], values: [String: [Double]]) {
        let store = scratch.file(name + ".store")
        let imported = try CommandRun(["import", name, "--quiet"], store: store, folder: scratch.folder)
        #expect(imported.status == 0, "\(imported.errors)")
        let list =
            try CommandRun(["workouts", "--json"], store: store, folder: scratch.folder).json() as? [String: Any]
        let workout = try #require((list?["workouts"] as? [[String: Any]])?.first)
        var values: [String: [Double]] = [:]
        for type in types {
            let run = try CommandRun(
                ["samples", type, "--json", "--limit", "10000"], store: store, folder: scratch.folder)
            let samples = (try run.json() as? [String: Any])?["samples"] as? [[String: Any]] ?? []
            values[type] = samples.sorted { "\($0["startDate"] ?? "")" < "\($1["startDate"] ?? "")" }
                .compactMap { $0["quantity"] as? Double }
        }
        return (workout, values)
    }

    /// A ride of ten minutes by fit-tool, and what Garmin's library and fitdecode read of it.
    private static let ride = """
        import json, fitdecode
        from fit_tool.fit_file_builder import FitFileBuilder
        from fit_tool.profile.messages.file_id_message import FileIdMessage
        from fit_tool.profile.messages.record_message import RecordMessage
        from fit_tool.profile.messages.session_message import SessionMessage
        from fit_tool.profile.profile_type import FileType, Manufacturer, Sport, SubSport
        from garmin_fit_sdk import Decoder, Stream
        start = 1714557600000
        builder = FitFileBuilder(auto_define=True, min_string_size=50)
        identity = FileIdMessage()
        identity.type, identity.manufacturer, identity.product = FileType.ACTIVITY, Manufacturer.DEVELOPMENT.value, 7
        identity.serial_number, identity.time_created = 4711, start
        builder.add(identity)
        for second in range(600):
            record = RecordMessage()
            record.timestamp = start + second * 1000
            record.position_lat, record.position_long = 52.5 + second * 1e-5, 13.4 - second * 1e-5
            record.heart_rate, record.cadence, record.power = 100 + second % 60, 80 + second % 5, 200 + second % 37
            record.distance, record.speed, record.altitude = second * 8.25, 8.25, 34.4
            builder.add(record)
        session = SessionMessage()
        session.timestamp, session.start_time = start + 599000, start
        session.total_elapsed_time, session.total_timer_time, session.total_distance = 599, 599, 599 * 8.25
        session.sport, session.sub_sport, session.total_calories = Sport.CYCLING, SubSport.ROAD, 90
        builder.add(session)
        builder.build().to_file("ride.fit")
        messages, errors = Decoder(Stream.from_file("ride.fit")).read()
        records = messages["record_mesgs"]
        frames = [f for f in fitdecode.FitReader("ride.fit") if isinstance(f, fitdecode.FitDataMessage)]
        print(json.dumps({
            "errors": len(errors), "rates": [r["heart_rate"] for r in records],
            "powers": [r["power"] for r in records], "cadences": [r["cadence"] for r in records],
            "others": [f.get_value("heart_rate") for f in frames if f.name == "record"],
            "distance": records[-1]["distance"], "seconds": messages["session_mesgs"][0]["total_timer_time"]}))
        """

    @Test(
        "fit-tool's ride, as garmin-fit-sdk and fitdecode read it",
        .enabled(if: FileManager.default.isExecutableFile(atPath: python)))
    func fit() throws {
        let expected = try script(Self.ride)
        let (workout, values) = try importing("ride.fit", ["heartRate", "cyclingPower", "cyclingCadence"])
        #expect(expected["errors"] as? Int == 0)
        let rates = try #require(expected["rates"] as? [Double])
        #expect(rates.count == 600 && rates == expected["others"] as? [Double])
        #expect(values["heartRate"] == rates)
        #expect(values["cyclingPower"] == expected["powers"] as? [Double])
        #expect(values["cyclingCadence"] == expected["cadences"] as? [Double])
        #expect(workout["duration"] as? Double == expected["seconds"] as? Double)
        let distance = try #require((workout["totalDistance"] as? [String: Any])?["quantity"] as? Double)
        let meters = try #require(expected["distance"] as? Double)
        #expect(abs(distance * 1_000 - meters) < 0.01)
    }

    @Test(
        "gpxpy's track and gpsbabel's conversion of it, as gpxpy and tcxreader read them",
        .enabled(
            if: [python, gpsbabel].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }))
    func tracks() throws {
        let written = try script(
            """
            import gpxpy.gpx, datetime, json
            from xml.etree import ElementTree
            gpx = gpxpy.gpx.GPX()
            gpx.creator = "gpxpy"
            name = "{http://www.garmin.com/xmlschemas/TrackPointExtension/v1}"
            gpx.nsmap["gpxtpx"] = name[1:-1]
            track = gpxpy.gpx.GPXTrack()
            track.type = "running"
            gpx.tracks.append(track)
            segment = gpxpy.gpx.GPXTrackSegment()
            track.segments.append(segment)
            start = datetime.datetime(2024, 5, 1, 10, tzinfo=datetime.timezone.utc)
            for second in range(0, 300, 3):
                point = gpxpy.gpx.GPXTrackPoint(
                    52 + second * 3e-5, 13.4, elevation=30, time=start + datetime.timedelta(seconds=second))
                extension = ElementTree.Element(name + "TrackPointExtension")
                ElementTree.SubElement(extension, name + "hr").text = str(120 + second % 50)
                point.extensions.append(extension)
                segment.points.append(point)
            open("run.gpx", "w").write(gpx.to_xml())
            again = gpxpy.parse(open("run.gpx"))
            print(json.dumps({
                "rates": [120 + second % 50 for second in range(0, 300, 3)],
                "meters": again.length_2d(), "seconds": again.get_duration()}))
            """)
        _ = try run(
            Self.gpsbabel,
            ["-t", "-i", "gpx", "-f", "run.gpx", "-o", "gtrnctr,course=0,sport=Running", "-F", "run.tcx"])
        let read = try script(
            """
            import json
            from tcxreader.tcxreader import TCXReader
            tcx = TCXReader().read("run.tcx", only_gps=False)
            print(json.dumps({
                "rates": [p.hr_value for p in tcx.trackpoints if p.hr_value], "meters": tcx.distance,
                "seconds": (tcx.trackpoints[-1].time - tcx.trackpoints[0].time).total_seconds()}))
            """)
        for (name, expected) in [("run.gpx", written), ("run.tcx", read)] {
            let (workout, values) = try importing(name, ["heartRate"])
            let rates = try #require(expected["rates"] as? [Double])
            #expect(rates.count == 100 && values["heartRate"] == rates, "\(name)")
            #expect(workout["duration"] as? Double == expected["seconds"] as? Double, "\(name)")
            let meters = try #require(expected["meters"] as? Double)
            let distance = try #require((workout["totalDistance"] as? [String: Any])?["quantity"] as? Double)
            // Both use spheres of somewhat different size.
            #expect(abs(distance * 1_000 / meters - 1) < 0.005, "\(name)")
            #expect(workout["workoutActivityType"] as? Int == 37, "\(name)")
        }
    }
}
