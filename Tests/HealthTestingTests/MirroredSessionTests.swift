import Foundation
import HealthKit
import HealthTesting
import Testing

/// A session of a watch app that is mirrored to the app on the iPhone, through the ordinary API of both.
@Suite struct MirroredSessionTests {
    private let watch = TestHealthStore()
    private let phone = TestHealthStore()
    private let configuration: HKWorkoutConfiguration

    init() {
        configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        configuration.locationType = .outdoor
        watch.pair(with: phone)
    }

    /// A mirrored session, with the delegates of both.
    private func mirrored() async throws -> (
        primary: HKWorkoutSession, onWatch: Delegate, mirrored: HKWorkoutSession, onPhone: Delegate
    ) {
        let (onWatch, onPhone) = (Delegate(), Delegate())
        let (sessions, received) = AsyncStream.makeStream(of: HKWorkoutSession.self)
        phone.store.workoutSessionMirroringStartHandler = { session in
            session.delegate = onPhone
            received.yield(session)
        }
        let primary = try HKWorkoutSession(healthStore: watch.store, configuration: configuration)
        primary.delegate = onWatch
        try await primary.startMirroringToCompanionDevice()
        // The handler has been called: waiting for what it yielded takes no time.
        var iterator = sessions.makeAsyncIterator()
        return (primary, onWatch, try #require(await iterator.next()), onPhone)
    }

    @Test func theMirroredSessionFollowsThePrimaryOne() async throws {
        let (primary, onWatch, mirrored, onPhone) = try await mirrored()
        #expect(primary.type == .primary && mirrored.type == .mirrored && mirrored.state == .notStarted)
        #expect(mirrored.workoutConfiguration == configuration)
        primary.startActivity(with: TestClock.start)
        #expect(mirrored.state == .running && mirrored.startDate == TestClock.start)
        primary.pause()
        primary.resume()
        primary.end()
        let words = ["1>2", "2>4", "event 1", "4>2", "event 2", "2>3"]
        #expect(await onPhone.words(7) == words + ["disconnected nil"])
        #expect(await onWatch.words(6) == words)
        #expect(mirrored.state == .ended && mirrored.endDate == primary.endDate)
        // The connection has ended with the session.
        await #expect(throws: HKError.self) { try await mirrored.sendToRemoteWorkoutSession(data: Data()) }
        // Neither has claimed the iPhone's store.
        #expect(try await phone.store.recoverActiveWorkoutSession() == nil)
    }

    @Test func theMirroredSessionControlsThePrimaryOne() async throws {
        let (primary, onWatch, mirrored, onPhone) = try await mirrored()
        primary.startActivity(with: nil)
        mirrored.pause()
        #expect(primary.state == .paused && mirrored.state == .paused)
        mirrored.resume()
        mirrored.beginNewActivity(configuration: configuration, date: TestClock.start, metadata: nil)
        mirrored.stopActivity(with: nil)
        mirrored.end()
        #expect(primary.state == .ended && mirrored.state == .ended)
        let words = ["1>2", "2>4", "event 1", "4>2", "event 2", "began", "ended", "2>6", "6>3"]
        #expect(await onWatch.words(9) == words)
        #expect(await onPhone.words(10) == words + ["disconnected nil"])
    }

    @Test func dataArrivesInOrderOnBothSides() async throws {
        let (primary, onWatch, mirrored, onPhone) = try await mirrored()
        for number in 1...3 { primary.sendToRemoteWorkoutSession(data: Data([UInt8(number)])) { _, _ in } }
        #expect(await onPhone.words(3) == ["data 1", "data 2", "data 3"])
        try await mirrored.sendToRemoteWorkoutSession(data: Data([7, 8]))
        #expect(await onWatch.words(1) == ["data 7 8"])
    }

    @Test func aConnectionIsInterrupted() async throws {
        let (primary, onWatch, mirrored, onPhone) = try await mirrored()
        primary.startActivity(with: nil)
        watch.disconnect(primary, error: URLError(.networkConnectionLost))
        #expect(await onWatch.words(2) == ["1>2", "disconnected URLError"])
        #expect(await onPhone.words(2) == ["1>2", "disconnected URLError"])
        // The mirrored session isn't valid any more; the primary one continues.
        mirrored.end()
        #expect(primary.state == .running)
        await #expect(throws: HKError.self) { try await primary.sendToRemoteWorkoutSession(data: Data()) }
        // It can be mirrored again.
        try await primary.startMirroringToCompanionDevice()
    }

    @Test func mirroringStops() async throws {
        let (primary, onWatch, mirrored, onPhone) = try await mirrored()
        try await primary.stopMirroringToCompanionDevice()
        #expect(await onPhone.words(1) == ["disconnected nil"])
        primary.startActivity(with: nil)
        #expect(await onWatch.words(2) == ["disconnected nil", "1>2"])
        #expect(mirrored.state == .notStarted)
        let error = await #expect(throws: HKError.self) { try await primary.stopMirroringToCompanionDevice() }
        #expect(error?.code == .errorInvalidArgument)
    }

    @Test func mirroringRequiresACompanionWithAHandler() async throws {
        let session = try HKWorkoutSession(healthStore: watch.store, configuration: configuration)
        for store in [watch.store, TestHealthStore().store] {
            let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
            let error = await #expect(throws: HKError.self) { try await session.startMirroringToCompanionDevice() }
            #expect(error?.code == .errorInvalidArgument)
        }
        phone.store.workoutSessionMirroringStartHandler = { _ in }
        try await session.startMirroringToCompanionDevice()
        session.end()
        await #expect(throws: HKError.self) { try await session.startMirroringToCompanionDevice() }
    }

    @Test func theIPhoneStartsTheWatchApp() async throws {
        let (watch, phone) = (TestHealthStore(), TestHealthStore())
        await #expect(throws: HKError.self) { try await phone.store.startWatchApp(toHandle: configuration) }
        let (started, starts) = AsyncStream.makeStream(of: HKWorkoutConfiguration.self)
        watch.pair(with: phone) { starts.yield($0) }
        try await phone.store.startWatchApp(toHandle: configuration)
        var iterator = started.makeAsyncIterator()
        #expect(await iterator.next() == configuration)
    }
}

/// Records the calls of a session, one word each.
private final class Delegate: NSObject, HKWorkoutSessionDelegate, Sendable {
    private let stream: AsyncStream<String>
    private let calls: AsyncStream<String>.Continuation

    override init() {
        (stream, calls) = AsyncStream.makeStream()
    }

    /// The next words, once there are as many.
    func words(_ count: Int) async -> [String] {
        var words: [String] = []
        for await word in stream {
            words.append(word)
            if words.count == count { break }
        }
        return words
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        calls.yield("\(fromState.rawValue)>\(toState.rawValue)")
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
        calls.yield("failed")
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {
        calls.yield("event \(event.type.rawValue)")
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration,
        date: Date
    ) {
        calls.yield("began")
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
    ) {
        calls.yield("ended")
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didReceiveDataFromRemoteWorkoutSession data: [Data]) {
        for data in data { calls.yield("data " + data.map { "\($0)" }.joined(separator: " ")) }
    }

    func workoutSession(
        _ workoutSession: HKWorkoutSession, didDisconnectFromRemoteDeviceWithError error: (any Error)?
    ) {
        calls.yield("disconnected " + (error.map { "\(type(of: $0))" } ?? "nil"))
    }
}
