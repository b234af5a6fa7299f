import Foundation
import HealthEngine
import HealthModel

// From what was gathered to the workout that is stored.
extension WorkoutBuilderState {
    /// Figures over the samples so far.
    var statistics: WorkoutStatistics {
        let start = start ?? 0
        return WorkoutStatistics(
            start: start, end: end ?? members.reduce(start) { max($0, $1.end) }, stored: [],
            members: members)
    }

    /// The activities with their durations and the events that overlap them.
    var completedActivities: [WorkoutBody.Activity] {
        activities.map { completed($0) }
    }

    /// The workout as it is stored.
    ///
    /// - Parameters:
    ///   - uuid: The workout's identity.
    ///   - identity: That of the one activity of a workout without others.
    func workout(uuid: UUID, activity identity: UUID, device: DeviceRecord?) -> ObjectRecord {
        var record = record(end: end ?? start ?? 0, events: events)
        record.uuid = uuid
        record.device = device
        record.metadata = metadata
        guard case .workout(var body) = record.body else { return record }
        body.activities = activities.isEmpty ? [wholeActivity(identity)] : activities
        body.activities = body.activities.map { activity in
            var activity = completed(activity)
            activity.statistics = figures(from: activity.start, to: activity.end ?? activity.start, isPart: true)
            // The workout keeps the events; an activity's are those that overlap it.
            activity.events = []
            return activity
        }
        body.statistics = figures(from: record.start, to: record.end, isPart: false)
        body.totalEnergyBurned = sum(["HKQuantityTypeIdentifierActiveEnergyBurned"], in: body.statistics)
        body.totalDistance = sum(HKWorkout.distances.map(\.rawValue), in: body.statistics)
        body.totalSwimmingStrokeCount = sum(["HKQuantityTypeIdentifierSwimmingStrokeCount"], in: body.statistics)
        body.totalFlightsClimbed = sum(["HKQuantityTypeIdentifierFlightsClimbed"], in: body.statistics)
        record.body = .workout(body)
        return record
    }

    /// A workout of these dates and events, without anything else.
    func record(end: Double, events: [WorkoutBody.Event]) -> ObjectRecord {
        let start = start ?? 0
        return ObjectRecord(
            type: HKObjectType.workoutType().code, start: start, end: max(start, end),
            body: .workout(
                WorkoutBody(
                    activityType: configuration.activityType,
                    duration: WorkoutPauses.duration(from: start, to: max(start, end), events: events),
                    events: events)))
    }

    private func wholeActivity(_ uuid: UUID) -> WorkoutBody.Activity {
        WorkoutBody.Activity(
            uuid: uuid, activityType: configuration.activityType, locationType: configuration.locationType,
            swimmingLocationType: configuration.swimmingLocationType, lapLength: configuration.lapLength,
            start: start ?? 0, end: end ?? start ?? 0, duration: 0)
    }

    private func completed(_ activity: WorkoutBody.Activity) -> WorkoutBody.Activity {
        var activity = activity
        let end = activity.end ?? .infinity
        activity.events = events.filter { $0.start <= end && $0.end >= activity.start }
        activity.duration = WorkoutPauses.duration(
            from: activity.start, to: activity.end ?? activity.start, events: events)
        return activity
    }

    /// The figures of each quantity type. A part owns the samples that begin in it.
    private func figures(from start: Double, to end: Double, isPart: Bool) -> [WorkoutBody.Statistics] {
        var groups: [TypeCode: [SampleRecord]] = [:]
        for member in members where !isPart || (member.start >= start && member.start < end) {
            groups[member.type, default: []].append(member)
        }
        var figures: [WorkoutBody.Statistics] = []
        for (code, samples) in groups.sorted(by: { $0.key < $1.key }) {
            guard let type = TypeCatalog.description(for: code), type.kind == .quantity,
                let values = WorkoutFold.values(of: samples, type: type)
            else { continue }
            figures.append(
                WorkoutBody.Statistics(
                    type: type.identifier, start: start, end: end, unit: type.canonicalUnit ?? "count",
                    sum: values.sum, average: values.average, minimum: values.minimum,
                    maximum: values.maximum))
        }
        return figures
    }

    private func sum(_ types: [String], in figures: [WorkoutBody.Statistics]) -> QuantityRecord? {
        for type in types {
            if let found = figures.first(where: { $0.type == type }), let sum = found.sum {
                return QuantityRecord(sum, unit: found.unit)
            }
        }
        return nil
    }
}
