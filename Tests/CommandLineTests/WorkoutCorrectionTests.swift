import Foundation
import Testing

@Suite("hk workouts set")
struct WorkoutCorrectionTests {
    private let scratch = Scratch()

    /// A ride of five minutes whose file has no type, with a heart rate in every ten seconds.
    private func ride() throws -> String {
        let points = (0...30).map { place -> String in
            let (minute, second) = (place / 6, place % 6 * 10)
            let time = "2025-11-10T10:0\(minute):\(second < 10 ? "0" : "")\(second)Z"
            return """
                <trkpt lat="52.\(10 + place)" lon="13.4"><time>\(time)</time><extensions><hr>\(120 + place)</hr></extensions></trkpt>
                """
        }
        let text = "<gpx creator=\"Service\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        try Data(text.utf8).write(to: scratch.file("ride.gpx"))
        return scratch.file("ride.gpx").path
    }

    private func run(_ arguments: String...) throws -> CommandRun {
        try CommandRun(arguments, store: scratch.store)
    }

    private func workouts() throws -> [[String: Any]] { try run("workouts", "--json").objects() }

    @Test("Corrects the activity and the title, and the same file brings nothing back")
    func activity() throws {
        let file = try ride()
        #expect(try run("import", file, "--quiet").status == 0)
        let before = try #require(try workouts().first)
        let corrected = try run("workouts", "set", "1", "--activity", "cycling", "--title", "To work")
        #expect(corrected.status == 0 && corrected.errors == "")
        #expect(corrected.output == "Corrected: cycling, 2025-11-10 05:00, 5:00.\n")
        let after = try #require(try workouts().first)
        #expect(after["workoutActivityTypeName"] as? String == "cycling")
        #expect(after["uuid"] as? String != before["uuid"] as? String)
        #expect(after["averageHeartRate"] as? Double == before["averageHeartRate"] as? Double)
        let samples = try run("samples", "workout", "--json").output
        #expect(samples.contains("\"Title\":\"To work\""), "\(samples)")
        #expect(
            try run("workouts", "set", "1", "--activity", "cycling").output == "The workout is like that already.\n")
        #expect(try run("import", file, "--quiet").status == 0)
        let list = try workouts()
        #expect(list.map { $0["uuid"] as? String } == [after["uuid"] as? String])
        #expect(try run("doctor").status == 0)
    }

    @Test("Says what is outside of the new times")
    func end() throws {
        #expect(try run("import", try ride(), "--quiet").status == 0)
        let before = try workouts().first?["uuid"] as? String
        let refused = try run("workouts", "set", "1", "--end", "2025-11-10T10:02:00Z")
        #expect(refused.status != 0 && refused.output == "")
        #expect(refused.errors.contains("and 18 locations of its route"), "\(refused.errors)")
        #expect(refused.errors.contains("Use --yes to correct without confirmation."))
        #expect(try workouts().first?["uuid"] as? String == before)
        let run = try run("workouts", "set", "1", "--end", "2025-11-10T10:02:00Z", "--yes")
        #expect(run.errors == "" && run.status == 0)
        #expect(
            run.output == """
                Corrected: other, 2025-11-10 05:00, 2:00.
                Outside of the new times: 18 samples, which stay in the store without belonging to the workout, and 18 locations of its route, which are left out.

                """)
        let rates = try CommandRun(
            ["samples", "heartRate", "--limit", "0", "--json"], store: scratch.store
        ).objects()
        #expect(rates.count == 31)
        let json = try #require(
            try self.run("workouts", "set", "1", "--end", "2025-11-10T10:01:00Z", "--yes", "--json").json()
                as? [String: Any])
        #expect(json["samplesOutside"] as? Int == 6 && json["locationsOutside"] as? Int == 6)
    }

    @Test("A clock that was wrong moves the workout with its route, without a question")
    func clock() throws {
        #expect(try run("import", try ride(), "--quiet").status == 0)
        let run = try run(
            "workouts", "set", "1", "--start", "2025-11-10T09:58:00Z", "--end", "2025-11-10T10:03:00Z")
        #expect(run.status == 0 && run.errors == "")
        #expect(run.output.hasPrefix("Corrected: other, 2025-11-10 04:58, 5:00.\n"), "\(run.output)")
        #expect(run.output.contains("It stays with the workout."))
    }

    @Test("Says what is missing or can’t be")
    func mistakes() throws {
        #expect(try run("import", try ride(), "--quiet").status == 0)
        for (arguments, message) in [
            (["set"], "Which one? hk workouts set 1 --activity cycling."),
            (["set", "1"], "What is wrong with it? Use --activity, --title, --start or --end."),
            (["set", "2", "--title", "x"], "Workout 2 not found. Workouts in the store: 1."),
            (
                ["set", "1", "--activity", "juggling"],
                "--activity: “juggling” is not a type of activity. Use a name such as running."
            ),
            (
                ["set", "1", "--activity", "strength"],
                "--activity: “strength” is more than one type of activity. Use one of functionalStrengthTraining, traditionalStrengthTraining."
            ),
            (
                ["set", "1", "--start", "2025-11-10T12:00:00Z"],
                "The workout would end before it starts. Give both --start and --end."
            ),
            (["set", "1", "--end", "2030-01-01"], "The workout would end in the future."),
            (
                ["1", "--yes"], "--yes is for set."
            ),
            (
                ["1", "--title", "x"],
                "--title, --start and --end correct one workout: hk workouts set 1 --title Hills."
            ),
        ] {
            let run = try CommandRun(["workouts"] + arguments, store: scratch.store)
            #expect(run.status != 0 && run.errors.hasPrefix("Error: \(message)\n"), "\(run.errors)")
        }
        #expect(try workouts().count == 1)
    }
}
