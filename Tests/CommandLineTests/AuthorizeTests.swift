import Foundation
import Testing

@Suite("hk authorize")
struct AuthorizeTests {
    private let scratch = Scratch()

    @Test("Decisions are made, changed and listed")
    func decisions() throws {
        #expect(try CommandRun(["authorize"], store: scratch.store).output == "No application has asked for anything.\n")
        #expect(
            try CommandRun(["authorize", "com.example.a"], store: scratch.store).output
                == "com.example.a has not asked for anything.\n")
        let run = try CommandRun(
            ["authorize", "com.example.a", "--read", "stepCount,heartRate", "--share", "bodyMass", "--deny-read", "bodyMass"],
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

    @Test("--all leaves out what applications never write")
    func all() throws {
        let answers = try CommandRun(["authorize", "com.example.a", "--all", "--json"], store: scratch.store).objects()
        func answer(_ type: String) -> [String: Any] { answers.first { $0["type"] as? String == type } ?? [:] }
        #expect(answer("HKQuantityTypeIdentifierStepCount")["share"] as? String == "authorized")
        #expect(answer("HKCategoryTypeIdentifierAppleStandHour")["share"] as? String == "notDetermined")
        #expect(answer("HKCategoryTypeIdentifierAppleStandHour")["read"] as? String == "authorized")
        #expect(answer("HKActivitySummaryTypeIdentifier")["read"] as? String == "authorized")
    }

    @Test(
        "Mistakes are told, and change nothing",
        arguments: [
            (["com.example.a", "--share", "appleStandHour"], "“appleStandHour” cannot be written by applications."),
            (["com.example.a", "--read", "steps"], "“steps” is no data type."),
            (["--read", "stepCount"], "Name the application whose permissions shall change."),
        ])
    func mistakes(arguments: [String], sentence: String) throws {
        let run = try CommandRun(["authorize"] + arguments, store: scratch.store)
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: \(sentence)"))
        #expect(try CommandRun(["authorize", "--json"], store: scratch.store).output == "[]\n")
    }
}
