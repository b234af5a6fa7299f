import Foundation
import HealthModel
import HealthSync

/// Converts the parts of a batch that the engine keeps as metadata, bodies of objects and activity summaries.
enum SyncObjectReader {
    /// The metadata in the order of its keys. Keys that the store uses for itself are left out.
    static func metadata(_ values: [String: SyncValue]?) throws -> Metadata {
        guard let values, !values.isEmpty else { return .empty }
        var entries: [Metadata.Entry] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key })
        where !key.hasPrefix(MetadataKey.archivedPrefix) && !key.hasPrefix(MetadataKey.seriesPrefix) {
            entries.append(Metadata.Entry(key: key, value: try metadataValue(value)))
        }
        return Metadata(entries)
    }

    private static func metadataValue(_ value: SyncValue) throws -> MetadataValue {
        switch value {
        case .string(let text): .string(text)
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .date(let date): .date(date.seconds)
        case .quantity(let quantity): .quantity(quantity.quantity, unit: quantity.unit)
        case .data, .list, .record:
            throw SyncSampleError("Metadata must consist of strings, numbers, dates and quantities.")
        }
    }

    // MARK: Objects

    /// The body of an object of a kind.
    static func body(of sample: SyncSample, kind: TypeKind) throws -> ObjectBody {
        switch kind {
        case .correlation: return .none
        case .workout:
            guard let workout = sample.workout else { throw SyncSampleError("A workout needs “workoutActivityType”.") }
            return .workout(try body(of: workout, uuid: sample.uuid, sample))
        default:
            var document = DocumentBody()
            for (name, value) in sample.properties ?? [:] { document[name] = field(value) }
            for (name, column) in sample.series ?? [:] { document.series[name] = column.numbers }
            let lengths = Set(document.series.values.map(\.count))
            guard lengths.count <= 1 else { throw SyncSampleError("The columns of “series” must have one length.") }
            return .document(document)
        }
    }

    private static func field(_ value: SyncValue) -> FieldValue {
        switch value {
        case .string(let text): .string(text)
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .date(let date): .date(date.seconds)
        case .data(let data): .data([UInt8](data))
        case .quantity(let quantity): .quantity(QuantityRecord(quantity.quantity, unit: quantity.unit))
        case .list(let values): .list(values.map { field($0) })
        case .record(let values): .record(values.mapValues { field($0) })
        }
    }

    // MARK: Workouts

    private static func body(of workout: SyncWorkout, uuid: UUID, _ sample: SyncSample) throws -> WorkoutBody {
        var body = WorkoutBody(
            activityType: workout.workoutActivityType, duration: workout.duration,
            totalEnergyBurned: quantity(workout.totalEnergyBurned), totalDistance: quantity(workout.totalDistance),
            totalSwimmingStrokeCount: quantity(workout.totalSwimmingStrokeCount),
            totalFlightsClimbed: quantity(workout.totalFlightsClimbed), events: try events(workout.workoutEvents),
            statistics: statistics(workout.statistics?.filter { isStored($0, in: workout) }))
        var zones = (workout.zoneGroups ?? []).compactMap { zone($0, activity: nil) }
        for activity in workout.workoutActivities ?? [] where !isWhole(activity, of: workout, uuid, sample) {
            body.activities.append(
                WorkoutBody.Activity(
                    uuid: activity.uuid, activityType: activity.workoutActivityType,
                    locationType: activity.locationType,
                    swimmingLocationType: activity.swimmingLocationType, lapLength: quantity(activity.lapLength),
                    start: activity.startDate.seconds, end: activity.endDate?.seconds, duration: activity.duration,
                    events: try events(activity.workoutEvents), statistics: statistics(activity.statistics),
                    metadata: try metadata(activity.metadata)))
            zones += (activity.zoneGroups ?? []).compactMap { zone($0, activity: activity.uuid) }
        }
        if !zones.isEmpty { body.zones = zones }
        return body
    }

    /// Whether statistics were stored with the workout, as far as that can be determined. A workout without a total has
    /// no stored sum of it, so the statistics are those of its samples, which are members here, too.
    private static func isStored(_ statistics: SyncStatistics, in workout: SyncWorkout) -> Bool {
        switch statistics.type {
        case "HKQuantityTypeIdentifierActiveEnergyBurned": workout.totalEnergyBurned != nil
        case "HKQuantityTypeIdentifierSwimmingStrokeCount": workout.totalSwimmingStrokeCount != nil
        case "HKQuantityTypeIdentifierFlightsClimbed": workout.totalFlightsClimbed != nil
        case let type where type.hasPrefix("HKQuantityTypeIdentifierDistance"): workout.totalDistance != nil
        default: true
        }
    }

    /// Whether an activity is the one that HealthKit gives for a workout without activities of its own. It has no
    /// contents of its own, and its identity is that of the workout with the last bit inverted.
    private static func isWhole(
        _ activity: SyncWorkoutActivity, of workout: SyncWorkout, _ uuid: UUID, _ sample: SyncSample
    ) -> Bool {
        var bytes = uuid.uuid
        bytes.15 ^= 1
        return activity.uuid == UUID(uuid: bytes) && workout.workoutActivities?.count == 1 && activity.metadata == nil
            && activity.startDate == sample.startDate && activity.endDate == sample.endDate
    }

    private static func quantity(_ quantity: SyncQuantity?) -> QuantityRecord? {
        quantity.map { QuantityRecord($0.quantity, unit: $0.unit) }
    }

    private static func events(_ events: [SyncWorkoutEvent]?) throws -> [WorkoutBody.Event] {
        try (events ?? []).map {
            WorkoutBody.Event(
                type: $0.type, start: $0.startDate.seconds, end: $0.endDate.seconds, metadata: try metadata($0.metadata)
            )
        }
    }

    private static func statistics(_ statistics: [SyncStatistics]?) -> [WorkoutBody.Statistics] {
        (statistics ?? []).map {
            WorkoutBody.Statistics(
                type: $0.type, start: $0.startDate.seconds, end: $0.endDate.seconds, unit: $0.unit, sum: $0.sumQuantity,
                average: $0.averageQuantity, minimum: $0.minimumQuantity, maximum: $0.maximumQuantity)
        }
    }

    private static func zone(_ group: SyncZoneGroup, activity: UUID?) -> WorkoutZoneRecord? {
        guard let source = WorkoutZoneRecord.Source(rawValue: group.source), !group.boundaries.isEmpty,
            group.durations.count == group.boundaries.count + 1
        else { return nil }
        return WorkoutZoneRecord(
            type: group.type, unit: group.unit, boundaries: group.boundaries, source: source,
            durations: group.durations, activity: activity)
    }

    // MARK: Activity summaries

    /// The rings of a day; `nil` for a date of another form.
    static func summary(_ summary: SyncActivitySummary) -> ActivitySummaryBody? {
        let parts = summary.date.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard parts.count == 3, CivilDate.isValid(year: parts[0], month: parts[1], day: parts[2]) else { return nil }
        var body = ActivitySummaryBody(
            year: parts[0], month: parts[1], day: parts[2], moveMode: summary.activityMoveMode,
            isPaused: summary.isPaused)
        body.activeEnergyBurned = quantity(summary.activeEnergyBurned)
        body.activeEnergyBurnedGoal = quantity(summary.activeEnergyBurnedGoal)
        body.appleMoveTime = quantity(summary.appleMoveTime)
        body.appleMoveTimeGoal = quantity(summary.appleMoveTimeGoal)
        body.appleExerciseTime = quantity(summary.appleExerciseTime)
        body.appleExerciseTimeGoal = quantity(summary.appleExerciseTimeGoal)
        body.appleStandHours = quantity(summary.appleStandHours)
        body.appleStandHoursGoal = quantity(summary.appleStandHoursGoal)
        return body
    }
}
