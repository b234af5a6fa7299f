import Foundation
import HealthKit

extension SyncWorkout {
    /// The contents of a workout.
    init(_ workout: HKWorkout, _ units: inout QuantityUnits) {
        self.init(workoutActivityType: workout.workoutActivityType.rawValue, duration: workout.duration)
        totalEnergyBurned = workout.totalEnergyBurned.map { units.parts(of: $0) }
        totalDistance = workout.totalDistance.map { units.parts(of: $0) }
        totalSwimmingStrokeCount = workout.totalSwimmingStrokeCount.map { units.parts(of: $0) }
        totalFlightsClimbed = workout.totalFlightsClimbed.map { units.parts(of: $0) }
        workoutEvents = WorkoutParts.events(workout.workoutEvents, &units)
        workoutActivities = workout.workoutActivities.map { SyncWorkoutActivity($0, &units) }
        statistics = WorkoutParts.statistics(workout.allStatistics, &units)
        if #available(iOS 27.0, watchOS 27.0, *) {
            zoneGroups = WorkoutParts.zones(workout.zoneGroupsByType, &units)
        }
    }
}

extension SyncWorkoutActivity {
    /// The contents of an activity.
    init(_ activity: HKWorkoutActivity, _ units: inout QuantityUnits) {
        let configuration = activity.workoutConfiguration
        self.init(
            uuid: activity.uuid, workoutActivityType: configuration.activityType.rawValue,
            locationType: configuration.locationType.rawValue,
            swimmingLocationType: configuration.swimmingLocationType.rawValue,
            startDate: SyncDate(activity.startDate), duration: activity.duration)
        lapLength = configuration.lapLength.map { units.parts(of: $0) }
        endDate = activity.endDate.map { SyncDate($0) }
        workoutEvents = WorkoutParts.events(activity.workoutEvents, &units)
        statistics = WorkoutParts.statistics(activity.allStatistics, &units)
        metadata = MetadataValues.values(of: activity.metadata, &units)
        if #available(iOS 27.0, watchOS 27.0, *) {
            zoneGroups = WorkoutParts.zones(activity.zoneGroupsByType, &units)
        }
    }
}

/// The parts that workouts and activities have in common; `nil` for none.
private enum WorkoutParts {
    static func events(_ events: [HKWorkoutEvent]?, _ units: inout QuantityUnits) -> [SyncWorkoutEvent]? {
        guard let events, !events.isEmpty else { return nil }
        return events.map { event in
            SyncWorkoutEvent(
                type: event.type.rawValue, startDate: SyncDate(event.dateInterval.start),
                endDate: SyncDate(event.dateInterval.end), metadata: MetadataValues.values(of: event.metadata, &units))
        }
    }

    static func statistics(
        _ statistics: [HKQuantityType: HKStatistics], _ units: inout QuantityUnits
    ) -> [SyncStatistics]? {
        var found: [SyncStatistics] = []
        for (type, figures) in statistics.sorted(by: { $0.key.identifier < $1.key.identifier }) {
            let (sum, average) = (figures.sumQuantity(), figures.averageQuantity())
            let (minimum, maximum) = (figures.minimumQuantity(), figures.maximumQuantity())
            guard let any = sum ?? average ?? minimum ?? maximum else { continue }
            let unit = units.unit(of: any)
            var result = SyncStatistics(
                type: type.identifier, startDate: SyncDate(figures.startDate), endDate: SyncDate(figures.endDate),
                unit: unit.unitString)
            result.sumQuantity = sum?.doubleValue(for: unit)
            result.averageQuantity = average?.doubleValue(for: unit)
            result.minimumQuantity = minimum?.doubleValue(for: unit)
            result.maximumQuantity = maximum?.doubleValue(for: unit)
            found.append(result)
        }
        return found.isEmpty ? nil : found
    }

    @available(iOS 27.0, watchOS 27.0, *)
    static func zones(
        _ groups: [HKQuantityType: HKWorkoutZoneGroup]?, _ units: inout QuantityUnits
    ) -> [SyncZoneGroup]? {
        var found: [SyncZoneGroup] = []
        for (type, group) in (groups ?? [:]).sorted(by: { $0.key.identifier < $1.key.identifier }) {
            // Every zone but the first begins at a boundary.
            let boundaries = group.configuration.zones.compactMap(\.minimum)
            guard let first = boundaries.first else { continue }
            let unit = units.unit(of: first)
            let source =
                switch group.configuration.source {
                case .system: "system"
                case .user: "user"
                case .app: "app"
                @unknown default: "app"
                }
            found.append(
                SyncZoneGroup(
                    type: type.identifier, unit: unit.unitString,
                    boundaries: boundaries.map { $0.doubleValue(for: unit) },
                    source: source, durations: group.zoneDurations.map(\.duration)))
        }
        return found.isEmpty ? nil : found
    }
}
