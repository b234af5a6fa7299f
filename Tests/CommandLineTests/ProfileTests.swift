import Foundation
import Testing

@Suite("hk profile")
struct ProfileTests {
    private let scratch = Scratch()

    @Test("Shows the characteristics from the archive")
    func imported() throws {
        try Expected.expect(try CommandRun(["profile"], store: Demo.shared.store).output, "profile")
        let answer = try #require(
            try CommandRun(["profile", "--json"], store: Demo.shared.store).json() as? [String: Any])
        #expect(answer["dateOfBirth"] as? String == "1987-05-04")
        #expect(answer["biologicalSex"] as? String == "female")
        #expect(answer["bloodType"] as? String == "O+")
        #expect(answer["fitzpatrickSkinType"] as? String == "III")
    }

    @Test("Every characteristic can be set, is kept, and can be removed")
    func changes() throws {
        let run = try CommandRun(
            [
                "profile", "--birth-date", "1990-02-28", "--sex", "other", "--blood-type", "ab-", "--skin-type", "iv",
                "--wheelchair", "yes", "--move-goal", "500", "--exercise-goal", "30", "--stand-goal", "12", "--prefer",
                "bodyMass=lb", "--prefer", "bloodGlucose=mmol<180.1558800000541>/L",
            ], store: scratch.store)
        #expect(run.status == 0)
        try Expected.expect(run.output, "profile-changed")
        #expect(try CommandRun(["profile"], store: scratch.store).output == run.output)
        let none = try CommandRun(
            ["profile", "--birth-date", "none", "--sex", "none", "--blood-type", "none", "--json"], store: scratch.store
        )
        let answer = try #require(try none.json() as? [String: Any])
        #expect(answer["dateOfBirth"] == nil && answer["biologicalSex"] == nil && answer["bloodType"] == nil)
        #expect(answer["wheelchairUse"] as? String == "yes")
    }

    @Test("The reference sex is shown once it is set")
    func referenceSex() throws {
        #expect(!(try CommandRun(["profile"], store: scratch.store).output.contains("reference sex")))
        let run = try CommandRun(["profile", "--reference-sex", "male", "--sex", "female"], store: scratch.store)
        #expect(run.lines.contains { $0.contains(/^reference sex +male$/) })
        let removed = try CommandRun(["profile", "--reference-sex", "none", "--json"], store: scratch.store)
        let answer = try #require(try removed.json() as? [String: Any])
        #expect(answer["referenceSex"] == nil && answer["biologicalSex"] as? String == "female")
        #expect(try CommandRun(["profile", "--reference-sex", "other"], store: scratch.store).status == 64)
    }

    @Test("Workout zones can be set and removed")
    func zones() throws {
        let run = try CommandRun(
            ["profile", "--zones", "heartRate=110,130,150", "--zones", "cyclingPower=120,160.5"], store: scratch.store)
        #expect(run.lines.contains { $0.contains(/^zones of heartRate +110, 130, 150$/) })
        let removed = try CommandRun(["profile", "--zones", "heartRate=none", "--json"], store: scratch.store)
        let answer = try #require(try removed.json() as? [String: Any])
        #expect((answer["workoutZones"] as? [String: Any])?.keys.sorted() == ["HKQuantityTypeIdentifierCyclingPower"])
        for wrong in ["heartRate=130,110", "heartRate=110", "heartRate=a,b", "stepCount=1,2", "heartRate"] {
            #expect(try CommandRun(["profile", "--zones", wrong], store: scratch.store).status == 64)
        }
    }

    @Test("In move time mode the move goal is in minutes")
    func moveTime() throws {
        let run = try CommandRun(["profile", "--move-mode", "time", "--move-goal", "60"], store: scratch.store)
        #expect(run.lines.contains { $0.contains(/^goals from 2025-11-16 +move 60 min$/) })
    }

    @Test(
        "Invalid arguments are reported and change nothing",
        arguments: [
            (["--sex", "robot"], "--sex: “robot” is not a known value. Use one of female, male, other or none."),
            (
                ["--blood-type", "C"],
                "--blood-type: “C” is not a known value. Use one of A+, A-, B+, B-, AB+, AB-, O+, O- or none."
            ),
            (["--birth-date", "2050-01-01"], "--birth-date: “2050-01-01” is in the future."),
            (["--birth-date", "long ago"], "--birth-date: “long ago” is not a date"),
            (["--prefer", "bodyMass"], "--prefer: “bodyMass” is not a preference. Use the form TYPE=UNIT."),
            (["--prefer", "bodyMass=s"], "“s” is not a unit of bodyMass."),
            (["--move-goal=-5"], "A goal must be 0 or more."),
            (["--goals-from", "2025-01-01"], "--goals-from requires a goal."),
        ])
    func mistakes(arguments: [String], message: String) throws {
        let before = try CommandRun(["profile"], store: scratch.emptyStore()).output
        let run = try CommandRun(["profile"] + arguments, store: scratch.store)
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: \(message)"))
        #expect(try CommandRun(["profile"], store: scratch.store).output == before)
    }
}
