import Foundation
import Testing

@Suite("hk profile")
struct ProfileTests {
    private let scratch = Scratch()

    @Test("What the archive said of its person")
    func imported() throws {
        try Expected.expect(try CommandRun(["profile"], store: Demo.shared.store).output, "profile")
        let answer = try #require(try CommandRun(["profile", "--json"], store: Demo.shared.store).json() as? [String: Any])
        #expect(answer["dateOfBirth"] as? String == "1987-05-04")
        #expect(answer["biologicalSex"] as? String == "female")
        #expect(answer["bloodType"] as? String == "O+")
        #expect(answer["fitzpatrickSkinType"] as? String == "III")
    }

    @Test("Everything can be said, kept, and forgotten again")
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
            ["profile", "--birth-date", "none", "--sex", "none", "--blood-type", "none", "--json"], store: scratch.store)
        let answer = try #require(try none.json() as? [String: Any])
        #expect(answer["dateOfBirth"] == nil && answer["biologicalSex"] == nil && answer["bloodType"] == nil)
        #expect(answer["wheelchairUse"] as? String == "yes")
    }

    @Test("In move time mode the move goal is minutes")
    func moveTime() throws {
        let run = try CommandRun(["profile", "--move-mode", "time", "--move-goal", "60"], store: scratch.store)
        #expect(run.lines.contains { $0.contains(/^goals from 2025-11-16 +move 60 min$/) })
    }

    @Test(
        "Mistakes are told, and change nothing",
        arguments: [
            (["--sex", "robot"], "--sex “robot” is not known; wanted is one of female, male, other or none."),
            (["--blood-type", "C"], "--blood-type “C” is not known; wanted is one of A+, A-, B+, B-, AB+, AB-, O+, O- or none."),
            (["--birth-date", "2050-01-01"], "--birth-date “2050-01-01” is yet to come."),
            (["--birth-date", "long ago"], "--birth-date “long ago” is no date"),
            (["--prefer", "bodyMass"], "--prefer “bodyMass” is wanted as TYPE=UNIT."),
            (["--prefer", "bodyMass=s"], "“s” is no unit of bodyMass."),
            (["--move-goal=-5"], "A goal is 0 or more."), (["--goals-from", "2025-01-01"], "--goals-from wants a goal beside it."),
        ])
    func mistakes(arguments: [String], sentence: String) throws {
        let before = try CommandRun(["profile"], store: scratch.store).output
        let run = try CommandRun(["profile"] + arguments, store: scratch.store)
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: \(sentence)"))
        #expect(try CommandRun(["profile"], store: scratch.store).output == before)
    }
}
