import Foundation
import Testing

@Suite("hk workouts")
struct WorkoutsTests {
    private let scratch = Scratch()

    /// A run of 2.5 km with a heart rate in every minute, which a phone counted as well, and a session of yoga.
    private func store() throws -> URL {
        func minute(_ minute: Int) -> String { "2025-11-10 17:\(minute < 10 ? "0" : "")\(minute):00 -0500" }
        var elements = (0..<25).flatMap { index in
            ["Watch", "Phone"].map { source in
                """
                 <Record type="HKQuantityTypeIdentifierDistanceWalkingRunning" sourceName="\(source)" unit="m" startDate="\(minute(index))" endDate="\(minute(index + 1))" value="\(index < 10 ? 125 : 250.0 / 3)"/>
                """
            } + [
                """
                 <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" startDate="\(minute(index))" endDate="\(minute(index))" value="\(120 + 2 * index)"/>
                """
            ]
        }
        elements.append(
            """
             <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="25" durationUnit="min" totalDistance="2.5" totalDistanceUnit="km" totalEnergyBurned="210" totalEnergyBurnedUnit="kcal" sourceName="Watch" startDate="\(minute(0))" endDate="\(minute(25))">
              <MetadataEntry key="HKIndoorWorkout" value="0"/>
              <MetadataEntry key="HKElevationAscended" value="4200 cm"/>
             </Workout>
             <Workout workoutActivityType="HKWorkoutActivityTypeYoga" duration="61.5" durationUnit="min" sourceName="Watch" startDate="2025-11-12 17:00:00 -0500" endDate="2025-11-12 18:01:30 -0500"/>
            """)
        let archive = try scratch.archive(elements.joined(separator: "\n"))
        let run = try CommandRun(["import", archive.path, "--quiet"], store: scratch.store)
        #expect(run.status == 0, "\(run.errors)")
        return scratch.store
    }

    @Test("Swimmers see the time of 100 m, as on the page, and who rides a speed")
    func swimming() throws {
        func workout(_ activity: String, _ day: Int) -> String {
            """
             <Workout workoutActivityType="HKWorkoutActivityType\(activity)" duration="25" durationUnit="min" totalDistance="1.2" totalDistanceUnit="km" sourceName="Watch" startDate="2025-11-\(day) 08:00:00 -0500" endDate="2025-11-\(day) 08:25:00 -0500"/>
            """
        }
        let archive = try scratch.archive(workout("Swimming", 11) + "\n" + workout("Cycling", 12))
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        let run = try CommandRun(["workouts"], store: scratch.store)
        #expect(run.output.contains(/swimming +25:00 +0\.75 mi +2:05 \/100 m/), "\(run.output)")
        #expect(run.output.contains(/cycling +25:00 +0\.75 mi +1\.8 mph/), "\(run.output)")
        let answer = try CommandRun(["workouts", "--json"], store: scratch.store).output
        #expect(answer.contains(#""unit":"s\/hm""#) || answer.contains(#""unit":"s/hm""#))
    }

    @Test(
        "Tables of the demo’s workouts",
        arguments: [
            ("list", []), ("running", ["--activity", "running", "--limit", "2"]), ("weekly", ["--weekly"]),
            ("records", ["--records"]), ("last", ["--last", "1w"]),
        ])
    func demo(name: String, arguments: [String]) throws {
        let run = try CommandRun(["workouts"] + arguments, store: Demo.shared.store)
        #expect(run.status == 0)
        #expect(run.errors == "")
        try Expected.expect(run.output, "workouts-\(name)")
    }

    @Test("One workout has splits and zones")
    func detail() throws {
        let store = try store()
        let run = try CommandRun(["workouts", "2", "--per", "km"], store: store)
        #expect(run.errors == "")
        let uuid = try #require(
            try CommandRun(["workouts", "--json"], store: store).objects().last?["uuid"] as? String)
        try Expected.expect(run.output.replacing(uuid, with: "the UUID"), "workouts-run")
        #expect(try CommandRun(["workouts", uuid.lowercased(), "--per", "km"], store: store).output == run.output)
        // A workout without samples.
        let yoga = try CommandRun(["workouts", "1"], store: store)
        #expect(yoga.output.contains("No splits: ") && yoga.output.contains("No heart rate zones: "))
        let miles = try CommandRun(["workouts", "2", "--per", "mi", "--json"], store: store).json() as? [String: Any]
        #expect((miles?["splits"] as? [Any])?.count == 2)
    }

    @Test("--json has the figures with HealthKit’s property names")
    func json() throws {
        let store = try store()
        let list = try CommandRun(["workouts", "--json"], store: store).objects()
        #expect(list.map { $0["number"] as? Int } == [1, 2])
        #expect(list.map { $0["workoutActivityTypeName"] as? String } == ["yoga", "running"])
        #expect(
            list[1]["duration"] as? Int == 1_500 && (list[1]["pace"] as? [String: Any])?["unit"] as? String == "s/mi")
        #expect((list[1]["totalDistance"] as? [String: Any])?["unit"] as? String == "mi")
        let run = try #require(
            try CommandRun(["workouts", "2", "--per", "km", "--json"], store: store).json() as? [String: Any])
        let splits = try #require(run["splits"] as? [[String: Any]])
        #expect(splits.map { $0["duration"] as? Int } == [480, 660, 360])
        #expect(splits.map { $0["isComplete"] as? Bool } == [true, true, false])
        #expect(splits.map { $0["isFastest"] as? Bool } == [true, false, false])
        #expect((run["totalDistance"] as? [String: Any])?["quantity"] as? Double == 2.5)
        #expect((run["pace"] as? [String: Any])?["quantity"] as? Double == 600)
        #expect(run["averageHeartRate"] as? Int == 144 && run["maximumHeartRate"] as? Int == 168)
        let zones = try #require(run["zones"] as? [String: Any])
        #expect(zones["source"] as? String == "estimated" && zones["estimatedMaximum"] as? Int == 182)
        let times = (zones["zones"] as? [[String: Any]])?.map { $0["duration"] as? Int }
        #expect(times == [0, 240, 540, 540, 180])
        let weeks = try CommandRun(["workouts", "--weekly", "--json"], store: store).objects()
        #expect(weeks.count == 1 && weeks[0]["count"] as? Int == 2)
        #expect(
            (weeks[0]["activities"] as? [Any])?.count == 2
                && weeks[0]["startDate"] as? String == "2025-11-10T00:00:00-05:00")
        let answer = try CommandRun(["workouts", "--records", "--json"], store: store).json() as? [String: Any]
        let records = try #require(answer?["records"] as? [[String: Any]])
        #expect(
            records.compactMap { ($0["fastest"] as? [String: Any])?["uuid"] as? String } == [run["uuid"] as? String])
    }

    @Test("A figure in JSON has no error of a conversion in its last bits", arguments: [123, 124, 125])
    func lastBits(rate: Int) throws {
        let archive = try scratch.archive(
            """
             <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" startDate="2025-11-10 17:01:00 -0500" endDate="2025-11-10 17:01:00 -0500" value="\(rate)"/>
             <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="25" durationUnit="min" sourceName="Watch" startDate="2025-11-10 17:00:00 -0500" endDate="2025-11-10 17:25:00 -0500"/>
            """)
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        for arguments in [["workouts", "1"], ["stats", "heartRate"], ["stats", "heartRate", "--every", "day"]] {
            let run = try CommandRun(arguments + ["--json"], store: scratch.store)
            #expect(run.output.contains("\":\(rate),") && !run.output.contains(/\d\.\d{9}/), "\(run.output)")
        }
    }

    @Test("Nothing to show is not an error; invalid arguments are reported")
    func mistakes() throws {
        for option in [[], ["--weekly"], ["--records"]] {
            #expect(try CommandRun(["workouts"] + option, store: try scratch.emptyStore()).output == "No workouts.\n")
        }
        #expect(
            try CommandRun(["workouts", "--json"], store: scratch.store).output == "{\"workouts\":[],\"count\":0}\n")
        for (arguments, message) in [
            (["9"], "Error: Workout 9 not found. Workouts in the store: 6.\n"),
            (
                ["run"],
                "Error: This is not a workout. Use a number of the list, such as 1 for the latest, or a UUID.\n"
            ),
            (
                ["5458DA65-62F6-809F-81DE-7F5D03225600"],
                "Error: No workout has the UUID “5458DA65-62F6-809F-81DE-7F5D03225600”, or it’s not accessible.\n"
            ),
            (
                ["--activity", "juggling"],
                "Error: “juggling” is not a type of activity. Use a name such as running.\n"
            ),
        ] {
            let run = try CommandRun(["workouts"] + arguments, store: Demo.shared.store)
            #expect(run.status == 64 && run.output == "")
            #expect(run.errors == message)
        }
        for arguments in [
            ["--weekly", "--records"], ["1", "--weekly"], ["1", "--per", "yd"], ["--limit", "-1"], ["--every", "hour"],
            ["1", "--activity", "running"], ["1", "run.fit", "--last", "7d"],
        ] {
            #expect(try CommandRun(["workouts"] + arguments, store: Demo.shared.store).status == 64)
        }
        #expect(
            try CommandRun(["workouts", "--activity", "American football"], store: Demo.shared.store).output
                == "No workouts.\n")
    }
}
