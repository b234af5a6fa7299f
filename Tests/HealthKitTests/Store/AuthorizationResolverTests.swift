import Foundation
import Testing

@testable import HealthKit

@Suite struct AuthorizationResolverTests {
    private func resolver(_ store: HKHealthStore, isInteractive: Bool, log: Calls<String>) -> AuthorizationResolver {
        AuthorizationResolver(
            connection: store.connection,
            terminal: AuthorizationTerminal(isInteractive: isInteractive, read: { "a" }, write: { _ in }),
            warn: { log.add($0) })
    }

    @Test func withoutATerminalAuthorizationIsDeniedAndLogged() throws {
        let store = FreshStore.make(authorization: .ask)
        let log = Calls<String>()
        let resolver = resolver(store, isInteractive: false, log: log)
        let steps = HKQuantityType(.stepCount)
        try resolver.decide(share: [steps], read: [steps, HKQuantityType(.heartRate)])
        #expect(store.authorizationStatus(for: steps) == .sharingDenied)
        let line =
            "org.example.app is not authorized for all the health data it requested. To authorize it, run: "
            + "hk authorize org.example.app --share stepCount --read heartRate,stepCount"
        #expect(log.all == [line])
        // Said again at the next request: nothing has changed.
        try resolver.decide(share: [steps], read: [])
        #expect(log.all.count == 2)
    }

    @Test func onATerminalThePersonAnswers() throws {
        let store = FreshStore.make(authorization: .ask)
        let log = Calls<String>()
        let steps = HKQuantityType(.stepCount)
        try resolver(store, isInteractive: true, log: log).decide(share: [steps], read: [])
        #expect(store.authorizationStatus(for: steps) == .sharingAuthorized)
        #expect(log.all.isEmpty)
    }

    @Test func theCommandNamesAFileThatIsNotTheDefault() {
        let command = AuthorizationResolver.command(
            "org.example.app", share: [], read: [HKCategoryType(.sleepAnalysis), HKObjectType.workoutType()],
            at: .file(URL(fileURLWithPath: "/data/mine.sqlite")))
        #expect(
            command == "hk authorize org.example.app --read sleepAnalysis,workout --store /data/mine.sqlite")
    }
}
