import Foundation
import ProcessTestSupport
import Testing

/// Workouts as files, as `hk` writes them and as Python's readers of these formats find them.
@Suite("hk export and hk workouts write FIT, TCX and GPX")
struct WorkoutExportTests {
    private let scratch = Scratch()

    /// A run with a route, a pause and a heart rate in every ten seconds of its first two minutes, and a session of yoga.
    private func store() throws -> URL {
        func time(_ second: Int) -> String {
            "2025-11-10 17:\(10 + second / 60):\(String(100 + second % 60).suffix(2)) -0500"
        }
        let rates = (0..<12).map { index in
            """
             <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" startDate="\(time(index * 10))" endDate="\(time(index * 10))" value="\(120 + index)"/>
            """
        }
        let locations = stride(from: 0, through: 300, by: 5).map { second in
            """
               <Location date="\(time(second))" latitude="52.\(500_000 + second)" longitude="13.4" altitude="\(30 + second).5" horizontalAccuracy="4" verticalAccuracy="3" course="0" speed="2"/>
            """
        }
        let archive = try scratch.archive(
            rates.joined(separator: "\n") + """

                 <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="4" durationUnit="min" totalDistance="0.8" totalDistanceUnit="km" totalEnergyBurned="60" totalEnergyBurnedUnit="kcal" sourceName="Watch" startDate="\(time(0))" endDate="\(time(300))">
                  <WorkoutEvent type="HKWorkoutEventTypePause" date="\(time(60))"/>
                  <WorkoutEvent type="HKWorkoutEventTypeResume" date="\(time(120))"/>
                  <WorkoutRoute sourceName="Watch" startDate="\(time(0))" endDate="\(time(300))">
                \(locations.joined(separator: "\n"))
                  </WorkoutRoute>
                 </Workout>
                 <Workout workoutActivityType="HKWorkoutActivityTypeYoga" duration="61.5" durationUnit="min" sourceName="Watch" startDate="2025-11-12 17:00:00 -0500" endDate="2025-11-12 18:01:30 -0500"/>

                """)
        let run = try CommandRun(["import", archive.path, "--quiet"], store: scratch.store)
        #expect(run.status == 0, "\(run.errors)")
        return scratch.store
    }

    private func hk(_ arguments: String..., store: URL) throws -> CommandRun {
        try CommandRun(arguments, store: store, folder: scratch.folder)
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.file(folder).path).filter { !$0.hasPrefix(".") }
            .sorted()
    }

    @Test("Both commands write the same files, and say what has no route")
    func same() throws {
        let store = try store()
        let exported = try hk("export", "routes", "--format", "gpx", store: store)
        #expect(exported.status == 0 && exported.errors == "")
        #expect(exported.output.contains("What was left out can’t be represented in this format."))
        #expect(exported.output.contains(" --format fit also writes workouts without a route.\n"))
        #expect(exported.output.hasSuffix("\nWrote routes.\n"))
        #expect(try names("routes") == ["2025-11-10_17-10-00_running.gpx"])
        let file = try Data(contentsOf: scratch.file("routes/2025-11-10_17-10-00_running.gpx"))
        #expect(try hk("workouts", "export", "again", "--last", "1y", store: store).status == 0)
        #expect(try Data(contentsOf: scratch.file("again/2025-11-10_17-10-00_running.gpx")) == file)
        let one = try hk("workouts", "2", "run.gpx", "--json", store: store)
        let answer = try #require(try one.json() as? [String: Any])
        #expect(answer["kinds"] as? [String: Int] == ["workout": 1] && answer["files"] as? Int == 1)
        // The locations in the pause.
        #expect(answer["leftOut"] as? [String: Int] == ["location": 11])
        #expect(try Data(contentsOf: scratch.file("run.gpx")) == file)
        #expect(try Data(hk("export", "-", "--format", "gpx", store: store).output.utf8) == file)
        #expect(try hk("workouts", "export", "tcx", "--format", "tcx", store: store).status == 0)
        #expect(try names("tcx") == ["2025-11-10_17-10-00_running.tcx", "2025-11-12_17-00-00_yoga.tcx"])
        let yoga = try hk("workouts", "export", "yoga", "--format", "tcx", "--activity", "yoga", store: store)
        #expect(yoga.status == 0)
        #expect(try names("yoga") == ["2025-11-12_17-00-00_yoga.tcx"])
        #expect(try hk("export", "none.gpx", "--from", "2025-11-11", "--quiet", store: store).status == 0)
        #expect(try !String(contentsOf: scratch.file("none.gpx"), encoding: .utf8).contains("<trk>"))
    }

    @Test("Workouts that can’t be written are refused")
    func mistakes() throws {
        let store = try store()
        for (arguments, message) in [
            (["workouts", "1", "yoga.gpx"], "The workout has no route, and GPX has nothing else. Use FIT or TCX."),
            (["workouts", "3", "x.tcx"], "The workout was not found. Workouts in the store: 2."),
            (
                ["workouts", "running", "x.tcx"],
                "“running” is not a workout. Use a number of the list, a UUID, or export."
            ),
            (
                ["workouts", "1", "x.csv"],
                "“x.csv” is the name of another format. Use one that ends in .fit, .tcx or .gpx, or a folder."
            ),
            (
                ["workouts", "1", "x.gpx", "--format", "tcx"],
                "“x.gpx” is the name of another format. Use one that ends in .fit, .tcx or .gpx, or a folder."
            ),
        ] {
            let run = try CommandRun(arguments, store: store, folder: scratch.folder)
            #expect(run.status == 64 && run.output == "" && run.errors == "Error: \(message)\n", "\(arguments)")
        }
        #expect(try hk("workouts", "export", store: store).status == 64)
        #expect(try hk("workouts", "--format", "gpx", store: store).status == 64)
        #expect(try !names("").contains { $0.hasPrefix("x.") || $0.hasPrefix("yoga") })
        #expect(try hk("workouts", "2", "run.gpx", store: store).status == 0)
        #expect(try hk("workouts", "2", "run.gpx", store: store).errors.contains("Use --force to replace it"))
        #expect(try hk("workouts", "2", "run.gpx", "--force", store: store).status == 0)
    }

    private static let python = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(".build/python/bin/python").path

    @Test(
        "gpxpy and tcxreader read the run: its time, its distance and every heart rate",
        .enabled(if: FileManager.default.isExecutableFile(atPath: python)))
    func readers() throws {
        let store = try store()
        #expect(try hk("workouts", "2", "run.gpx", store: store).status == 0)
        #expect(try hk("workouts", "2", "run.tcx", store: store).status == 0)
        #expect(try hk("workouts", "1", "yoga.tcx", store: store).status == 0)
        let script = """
            import gpxpy, json
            from tcxreader.tcxreader import TCXReader
            gpx = gpxpy.parse(open("run.gpx"))
            track = gpx.tracks[0]
            def rate(point):
                return [int(e.text) for x in point.extensions for e in x.iter() if e.tag.endswith("}hr")]
            points = [point for segment in track.segments for point in segment.points]
            tcx = TCXReader().read("run.tcx", only_gps=False)
            yoga = TCXReader().read("yoga.tcx", only_gps=False)
            print(json.dumps({
                "name": track.name, "type": track.type, "segments": [len(s.points) for s in track.segments],
                "seconds": gpx.get_duration(), "first": points[0].time.isoformat(), "elevation": points[1].elevation,
                "latitude": points[-1].latitude, "rates": sum([rate(p) for p in points], []),
                "sport": tcx.activity_type, "distance": tcx.distance, "calories": tcx.calories,
                "tcxRates": [p.hr_value for p in tcx.trackpoints if p.hr_value], "points": len(tcx.trackpoints),
                "yoga": [yoga.activity_type, len(yoga.trackpoints)]}))
            """
        try Data(script.utf8).write(to: scratch.file("read.py"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = ["read.py"]
        process.currentDirectoryURL = scratch.folder
        let run = try process.finish()
        #expect(run.status == 0, "\(run.errors.suffix(2_000))")
        let found = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(found["name"] as? String == "Running 2025-11-10 17:10" && found["type"] as? String == "running")
        #expect(found["segments"] as? [Int] == [13, 37] && found["seconds"] as? Double == 240)
        #expect(found["first"] as? String == "2025-11-10T22:10:00+00:00" && found["elevation"] as? Double == 35.5)
        #expect(found["latitude"] as? Double == 52.5003)
        // Every rate before the pause is that of two points, the last one of one; the others are measured in the pause.
        let rates: [Int] = (0..<6).flatMap { point in [120 + point, 120 + point] } + [126]
        #expect(found["rates"] as? [Int] == rates && found["tcxRates"] as? [Int] == rates)
        #expect(found["sport"] as? String == "Running" && found["points"] as? Int == 50)
        #expect(found["distance"] as? Double == 800 && found["calories"] as? Int == 60)
        #expect((found["yoga"] as? [Any])?.first as? String == "Other" && (found["yoga"] as? [Any])?.last as? Int == 0)
    }

    @Test(
        "Garmin’s SDK, fitdecode and gpsbabel read the run without a complaint",
        .enabled(if: FileManager.default.isExecutableFile(atPath: python)))
    func fit() throws {
        let store = try store()
        #expect(try hk("workouts", "2", "run.fit", store: store).status == 0)
        #expect(try hk("workouts", "2", "run.fit", store: store).status != 0)
        #expect(try hk("workouts", "2", "run.fit", "--force", store: store).status == 0)
        #expect(try hk("export", "all.fit", store: store).status == 0)
        let script = """
            import fitdecode, json, subprocess
            from garmin_fit_sdk import Decoder, Stream
            answer = {}
            for name in ["run", "all"]:
                checked = Decoder(Stream.from_file(name + ".fit"))
                assert checked.is_fit() and checked.check_integrity()
                messages, errors = Decoder(Stream.from_file(name + ".fit")).read()
                answer[name] = [len(messages.get("session_mesgs", [])), [str(e) for e in errors]]
                if name == "run":
                    session, activity = messages["session_mesgs"][0], messages["activity_mesgs"][0]
                    records = messages["record_mesgs"]
                    answer["rates"] = [r["heart_rate"] for r in records if "heart_rate" in r]
                    answer["times"] = [records[0]["timestamp"].isoformat(), records[-1]["timestamp"].isoformat()]
                    answer["session"] = [session[k] for k in ("sport", "sub_sport", "total_elapsed_time",
                        "total_timer_time", "total_distance", "total_calories", "num_laps")]
                    answer["timer"] = [e["event_type"] for e in messages["event_mesgs"]]
                    answer["altitude"] = records[1]["enhanced_altitude"]
                    answer["zone"] = (activity["local_timestamp"] - int(activity["timestamp"].timestamp()) + 631065600) % 86400
            with fitdecode.FitReader("run.fit", check_crc=fitdecode.CrcCheck.RAISE,
                                     error_handling=fitdecode.ErrorHandling.RAISE) as reader:
                frames = [f for f in reader if f.frame_type == fitdecode.FIT_FRAME_DATA and f.name == "record"]
            answer["fitdecode"] = len([f for f in frames if f.has_field("heart_rate")])
            run = subprocess.run(["gpsbabel", "-i", "garmin_fit", "-f", "run.fit", "-o", "gpx,garminextensions=1", "-F", "-"],
                                 capture_output=True, text=True)
            answer["gpsbabel"] = [run.returncode, run.stderr, run.stdout.count("<trkpt"), run.stdout.count(":hr>") // 2]
            print(json.dumps(answer))
            """
        try Data(script.utf8).write(to: scratch.file("read.py"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = ["read.py"]
        process.currentDirectoryURL = scratch.folder
        let run = try process.finish()
        #expect(run.status == 0, "\(run.errors.suffix(2_000))")
        let found = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect((found["run"] as? [Any])?.first as? Int == 1)
        #expect(((found["run"] as? [Any])?.last as? [String])?.isEmpty == true)
        #expect((found["all"] as? [Any])?.first as? Int == 2 && ((found["all"] as? [Any])?.last as? [String]) == [])
        let rates: [Int] = (0..<6).flatMap { point in [120 + point, 120 + point] } + [126]
        #expect(found["rates"] as? [Int] == rates && found["fitdecode"] as? Int == rates.count)
        #expect(found["times"] as? [String] == ["2025-11-10T22:10:00+00:00", "2025-11-10T22:15:00+00:00"])
        let session = try #require(found["session"] as? [Any])
        #expect(session.prefix(2).map { "\($0)" } == ["running", "generic"])
        #expect(session.suffix(5).compactMap { ($0 as? NSNumber)?.doubleValue } == [300, 240, 800, 60, 1])
        #expect(found["timer"] as? [String] == ["start", "stop_all", "start", "stop_all"])
        // FIT has fifths of a meter.
        #expect(abs(((found["altitude"] as? NSNumber)?.doubleValue ?? 0) - 35.5) < 0.11)
        let babel = try #require(found["gpsbabel"] as? [Any])
        #expect(babel.first as? Int == 0 && babel[1] as? String == "" && babel[2] as? Int == 50, "\(babel)")
    }
}
