public import Foundation
import Synchronization
import HealthModel

/// The types of samples that a live builder collects while programs save them to the store during a session.
// Unchecked: all mutable state is in a Mutex; the compiler checks only final classes.
open class HKLiveWorkoutDataSource: NSObject, _CVarArgObject, @unchecked Sendable {
    private struct Collected {
        var type: HKQuantityType
        var part: QueryPart
    }

    private let collected: Mutex<[String: Collected]>

    /// Creates a data source for the types of the configuration's activity; without a configuration, for none.
    public init(healthStore: HKHealthStore, workoutConfiguration configuration: HKWorkoutConfiguration?) {
        let types = configuration.map { Self.types(for: $0.activityType) } ?? []
        collected = Mutex(
            Dictionary(
                uniqueKeysWithValues: types.map { identifier in
                    let type = HKQuantityType(identifier)
                    return (type.identifier, Collected(type: type, part: QueryPart(identifier: type.identifier)))
                }))
    }

    /// The types that are collected.
    open var typesToCollect: Set<HKQuantityType> { collected.withLock { Set($0.values.map(\.type)) } }

    /// Starts collecting the samples of a type, or those that match a predicate; a second call replaces the
    /// predicate. A predicate that does not fit the type ends the process.
    open func enableCollection(for quantityType: HKQuantityType, predicate: NSPredicate?) {
        let part = QueryValidation.checked { try QueryPart(type: quantityType, predicate: predicate) }
        collected.withLock { $0[quantityType.identifier] = Collected(type: quantityType, part: part) }
    }

    /// Stops collecting a type. Samples collected so far remain.
    open func disableCollection(for quantityType: HKQuantityType) {
        collected.withLock { $0[quantityType.identifier] = nil }
    }

    /// The types and predicates, in order of the type identifiers.
    final var parts: [QueryPart] {
        collected.withLock { $0.sorted { $0.key < $1.key }.map(\.value.part) }
    }

    private static func types(for activity: HKWorkoutActivityType) -> [HKQuantityTypeIdentifier] {
        let always: [HKQuantityTypeIdentifier] = [.heartRate, .activeEnergyBurned, .basalEnergyBurned]
        let special: [HKQuantityTypeIdentifier] =
            switch activity {
            case .walking, .running, .hiking: [.stepCount]
            case .swimming: [.swimmingStrokeCount]
            case .swimBikeRun:
                [.distanceWalkingRunning, .distanceCycling, .distanceSwimming, .swimmingStrokeCount]
            case .wheelchairWalkPace, .wheelchairRunPace: [.pushCount]
            case .stairs, .stairClimbing: [.flightsClimbed]
            default: []
            }
        let distance = WorkoutBody.distanceType(of: activity.rawValue).map { HKQuantityTypeIdentifier(rawValue: $0) }
        return always + special + [distance].compactMap(\.self)
    }
}
