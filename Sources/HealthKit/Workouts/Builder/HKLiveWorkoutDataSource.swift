public import Foundation
import HealthModel
import Synchronization

/// Which types a live builder collects by itself: samples of them that any program saves to the store
/// during the session.
// Unchecked: what changes is in a Mutex; the compiler checks only final classes.
open class HKLiveWorkoutDataSource: NSObject, @unchecked Sendable {
    private struct Collected {
        var type: HKQuantityType
        var part: QueryPart
    }

    private let collected: Mutex<[String: Collected]>

    /// A source that collects what belongs to the configuration's activity; without one, nothing yet.
    public init(healthStore: HKHealthStore, workoutConfiguration configuration: HKWorkoutConfiguration?) {
        let types = configuration.map { Self.types(for: $0.activityType) } ?? []
        collected = Mutex(
            Dictionary(
                uniqueKeysWithValues: types.map { identifier in
                    let type = HKQuantityType(identifier)
                    return (
                        type.identifier,
                        Collected(type: type, part: QueryPart(identifier: type.identifier, filter: .all))
                    )
                }))
        super.init()
    }

    /// What is collected.
    open var typesToCollect: Set<HKQuantityType> { collected.withLock { Set($0.values.map(\.type)) } }

    /// Collects a type, where a predicate is given only its samples; a second call replaces the
    /// predicate of the first. A predicate that does not fit the type ends the process.
    open func enableCollection(for quantityType: HKQuantityType, predicate: NSPredicate?) {
        let part = QueryValidation.checked { try QueryPart(type: quantityType, predicate: predicate) }
        collected.withLock { $0[quantityType.identifier] = Collected(type: quantityType, part: part) }
    }

    /// Collects a type no longer. What was collected stays.
    open func disableCollection(for quantityType: HKQuantityType) {
        collected.withLock { $0[quantityType.identifier] = nil }
    }

    /// What is asked of the store, in a steady order.
    final var parts: [QueryPart] {
        collected.withLock { $0.sorted { $0.key < $1.key }.map(\.value.part) }
    }

    private static func types(for activity: HKWorkoutActivityType) -> [HKQuantityTypeIdentifier] {
        let always: [HKQuantityTypeIdentifier] = [.heartRate, .activeEnergyBurned, .basalEnergyBurned]
        let special: [HKQuantityTypeIdentifier] =
            switch activity {
            case .walking, .running, .hiking: [.distanceWalkingRunning, .stepCount]
            case .cycling, .handCycling: [.distanceCycling]
            case .swimming: [.distanceSwimming, .swimmingStrokeCount]
            case .swimBikeRun:
                [.distanceWalkingRunning, .distanceCycling, .distanceSwimming, .swimmingStrokeCount]
            case .wheelchairWalkPace, .wheelchairRunPace: [.distanceWheelchair, .pushCount]
            case .downhillSkiing, .snowboarding: [.distanceDownhillSnowSports]
            case .crossCountrySkiing: [.distanceCrossCountrySkiing]
            case .paddleSports: [.distancePaddleSports]
            case .rowing: [.distanceRowing]
            case .skatingSports: [.distanceSkatingSports]
            case .stairs, .stairClimbing: [.flightsClimbed]
            default: []
            }
        return always + special
    }
}
