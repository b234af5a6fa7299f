import Foundation
import Synchronization
import Testing

@testable import HealthKit

@Suite struct AuthorizationTerminalTests {
    private let request = HKHealthStore.Configuration.AuthorizationRequest(
        application: .init(bundleIdentifier: "org.example.app", name: "Example"),
        share: [HKQuantityType(.stepCount)],
        read: [HKQuantityType(.stepCount), HKCategoryType(.sleepAnalysis)])

    /// Asks with these lines as the answers; returns the answer and what was written.
    private func ask(
        _ lines: [String]
    ) -> (HKHealthStore.Configuration.AuthorizationAnswer, String) {
        let answers = Mutex(lines[...])
        let text = Mutex("")
        let terminal = AuthorizationTerminal(
            isInteractive: true, read: { answers.withLock { $0.popFirst() } },
            write: { line in text.withLock { $0 += line } })
        let answer = terminal.ask(request)
        return (answer, text.withLock { $0 })
    }

    @Test func allIsAll() {
        let (answer, text) = ask(["a"])
        #expect(answer.share == request.share)
        #expect(answer.read == request.read)
        #expect(
            text == """
                “Example” would like to access your health data.
                  Write: stepCount
                  Read: sleepAnalysis, stepCount
                Allow all (a), nothing (n), or choose (c)? 
                """)
    }

    @Test(arguments: [["n"], [], ["N"]])
    func noIsNothing(lines: [String]) {
        let (answer, _) = ask(lines)
        #expect(answer.share.isEmpty && answer.read.isEmpty)
    }

    @Test func somethingElseIsAskedAgain() {
        let (answer, text) = ask(["", "perhaps", "all"])
        #expect(answer.read == request.read)
        #expect(text.components(separatedBy: "Allow all").count == 4)
    }

    @Test func choosingAsksForEachTypeWritesFirst() {
        let (answer, text) = ask(["c", "y", "n", "yes"])
        #expect(answer.share == [HKQuantityType(.stepCount)])
        #expect(answer.read == [HKQuantityType(.stepCount)])
        #expect(text.contains("Allow to write stepCount (y/n)? "))
        #expect(text.contains("Allow to read sleepAnalysis (y/n)? "))
    }
}
