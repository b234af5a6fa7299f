import Foundation
import Testing

@Suite("hk authorize")
struct AuthorizeTests {
    private let scratch = Scratch()

    @Test("Sets, changes and lists permissions")
    func decisions() throws {
        #expect(
            try CommandRun(["authorize"], store: scratch.store).output
                == "No application has requested authorization.\n")
        #expect(
            try CommandRun(["authorize", "com.example.a"], store: scratch.store).output
                == "com.example.a hasn’t requested authorization.\n")
        let run = try CommandRun(
            [
                "authorize", "com.example.a", "--read", "stepCount,heartRate", "--share", "bodyMass", "--deny-read",
                "bodyMass",
            ],
            store: scratch.store)
        #expect(
            run.output == """
                application    type       read     share
                com.example.a  bodyMass   denied   allowed
                com.example.a  heartRate  allowed  –
                com.example.a  stepCount  allowed  –

                """)
        _ = try CommandRun(["authorize", "com.example.b", "--deny-share", "stepCount"], store: scratch.store)
        let answers = try CommandRun(["authorize", "--json"], store: scratch.store).objects()
        #expect(answers.count == 4)
        for answer in answers { #expect(Set(answer.keys) == ["application", "type", "read", "share"]) }
        #expect(answers[3]["share"] as? String == "denied")
        #expect(answers[3]["read"] as? String == "notDetermined")
    }

    @Test("--since limits the history of samples, and a later --read lifts the limit")
    func limitedHistory() throws {
        let run = try CommandRun(
            ["authorize", "com.example.a", "--read", "stepCount,activitySummary", "--since", "2026-10-01"],
            store: scratch.store)
        #expect(run.output.contains("stepCount        since 2026-10-01 00:00  –"))
        #expect(run.output.contains("activitySummary  allowed "))
        let json = try CommandRun(["authorize", "--json"], store: scratch.store).objects()
        #expect(json.compactMap { $0["since"] as? String } == ["2026-10-01T00:00:00-04:00"])
        let lifted = try CommandRun(["authorize", "com.example.a", "--read", "stepCount"], store: scratch.store)
        #expect(!lifted.output.contains("since"))
    }

    @Test("--all skips sharing for types that applications can’t write")
    func all() throws {
        let answers = try CommandRun(["authorize", "com.example.a", "--all", "--json"], store: scratch.store).objects()
        func answer(_ type: String) -> [String: Any] { answers.first { $0["type"] as? String == type } ?? [:] }
        #expect(answer("HKQuantityTypeIdentifierStepCount")["share"] as? String == "authorized")
        #expect(answer("HKCategoryTypeIdentifierAppleStandHour")["share"] as? String == "notDetermined")
        #expect(answer("HKCategoryTypeIdentifierAppleStandHour")["read"] as? String == "authorized")
        #expect(answer("HKActivitySummaryTypeIdentifier")["read"] as? String == "authorized")
    }

    @Test(
        "Invalid arguments are reported and change nothing",
        arguments: [
            (["com.example.a", "--share", "appleStandHour"], "Applications can’t write “appleStandHour”."),
            (["com.example.a", "--read", "moonlight"], "“moonlight” is not a data type."),
            (["com.example.a", "--since", "2026-10-01"], "--since requires --read or --all."),
            (["--read", "stepCount"], "Give the bundle identifier of the application whose permissions to change."),
        ])
    func mistakes(arguments: [String], message: String) throws {
        let run = try CommandRun(["authorize"] + arguments, store: scratch.store)
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: \(message)"))
        #expect(try CommandRun(["authorize", "--json"], store: scratch.store).output == "[]\n")
    }
}
