import Foundation
import ProcessTestSupport
import Testing

@Suite("hk add")
struct AddTests {
    private let scratch = Scratch()

    private func added(_ type: String) throws -> [[String: Any]] {
        try CommandRun(["samples", type, "--json"], store: scratch.store).objects()
    }

    @Test("Adds quantities, now and at a given time, with metadata")
    func quantity() throws {
        let run = try CommandRun(["add", "bodyMass", "71.4", "kg"], store: scratch.store)
        #expect(run.output == "Added bodyMass at 2025-11-16 12:00.\n")
        _ = try CommandRun(
            [
                "add", "dietaryEnergyConsumed", "450", "kcal", "--start", "2025-05-17T12:30", "--metadata",
                "HKFoodType=Soup",
            ],
            store: scratch.store)
        let weight = try #require(try added("bodyMass").first)
        #expect(weight["quantity"] as? Double == 71.4)
        #expect(weight["unit"] as? String == "kg")
        #expect(weight["startDate"] as? String == "2025-11-16T12:00:00-05:00")
        #expect(weight["source"] as? String == "hk")
        #expect((weight["metadata"] as? [String: Any])?["HKWasUserEntered"] as? Bool == true)
        let food = try #require(try added("dietaryEnergyConsumed").first)
        #expect(food["startDate"] as? String == "2025-05-17T12:30:00-04:00")
        #expect((food["metadata"] as? [String: Any])?["HKFoodType"] as? String == "Soup")
    }

    @Test("Times are those of the time zone given at import, as in other commands")
    func timeZone() throws {
        let archive = try scratch.archive("").path
        _ = try CommandRun(["import", archive, "--time-zone", "Asia/Tokyo", "--quiet"], store: scratch.store)
        let run = try CommandRun(["add", "bodyMass", "71", "kg", "--start", "2025-11-10T07:00"], store: scratch.store)
        #expect(run.output == "Added bodyMass at 2025-11-10 07:00.\n")
        #expect(try added("bodyMass").map { $0["startDate"] as? String } == ["2025-11-10T07:00:00+09:00"])
        let types = try CommandRun(["types"], store: scratch.store)
        #expect(types.output.contains(/bodyMass +1  2025-11-10  2025-11-10/))
        let days = try CommandRun(["sql", "SELECT day FROM body_mass", "--format", "csv"], store: scratch.store)
        #expect(days.output == "day\r\n2025-11-10\r\n")
        let watch = try CommandRun(["watch", "bodyMass", "--all", "--once"], store: scratch.store)
        #expect(watch.output.hasPrefix("+ 2025-11-10 07:00  bodyMass  71 kg"))
    }

    @Test("Adds categories by number and by name, and negative quantities")
    func others() throws {
        _ = try CommandRun(
            ["add", "sleepAnalysis", "asleepDeep", "--start", "2025-11-10T01:00", "--end", "2025-11-10T02:00"],
            store: scratch.store)
        _ = try CommandRun(["add", "sleepAnalysis", "2", "--start", "2025-11-10T02:00"], store: scratch.store)
        // As other commands show it.
        _ = try CommandRun(["add", "sleep", "asleep deep", "--start", "2025-11-10T03:00"], store: scratch.store)
        _ = try CommandRun(["add", "mindfulSession", "0"], store: scratch.store)
        #expect(try added("sleepAnalysis").map { $0["value"] as? Int } == [4, 2, 4])
        #expect(try added("mindfulSession").map { $0["value"] as? Int } == [0])
        let run = try CommandRun(["add", "appleSleepingWristTemperature", "--", "-0.4", "degC"], store: scratch.store)
        #expect(run.status == 0)
        #expect(try added("appleSleepingWristTemperature").map { $0["quantity"] as? Double } == [-0.4])
    }

    @Test("Short forms: a count without its unit, a stage of sleep, the value of a type without values")
    func shortForms() throws {
        for arguments in [
            ["steps", "900"], ["sleep", "deep"], ["sleep", "REM"], ["mindful", "notApplicable"],
            ["flightsClimbed", "3", "--metadata", "HKElevationAscended=9 m"],
        ] {
            #expect(try CommandRun(["add"] + arguments, store: scratch.store).status == 0, "\(arguments)")
        }
        #expect(try added("stepCount").map { $0["quantity"] as? Double } == [900])
        #expect(Set(try added("sleepAnalysis").compactMap { $0["value"] as? Int }) == [4, 5])
        #expect(try added("mindfulSession").map { $0["value"] as? Int } == [0])
        let metadata = try #require(try added("flightsClimbed").first?["metadata"] as? [String: Any])
        #expect((metadata["HKElevationAscended"] as? [String: Any])?["unit"] as? String == "m", "\(metadata)")
    }

    @Test("A percentage is the one that is shown")
    func percentage() throws {
        _ = try CommandRun(["add", "oxygenSaturation", "97", "%"], store: scratch.store)
        #expect(try added("oxygenSaturation").map { $0["quantity"] as? Double } == [0.97])
        #expect(try CommandRun(["samples", "oxygenSaturation"], store: scratch.store).output.contains("97 %"))
        // As one word, and as a fraction.
        _ = try CommandRun(["add", "oxygenSaturation", "98%"], store: scratch.store)
        _ = try CommandRun(["add", "oxygenSaturation", "0.99", "count"], store: scratch.store)
        #expect(Set(try added("oxygenSaturation").compactMap { $0["quantity"] as? Double }) == [0.97, 0.98, 0.99])
    }

    @Test("A blood pressure is added as a correlation of its two values")
    func bloodPressure() throws {
        let run = try CommandRun(["add", "bp", "120/80", "--json"], store: scratch.store)
        let answer = try #require(try run.json() as? [String: Any])
        #expect(answer["type"] as? String == "HKCorrelationTypeIdentifierBloodPressure")
        #expect(try added("bloodPressureSystolic").map { $0["quantity"] as? Double } == [120])
        #expect(try added("bloodPressureDiastolic").map { $0["quantity"] as? Double } == [80])
        #expect(try added("bloodPressureDiastolic").first?["unit"] as? String == "mmHg")
        let pair = try #require(try added("bloodPressure").first)
        #expect(pair["uuid"] as? String == answer["uuid"] as? String)
        #expect(try CommandRun(["samples", "bp"], store: scratch.store).output.contains("120/80"))
        #expect(try CommandRun(["add", "bp", "16/10.5", "kPa"], store: scratch.store).status == 0)
    }

    @Test("Errors name the unit that the person prefers")
    func preferredUnit() throws {
        _ = try CommandRun(["profile", "--prefer", "bodyMass=lb"], store: scratch.store)
        let run = try CommandRun(["add", "weight", "70"], store: scratch.store)
        #expect(run.errors == "Error: “bodyMass” needs a unit, such as lb.\n")
        let stats = try CommandRun(["stats", "weight", "--unit", "s"], store: scratch.store)
        #expect(stats.errors == "Error: “s” is not a unit of bodyMass, which is measured in lb.\n")
    }

    @Test("--json describes the added sample")
    func json() throws {
        let run = try CommandRun(["add", "height", "1.72", "m", "--json"], store: scratch.store)
        let answer = try #require(try run.json() as? [String: Any])
        #expect(Set(answer.keys) == ["uuid", "type", "startDate", "endDate"])
        #expect(answer["uuid"] as? String == (try added("height").first?["uuid"] as? String))
    }

    @Test(
        "Invalid arguments are reported and add nothing",
        arguments: [
            (
                ["bodyMas", "70", "kg"], 64,
                "Error: “bodyMas” is not a data type. Did you mean bodyMass, leanBodyMass, bodyMassIndex?\n"
            ),
            (["dietaryProtein", "70"], 64, "Error: “dietaryProtein” needs a unit, such as g.\n"),
            (
                ["dietaryProtein", "70", "s"], 64,
                "Error: “s” is not a unit of dietaryProtein, which is measured in g.\n"
            ),
            (
                ["hr", "70", "parsec"], 64,
                "Error: “parsec” is not a unit of heartRate, which is measured in count/min.\n"
            ),
            (["steps", "--", "-5", "count"], 64, "Error: “-5 count” can’t be: stepCount is from 0 to 200000 count.\n"),
            (["weight", "0", "kg"], 64, "Error: “0 kg” can’t be: bodyMass is from 0.1 to 1000 kg.\n"),
            (["weight", "10000", "lb"], 64, "Error: “10000 lb” can’t be: bodyMass is from 0.1 to 1000 kg.\n"),
            (
                ["bodyTemperature", "500", "degC"], 64,
                "Error: “500 degC” can’t be: bodyTemperature is from 10 to 50 degC.\n"
            ),
            (["hr", "0", "count/min"], 64, "Error: “0 count/min” can’t be: heartRate is from 1 to 500 count/min.\n"),
            (["oxygenSaturation", "97"], 64, "Error: “oxygenSaturation” needs a unit, such as %.\n"),
            (
                ["oxygenSaturation", "97", "count"], 64,
                "Error: “97 count” can’t be: oxygenSaturation is from 10 to 100 %.\n"
            ),
            (["oxygenSaturation", "9700%"], 64, "Error: “9700 %” can’t be: oxygenSaturation is from 10 to 100 %.\n"),
            (
                ["oxygenSaturation", "9700", "%"], 64,
                "Error: “9700 %” can’t be: oxygenSaturation is from 10 to 100 %.\n"
            ),
            (
                ["stepCount", "1e308", "count"], 64,
                "Error: “1e308 count” can’t be: stepCount is from 0 to 200000 count.\n"
            ),
            (["weight", "0x10", "kg"], 64, "Error: “0x10” is not a number. bodyMass is from 0.1 to 1000 kg.\n"),
            (
                ["dietaryProtein", "1e9", "kg"], 64,
                "Error: “1e9 kg” can’t be: dietaryProtein is from 0 to 10000 g.\n"
            ),
            (
                ["distanceCycling", "--", "-1", "km"], 64,
                "Error: “-1 km” can’t be: distanceCycling is from 0 to 1000000 m.\n"
            ),
            (
                ["bloodPressure", "120"], 64,
                "Error: “120” is not a blood pressure. Use a form like 120/80, the systolic pressure first.\n"
            ),
            (
                ["bloodPressure", "80/120"], 64,
                "Error: “80/120” can’t be: the systolic pressure, the first, is the higher one.\n"
            ),
            (
                ["bloodPressure", "1200/80"], 64,
                "Error: “1200 mmHg” can’t be: bloodPressureSystolic is from 20 to 400 mmHg.\n"
            ),
            (["steps", "5", "count", "--start", "2025-11-17"], 64, "Error: --start is in the future.\n"),
            (
                ["steps", "5", "count", "--start", "2025-11-16", "--end", "2025-11-17"], 64,
                "Error: --end is in the future.\n"
            ),
            (["bodyMass", "heavy", "kg"], 64, "Error: “heavy” is not a number. bodyMass is from 0.1 to 1000 kg.\n"),
            (["bodyMass", "nan", "kg"], 64, "Error: “nan” is not a number. bodyMass is from 0.1 to 1000 kg.\n"),
            (
                ["bodyMass", "70", "kg", "--start", "2025-02-31"], 64,
                "Error: --start: “2025-02-31” is not a date. Use a form like 2024-01-31, 2024-01, 2024, today or 2024-01-31T08:30.\n"
            ), (["bodyMass", "70", "kg", "--end", "2020"], 64, "Error: --end is earlier than --start.\n"),
            (
                ["bodyMass", "70", "kg", "--metadata", "foo"], 64,
                "Error: --metadata: “foo” is not a metadata entry. Use the form KEY=VALUE.\n"
            ),
            (["mindfulSession", "0", "min"], 64, "Error: “mindfulSession” doesn’t take a unit. Remove “min”.\n"),
            (
                ["sleepAnalysis", "99"], 64,
                "Error: “99” is not a value of sleepAnalysis. Use one of 0 (inBed), 1 (asleepUnspecified), 2 (awake), 3 (asleepCore), 4 (asleepDeep), 5 (asleepREM).\n"
            ), (["workout", "1"], 64, "Error: Samples of “workout” can’t be added by hand.\n"),
            (
                ["insulinDelivery", "5", "IU"], 64,
                "Error: “insulinDelivery” needs --metadata HKInsulinDeliveryReason=1 for basal, or =2 for bolus insulin.\n"
            ),
            (
                ["periods", "heavy"], 64,
                "Error: “menstrualFlow” needs --metadata HKMenstrualCycleStart=1 on the first day of a cycle, or =0 on the others.\n"
            ),
            (
                ["oxygenSaturation", "0.97", "%"], 64,
                "Error: “0.97 %” can’t be: oxygenSaturation is from 10 to 100 %.\n"
            ),
            (["bodyFat", "0.25", "%"], 64, "Error: “0.25 %” can’t be: bodyFatPercentage is from 1 to 100 %.\n"),
            (
                ["mindful", "10"], 64,
                "Error: “10” is not a value of mindfulSession, which only has 0. Its time is from --start to --end.\n"
            ),
            (
                ["steps", "5", "--start", "2025-11-14", "--end", "2025-11-13"], 64,
                "Error: --end is earlier than --start.\n"
            ),
            (
                ["steps", "5", "--metadata", "HKElevationAscended=5"], 64,
                "Error: --metadata: HKElevationAscended is a quantity, such as “5 m”.\n"
            ),
            (
                ["steps", "5", "--metadata", "HKElevationAscended=5 s"], 1,
                "Error: Incompatible unit for metadata key: HKElevationAscended. Expected a unit compatible with m.\n"
            ),
        ] as [([String], Int32, String)])
    func mistakes(arguments: [String], status: Int32, message: String) throws {
        for range in [
            "bodyMass is from 0.1 to 1000 kg.", "dietaryProtein is from 0 to 10000 g.",
            "distanceCycling is from 0 to 1000000 m.", "bloodPressureSystolic is from 20 to 400 mmHg.",
        ] { ChildMessages.allow(range, because: "the range of values that a type can have is in no store") }
        let run = try CommandRun(["add"] + arguments, store: scratch.store)
        #expect(run.status == status)
        #expect(run.output == "")
        #expect(run.errors == message)
        #expect(try CommandRun(["types", "--json"], store: scratch.store).output == "{\"types\":[],\"count\":0}\n")
    }
}
