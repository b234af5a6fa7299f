import Foundation
import HealthEngine
import HealthModel
import HealthStorage

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
    ///   - series: The quantities that samples were made of, by the samples' sequences: they count in the
    ///     samples' place.
    func workout(
        uuid: UUID, activity identity: UUID, device: DeviceRecord?, series: [Int64: QuantitySeries] = [:]
    ) -> ObjectRecord {
        var record = record(end: end ?? start ?? 0, events: events)
        record.uuid = uuid
        record.device = device
        record.metadata = metadata
        guard case .workout(var body) = record.body else { return record }
        body.activities = activities.isEmpty ? [wholeActivity(identity)] : activities
        body.activities = body.activities.map { activity in
            var activity = completed(activity)
            activity.statistics = figures(
                from: activity.start, to: activity.end ?? activity.start, isPart: true, series)
            // The workout keeps the events; an activity's are those that overlap it.
            activity.events = []
            return activity
        }
        body.statistics = figures(from: record.start, to: record.end, isPart: false, series)
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

    /// Places of the samples that were made of several quantities.
    var seriesPlaces: [StoredIdentity] {
        zip(members, places).filter { member, _ in
            !member.metadata.isEmpty && member.metadata[MetadataKey.seriesCount] != nil
        }.map(\.1)
    }

    /// The figures of each quantity type. A part owns the samples that begin in it.
    private func figures(
        from start: Double, to end: Double, isPart: Bool, _ series: [Int64: QuantitySeries]
    ) -> [WorkoutBody.Statistics] {
        var groups: [TypeCode: [Int]] = [:]
        for (index, member) in members.enumerated()
        where !isPart || (member.start >= start && member.start < end) {
            groups[member.type, default: []].append(index)
        }
        var figures: [WorkoutBody.Statistics] = []
        for (code, indices) in groups.sorted(by: { $0.key < $1.key }) {
            var inner: [Int: QuantitySeries] = [:]
            if !series.isEmpty {
                for (place, index) in indices.enumerated() { inner[place] = series[places[index].sequence] }
            }
            guard let type = TypeCatalog.description(for: code), type.kind == .quantity,
                let values = MemberFold.values(
                    of: indices.count == members.count ? members : indices.map { members[$0] }, type: type, series: inner)
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
