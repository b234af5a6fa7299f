import Foundation
@testable import HealthKit
import HealthTesting
import Testing

@Suite struct HKWorkoutSessionTests {
    private let name = FreshStore.name()
    private let clock = HandClock()
    private let store: HKHealthStore
    private let start = FreshStore.epoch

    init() {
        store = FreshStore.make(named: name, clock: clock.clock)
    }

    private func configuration(_ type: HKWorkoutActivityType = .running) -> HKWorkoutConfiguration {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = type
        configuration.locationType = .outdoor
        return configuration
    }

    private func session(_ listener: SessionListener, in other: HKHealthStore? = nil) throws -> HKWorkoutSession {
        let session = try HKWorkoutSession(healthStore: other ?? store, configuration: configuration())
        session.delegate = listener
        return session
    }

    @Test func aNewSessionHasNotStarted() throws {
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration())
        #expect(session.state == .notStarted && session.type == .primary)
        #expect(session.startDate == nil && session.endDate == nil && session.delegate == nil)
        #expect(session.activityType == .running && session.locationType == .outdoor)
        #expect(session.workoutConfiguration == configuration())
        #expect(session.associatedWorkoutBuilder() === session.associatedWorkoutBuilder())
        #expect(session.associatedWorkoutBuilder().workoutSession === session)
        let odd = configuration(.swimming)
        odd.lapLength = HKQuantity(unit: .second(), doubleValue: 1)
        let error = #expect(throws: HKError.self) { try HKWorkoutSession(healthStore: store, configuration: odd) }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test func theDelegateIsCalledInOrder() async throws {
        let listener = SessionListener()
        let session = try session(listener)
        session.prepare()
        clock.advance(by: 5)
        session.startActivity(with: nil)
        #expect(session.state == .running)
        #expect(session.startDate == start + 5)
        session.pause()
        session.pause()
        session.resume()
        clock.advance(by: 60)
        session.stopActivity(with: nil)
        #expect(session.endDate == start + 65)
        session.startActivity(with: nil)
        session.end()
        #expect(session.state == .ended)
        #expect(
            await listener.until("6>3")
                == ["1>5", "5>2", "2>4", "event1", "4>2", "event2", "2>6", "failed3", "6>3"])
    }

    @Test func activitiesAreReportedBySessionAndBuilder() async throws {
        let listener = SessionListener()
        let session = try session(listener)
        let builder = session.associatedWorkoutBuilder()
        builder.delegate = listener
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        #expect(builder.currentWorkoutActivity?.uuid == session.currentActivity.uuid)
        session.beginNewActivity(configuration: configuration(), date: start + 10, metadata: ["lap": 1])
        #expect(builder.currentWorkoutActivity?.metadata?["lap"] as? Int == 1)
        session.beginNewActivity(configuration: configuration(.yoga), date: start + 15, metadata: nil)
        session.beginNewActivity(configuration: configuration(), date: start + 20, metadata: nil)
        session.endCurrentActivity(on: start + 30)
        clock.advance(by: 60)
        session.end()
        #expect(
            await listener.until("2>3") == [
                "1>2", "began37", "builder began", "failed12", "ended37", "began37", "builder ended",
                "builder began", "ended37", "builder ended", "2>3",
            ])
        #expect(builder.workoutActivities.map(\.duration) == [10, 10])
    }

    @Test func aSecondSessionEndsTheFirst() async throws {
        let (first, second) = (SessionListener(), SessionListener())
        let older = try session(first)
        older.startActivity(with: nil)
        _ = await first.until("1>2")
        let other = FreshStore.make(named: name, app: "org.example.other", clock: clock.clock)
        let newer = try session(second, in: other)
        newer.startActivity(with: nil)
        #expect(await first.until("2>3") == ["failed8", "2>3"])
        #expect(older.state == .ended)
        #expect(await second.until("1>2") == ["1>2"])
        #expect(newer.state == .running)
        #expect(try await store.recoverActiveWorkoutSession() == nil)
        #expect(try await other.recoverActiveWorkoutSession() === newer)
    }

    /// Two sessions that start at once claim the store in the order of the calls, whichever queue is faster.
    @Test(arguments: 0..<40) func theNewestOfTwoSessionsWins(_: Int) async throws {
        let (first, second) = (SessionListener(), SessionListener())
        let (older, newer) = (try session(first), try session(second))
        older.startActivity(with: nil)
        newer.startActivity(with: nil)
        #expect(await first.until("2>3") == ["1>2", "failed8", "2>3"])
        #expect(await second.until("1>2") == ["1>2"])
        #expect(older.state == .ended && newer.state == .running)
        #expect(try await store.recoverActiveWorkoutSession() === newer)
    }

    @available(*, deprecated)
    @Test func aSessionIsStartedAndEndedByAStore() async throws {
        let listener = SessionListener()
        let odd = configuration(.swimming)
        odd.lapLength = HKQuantity(unit: .second(), doubleValue: 1)
        #expect(throws: HKError.self) { try HKWorkoutSession(configuration: odd) }
        for session in [
            try HKWorkoutSession(configuration: configuration()),
            HKWorkoutSession(activityType: .running, locationType: .outdoor),
        ] {
            #expect(session.workoutConfiguration == configuration())
            session.delegate = listener
            store.start(session)
            #expect(session.state == .running && session.startDate == start)
            // The store that starts it is the session's, so that this is where it is found after a crash.
            _ = await listener.until("1>2")
            #expect(try await store.recoverActiveWorkoutSession() === session)
            store.pause(session)
            store.resumeWorkoutSession(session)
            store.end(session)
            #expect(await listener.until("2>3") == ["2>4", "event1", "4>2", "event2", "2>3"])
        }
    }

    @Test func errorsOfTheStoreAreReported() async throws {
        let test = TestHealthStore()
        let listener = SessionListener()
        let session = try session(listener, in: test.store)
        let failure = "failed\(HKError.Code.errorDatabaseInaccessible.rawValue)"
        session.startActivity(with: nil)
        _ = await listener.until("1>2")
        // The record of the session cannot be stored: it continues.
        test.inject(Fault(at: .commit, after: 0))
        session.pause()
        let words = await listener.until(failure)
        #expect(words.filter { $0 != failure } == ["2>4", "event1"] || words == [failure])
        #expect(session.state == .paused)
        // The next change stores it.
        session.resume()
        if words == [failure] { _ = await listener.until("event1") }
        _ = await listener.until("event2")
        // The record cannot be removed: the session has ended all the same.
        test.inject(Fault(at: .commit, after: 0))
        session.end()
        let last = await listener.until(failure)
        #expect(last.contains("2>3") || last == [failure])
        #expect(session.state == .ended)
    }

    @Test func sessionsOfDifferentStoresAreIndependent() async throws {
        let (first, second) = (SessionListener(), SessionListener())
        let here = try session(first)
        let there = try session(second, in: FreshStore.make(clock: clock.clock))
        here.startActivity(with: nil)
        there.startActivity(with: nil)
        _ = await first.until("1>2")
        _ = await second.until("1>2")
        #expect(here.state == .running && there.state == .running)
    }

    @Test func aCrashedSessionIsRecovered() async throws {
        let listener = SessionListener()
        let crashed = try await crash(listener)
        // The session's queue may still hold it for a moment.
        while crashed.object != nil { await Task.yield() }
        clock.advance(by: 100)
        let calls = Calls<(HKWorkoutSession?, (any Error)?)>()
        store.recoverActiveWorkoutSession { calls.add(($0, $1)) }
        let session = try #require(await calls.next().0)
        #expect(session.state == .running)
        #expect(session.startDate == start)
        let builder = session.associatedWorkoutBuilder()
        #expect(builder.startDate == start)
        #expect(builder.metadata["a"] as? Int == 1)
        #expect(builder.workoutEvents.map(\.type) == [.pause, .resume])
        #expect(builder.elapsedTime == 100)
        let energy = HKQuantityType(.activeEnergyBurned)
        #expect(builder.statistics(for: energy)?.sumQuantity()?.doubleValue(for: .kilocalorie()) == 5)
        session.end()
        try await builder.endCollection(at: start + 120)
        let workout = try #require(try await builder.finishWorkout())
        #expect(workout.duration == 100)
        #expect(workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()) == 5)
        let again = SessionListener()
        session.delegate = again
        #expect(try await store.recoverActiveWorkoutSession() == nil)
    }

    /// Runs a session that is neither retained nor ended.
    private func crash(_ listener: SessionListener) async throws -> WeakDelegate {
        let session = try session(listener)
        let builder = session.associatedWorkoutBuilder()
        builder.delegate = listener
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration())
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        session.pause()
        clock.advance(by: 20)
        session.resume()
        try await builder.addSamples([
            HKQuantitySample(
                type: HKQuantityType(.activeEnergyBurned),
                quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 5), start: start, end: start + 1)
        ])
        try await builder.addMetadata(["a": 1])
        session.beginNewActivity(configuration: configuration(), date: start + 20, metadata: nil)
        _ = await listener.until("builder began")
        return WeakDelegate(object: session)
    }

    @Test func withoutASessionThereIsNothingToRecover() async throws {
        #expect(try await store.recoverActiveWorkoutSession() == nil)
    }

    @Test func aStoreThatCannotBeOpenedFailsTheSession() async throws {
        let listener = SessionListener()
        let nowhere = HKHealthStore(
            configuration: .init(
                location: .file(URL(fileURLWithPath: "/dev/null/health.sqlite")),
                application: .init(bundleIdentifier: "org.example.app"), authorization: .allowAll))
        let session = try session(listener, in: nowhere)
        session.startActivity(with: nil)
        #expect(await listener.until("2>3") == ["1>2", "failed6", "2>3"])
    }

    @Test func mirroringFails() async throws {
        let session = try HKWorkoutSession(healthStore: store, configuration: configuration())
        let refusal = await #expect(throws: HKError.self) { try await session.sendToRemoteWorkoutSession(data: Data()) }
        #expect(refusal?.code == .errorInvalidArgument)
        let calls = Calls<(Bool, (any Error)?)>()
        session.sendToRemoteWorkoutSession(data: Data()) { calls.add(($0, $1)) }
        #expect(await calls.next().0 == false)
        await #expect(throws: HKError.self) { try await store.startWatchApp(toHandle: configuration()) }
        store.startWatchApp(with: configuration()) { calls.add(($0, $1)) }
        #expect(await calls.next().1 is HKError)
        #expect(store.workoutSessionMirroringStartHandler == nil)
        store.workoutSessionMirroringStartHandler = { _ in }
        #expect(store.workoutSessionMirroringStartHandler != nil)
    }

    @Test func metadataThatIsNotAllowedEndsTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = FreshStore.make()
            let session = try HKWorkoutSession(healthStore: store, configuration: HKWorkoutConfiguration())
            session.beginNewActivity(
                configuration: HKWorkoutConfiguration(), date: Date(), metadata: ["key": [1]])
        }
        #expect(result.errorText.contains("Expected NSString, NSDate, NSNumber or HKQuantity."))
    }
}

/// Records the calls of a session and its builder, in one word each, for a test to await.
final class SessionListener: NSObject, HKWorkoutSessionDelegate, HKLiveWorkoutBuilderDelegate, @unchecked Sendable {
    let words = Calls<String>()

    /// Waits until a word comes, and gives all words up to it.
    func until(_ last: String) async -> [String] {
        var heard: [String] = []
        while heard.last != last { heard.append(await words.next()) }
        return heard
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        words.add("\(fromState.rawValue)>\(toState.rawValue)")
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
        words.add("failed\((error as? HKError)?.code.rawValue ?? -1)")
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {
        words.add("event\(event.type.rawValue)")
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration,
        date: Date
    ) {
        words.add("began\(workoutConfiguration.activityType.rawValue)")
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didEndActivityWith workoutConfiguration: HKWorkoutConfiguration,
        date: Date
    ) {
        words.add("ended\(workoutConfiguration.activityType.rawValue)")
    }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        words.add(
            "collected " + collectedTypes.map { String($0.identifier.dropFirst(24)) }.sorted().joined(separator: ","))
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {
        words.add("builder event")
    }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity) {
        words.add("builder began")
    }

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity) {
        words.add("builder ended")
    }
}
