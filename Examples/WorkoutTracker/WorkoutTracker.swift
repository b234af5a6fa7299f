import CoreLocation
import Foundation
import HealthKit

/// Records one workout with a session, its live builder and a route builder.
final class WorkoutTracker: NSObject {
    private let healthStore: HKHealthStore
    private var session: HKWorkoutSession?
    private var builder: HKLiveWorkoutBuilder?
    private var routeBuilder: HKWorkoutRouteBuilder?
    private let stopped = DispatchSemaphore(value: 0)

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    static let typesToShare: Set<HKSampleType> = [
        HKQuantityType.workoutType(), HKSeriesType.workoutRoute(),
        HKQuantityType.quantityType(forIdentifier: .heartRate)!,
        HKQuantityType.quantityType(forIdentifier: .activeEnergyBurned)!,
        HKQuantityType.quantityType(forIdentifier: .distanceWalkingRunning)!,
        HKQuantityType(.workoutEffortScore),
    ]

    static let typesToRead: Set<HKObjectType> = Set(typesToShare.map { $0 as HKObjectType })

    func start(_ activity: HKWorkoutActivityType, at date: Date) async throws {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        configuration.locationType = .outdoor

        let session = try HKWorkoutSession(healthStore: healthStore, configuration: configuration)
        let builder = session.associatedWorkoutBuilder()
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: healthStore, workoutConfiguration: configuration)
        session.delegate = self
        builder.delegate = self
        self.session = session
        self.builder = builder
        routeBuilder = builder.seriesBuilder(for: HKSeriesType.workoutRoute()) as? HKWorkoutRouteBuilder

        session.startActivity(with: date)
        try await builder.beginCollection(at: date)
    }

    /// Adds samples that the application measures itself.
    func add(_ samples: [HKSample]) async throws {
        try await builder?.addSamples(samples)
    }

    /// Adds locations, except inaccurate ones.
    func add(_ locations: [CLLocation]) async throws {
        let accurate = locations.filter { $0.horizontalAccuracy >= 0 && $0.horizontalAccuracy <= 50 }
        guard !accurate.isEmpty else { return }
        try await routeBuilder?.insertRouteData(accurate)
    }

    func lap(_ interval: DateInterval) async throws {
        try await builder?.addWorkoutEvents([HKWorkoutEvent(type: .lap, dateInterval: interval, metadata: nil)])
    }

    func rest(from start: Date, to end: Date) async throws {
        try await builder?.addWorkoutEvents([
            HKWorkoutEvent(type: .pause, date: start), HKWorkoutEvent(type: .resume, date: end),
        ])
    }

    func finish(at date: Date) async throws -> HKWorkout? {
        guard let session = session, let builder = builder else { return nil }
        session.stopActivity(with: date)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.global().async {
                self.stopped.wait()
                continuation.resume()
            }
        }
        try await builder.addMetadata([HKMetadataKeyIndoorWorkout: false, "com.example.tracker.plan": "easy"])
        try await builder.endCollection(at: date)
        print("Elapsed: \(Int(builder.elapsedTime(at: date))) s")
        let workout = try await builder.finishWorkout()
        session.end()
        return workout
    }
}

extension WorkoutTracker: HKWorkoutSessionDelegate {
    func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
    ) {
        if toState == .stopped {
            stopped.signal()
        }
    }

    func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: Error) {
        print("The session failed: \(error.localizedDescription)")
        stopped.signal()
    }
}

extension WorkoutTracker: HKLiveWorkoutBuilderDelegate {
    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {
        for type in collectedTypes {
            guard let quantityType = type as? HKQuantityType,
                let statistics = workoutBuilder.statistics(for: quantityType)
            else { continue }
            show(statistics)
        }
    }

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}

    private func show(_ statistics: HKStatistics) {
        switch statistics.quantityType {
        case HKQuantityType.quantityType(forIdentifier: .heartRate):
            let unit = HKUnit.count().unitDivided(by: .minute())
            if let rate = statistics.mostRecentQuantity()?.doubleValue(for: unit) {
                print("♥ \(Int(rate))")
            }
        case HKQuantityType.quantityType(forIdentifier: .activeEnergyBurned):
            if let energy = statistics.sumQuantity()?.doubleValue(for: .kilocalorie()) {
                print("🔥 \(Int(energy)) kcal")
            }
        default:
            break
        }
    }
}
