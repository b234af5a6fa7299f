import Foundation
import ProcessTestSupport
import Testing

@Suite("Units of the person")
struct UnitsTests {
    private let scratch = Scratch()

    private static func records(_ mass: String, _ distance: String) -> String {
        """
         <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="S" unit="\(mass)" startDate="2025-11-15 08:00:00 -0500" endDate="2025-11-15 08:00:00 -0500" value="70"/>
         <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="S" unit="\(mass)" startDate="2025-11-16 08:00:00 -0500" endDate="2025-11-16 08:00:00 -0500" value="71"/>
         <Record type="HKQuantityTypeIdentifierDistanceWalkingRunning" sourceName="S" unit="\(distance)" startDate="2025-11-16 08:00:00 -0500" endDate="2025-11-16 09:00:00 -0500" value="5"/>
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="S" unit="count/min" startDate="2025-11-16 08:00:00 -0500" endDate="2025-11-16 08:00:00 -0500" value="60"/>
         <Record type="HKQuantityTypeIdentifierDietaryVitaminC" sourceName="S" unit="mg" startDate="2025-11-16 08:00:00 -0500" endDate="2025-11-16 08:00:00 -0500" value="80"/>
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" totalDistance="5" totalDistanceUnit="\(distance)" sourceName="S" startDate="2025-11-16 08:00:00 -0500" endDate="2025-11-16 08:30:00 -0500"/>
        """
    }

    /// A store with an archive of a locale, or of none.
    private func store(_ locale: String?, _ mass: String, _ distance: String) throws -> URL {
        let archive = try scratch.archive(Self.records(mass, distance))
        let text = try String(contentsOf: archive, encoding: .utf8)
        try Data(text.replacing(#" locale="en_US""#, with: locale.map { #" locale="\#($0)""# } ?? "").utf8).write(
            to: archive)
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        return scratch.store
    }

    private func unit(_ type: String, _ store: URL, _ environment: [String: String] = [:]) throws -> String {
        let process = CommandRun.process(["stats", type, "--json"], store: store)
        process.environment?.merge(environment) { $1 }
        let output = try process.finish().0
        let json = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        return json?["unit"] as? String ?? ""
    }

    @Test(
        "An archive is shown in the units of its locale, everywhere",
        arguments: [("de_DE", "kg", "km"), ("en_US", "lb", "mi")])
    func locale(locale: String, mass: String, distance: String) throws {
        let store = try store(locale, "kg", "km")
        // The environment of the tests is the C locale; that of the archive goes before any.
        for environment in [[:], ["LC_ALL": "en_US.UTF-8"], ["LC_ALL": "de_DE.UTF-8"]] {
            #expect(try unit("weight", store, environment) == mass)
            #expect(try unit("distance", store, environment) == distance)
        }
        func output(_ arguments: String...) throws -> String { try CommandRun(arguments, store: store).output }
        #expect(try output("samples", "weight").contains(" \(mass)"))
        #expect(try output("samples", "weight", "--json").contains(#""unit":"\#(mass)""#))
        #expect(try output("samples", "weight", "--unit", "stones").contains(" st"))
        #expect(try output("stats", "weight").contains("(\(mass))"))
        #expect(try output("workouts").contains(" \(distance) "))
        #expect(try output("samples", "workout").contains(" \(distance)"))
        #expect(try output("today").contains(" \(distance)"))
        #expect(try output("types", "--json").contains(#""preferredUnit":"\#(mass)""#))
        let daily = try CommandRun(
            [
                "sql",
                "SELECT type, unit, round(average, 6) FROM daily WHERE type IN ('heartRate', 'bodyMass') AND day = '2025-11-16'",
            ],
            store: store)
        // Tables have the unit that most samples were written in, so that their values are those of the archive.
        #expect(daily.output.contains("count/min") && daily.output.contains("kg") && daily.output.contains("60"))
    }

    @Test("Without a locale, the unit that most samples were written in counts, then the environment")
    func written() throws {
        let store = try store(nil, "lb", "mi")
        #expect(try unit("weight", store, ["LC_ALL": "de_DE.UTF-8"]) == "lb")
        #expect(try unit("distance", store) == "mi")
        #expect(try unit("vitamin c", store) == "mg")
        #expect(try CommandRun(["add", "weight", "70", "kg"], store: store).status == 0)
        #expect(try unit("weight", store) == "lb")
        for _ in 0..<2 { _ = try CommandRun(["add", "weight", "70", "kg"], store: store) }
        #expect(try unit("weight", store) == "kg")
        // Nothing tells of a type without samples but the environment.
        #expect(
            try unit("cycling distance", store, ["LC_ALL": "", "LC_MEASUREMENT": "en_US", "LANG": "de_DE"]) == "mi")
        #expect(try unit("cycling distance", store, ["LC_ALL": "", "LANG": "de_DE.UTF-8"]) == "km")
        #expect(try unit("cycling distance", store) == "km")
    }

    @Test("Meters and meters per second, in which devices record, say nothing of a person's units")
    func recorded() throws {
        let store = try store(nil, "kg", "m")
        let speed = try CommandRun(["add", "running speed", "3", "m/s"], store: store)
        #expect(speed.status == 0, "\(speed.errors)")
        #expect(try unit("distance", store) == "km" && unit("running speed", store) == "km/hr")
        let american = ["LC_ALL": "en_US.UTF-8"]
        #expect(try unit("distance", store, american) == "mi" && unit("running speed", store, american) == "mi/hr")
        #expect(try unit("weight", store, american) == "kg")
    }

    @Test("The person's preferences have priority")
    func preferred() throws {
        let store = try store("de_DE", "kg", "km")
        #expect(try CommandRun(["profile", "--prefer", "weight=lbs"], store: store).status == 0)
        #expect(try unit("weight", store) == "lb")
        #expect(try unit("distance", store) == "km")
    }

    @Test("Units are given as people write them")
    func words() throws {
        let store = try store("de_DE", "kg", "km")
        #expect(try CommandRun(["stats", "heartRate", "--unit", "bpm"], store: store).output.contains("(count/min)"))
        #expect(try CommandRun(["stats", "weight", "--unit", "lbs"], store: store).output.contains("(lb)"))
        #expect(try CommandRun(["add", "glucose", "5.5", "mmol/L"], store: store).status == 0)
        let glucose = try CommandRun(["stats", "glucose", "--unit", "mmol/L", "--json"], store: store)
        #expect(glucose.output.contains(#""averageQuantity":5.5"#))
        #expect(try CommandRun(["stats", "glucose", "--unit", "mmol/L"], store: store).output.contains("(mmol/L)"))
        let wrong = try CommandRun(["samples", "weight", "--unit", "mmol/L"], store: store)
        #expect(wrong.status == 64)
        #expect(wrong.errors == "Error: “mmol/L” is not a unit of bodyMass, which is measured in kg.\n")
    }
}
