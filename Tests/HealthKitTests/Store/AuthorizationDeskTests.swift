import Foundation
import Testing

@testable import HealthKit

@Suite struct AuthorizationDeskTests {
    private func desk(_ store: HKHealthStore, isInteractive: Bool, log: Calls<String>) throws -> AuthorizationDesk {
        AuthorizationDesk(
            configuration: store.connection.configuration, engine: try store.connection.engine(),
            terminal: AuthorizationTerminal(isInteractive: isInteractive, read: { "a" }, write: { _ in }),
            warn: { log.add($0) })
    }

    @Test func withoutATerminalTheAnswerIsNoAndTheLogSaysHowToChangeIt() throws {
        let store = FreshStore.make(authorization: .ask)
        let log = Calls<String>()
        let desk = try desk(store, isInteractive: false, log: log)
        let steps = HKQuantityType(.stepCount)
        try desk.decide(share: [steps], read: [steps, HKQuantityType(.heartRate)])
        #expect(store.authorizationStatus(for: steps) == .sharingDenied)
        let line = "org.example.app may not use all the health data it asks for. To permit it: "
            + "hk authorize org.example.app --share stepCount --read heartRate,stepCount"
        #expect(log.all == [line])
        // Said again at the next request: nothing has changed.
        try desk.decide(share: [steps], read: [])
        #expect(log.all.count == 2)
    }

    @Test func onATerminalThePersonAnswers() throws {
        let store = FreshStore.make(authorization: .ask)
        let log = Calls<String>()
        let steps = HKQuantityType(.stepCount)
        try desk(store, isInteractive: true, log: log).decide(share: [steps], read: [])
        #expect(store.authorizationStatus(for: steps) == .sharingAuthorized)
        #expect(log.all.isEmpty)
    }

    @Test func theCommandNamesAFileThatIsNotTheDefault() {
        let command = AuthorizationDesk.command(
            "org.example.app", share: [], read: [HKCategoryType(.sleepAnalysis), HKObjectType.workoutType()],
            at: .file(URL(fileURLWithPath: "/data/mine.sqlite")))
        #expect(
            command == "hk authorize org.example.app --read sleepAnalysis,workout --store /data/mine.sqlite")
    }
}
