import Foundation
package import HealthModel

extension SampleFilter {
    /// Returns whether a sample in memory matches, by the rules for stored ones.
    ///
    /// A record by itself belongs to no correlation, workout or effort relationship: only a store knows such links.
    ///
    /// - Parameter isOwn: Returns whether a bundle identifier is the application's.
    package func matches(_ sample: SampleRecord, isOwn: (String) -> Bool) -> Bool {
        let object = ObjectRecord(
            uuid: sample.uuid, type: sample.type, start: sample.start, end: sample.end, revision: sample.revision,
            device: sample.device, metadata: sample.metadata)
        return matches(object, sample, isOwn)
    }

    /// Returns whether an object in memory matches; see ``matches(_:isOwn:)-(SampleRecord,_)``.
    package func matches(_ object: ObjectRecord, isOwn: (String) -> Bool) -> Bool {
        matches(object, nil, isOwn)
    }

    /// Returns whether an activity of a workout matches.
    package func matches(_ activity: WorkoutBody.Activity) -> Bool {
        let condition = ActivityCondition(self) { TypeCatalog.description(for: $0)?.identifier }
        return condition.matches(activity) { $0.value(of: $1, in: activity.statistics) }
    }

    private func matches(_ object: ObjectRecord, _ sample: SampleRecord?, _ isOwn: (String) -> Bool) -> Bool {
        let kind = TypeCatalog.description(for: object.type)?.kind
        switch self {
        case .all, .noCorrelation: return true
        case .and(let parts): return parts.allSatisfy { $0.matches(object, sample, isOwn) }
        case .or(let parts): return parts.contains { $0.matches(object, sample, isOwn) }
        case .not(let part): return !part.matches(object, sample, isOwn)
        case .quantity(let comparison, let bound):
            guard kind == .quantity, let sample else { return false }
            return ObjectCondition.compare(QuantityRecord(sample.value, unit: sample.unit), comparison, bound)
        case .category(let comparison, let value):
            guard kind == .category, let sample else { return false }
            return comparison.holds(sample.value, Double(value))
        case .start(let comparison, let bound): return comparison.holds(object.start, bound)
        case .end(let comparison, let bound): return comparison.holds(object.end, bound)
        case .duration(let comparison, let bound):
            guard case .workout(let workout) = object.body else {
                return comparison.holds(object.end - object.start, bound)
            }
            return comparison.holds(workout.duration, bound)
        case .uuid(let expected): return object.uuid.map(expected.contains) ?? false
        case .source(let expected):
            return object.revision.map { expected.contains($0.source.bundleIdentifier) } ?? false
        case .ownSource: return object.revision.map { isOwn($0.source.bundleIdentifier) } ?? false
        case .revision(let patterns):
            return object.revision.map { revision in patterns.contains { $0.matches(revision) } } ?? false
        case .device(let expected): return object.device.map(expected.contains) ?? false
        case .deviceProperty(let property, let values):
            return property.value(of: object.device).map(values.contains) ?? values.isEmpty
        case .workoutStatistic(let type, let statistic, let comparison, let bound):
            let identifier = TypeCatalog.description(for: type)?.identifier ?? ""
            return ObjectCondition.compare(object.figure(statistic, of: identifier), comparison, bound)
        case .anyActivity(let filter):
            guard case .workout(let workout) = object.body else { return false }
            let condition = ActivityCondition(filter) { TypeCatalog.description(for: $0)?.identifier }
            return workout.activities(of: object.uuid ?? UUID(), start: object.start, end: object.end)
                .contains { activity in condition.matches(activity) { object.figure($0, of: $1, in: activity) } }
        default:
            if let condition = MetadataCondition(self) { return condition.matches(object.metadata) }
            let condition = ObjectCondition(self) { TypeCatalog.description(for: $0)?.identifier }
            return condition?.matches(object.body) ?? false
        }
    }
}

extension ObjectRecord {
    /// Returns a statistic of a workout, or of an activity of it: the stored one, or the one of its samples.
    fileprivate func figure(
        _ statistic: WorkoutStatistic, of identifier: String, in activity: WorkoutBody.Activity? = nil
    ) -> QuantityRecord? {
        guard case .workout(let workout) = body, let type = TypeCatalog.description(for: identifier),
            let unit = type.canonicalUnit
        else { return nil }
        let statistics = activity?.statistics ?? workout.statistics
        if statistics.contains(where: { $0.type == identifier }) {
            return statistic.value(of: identifier, in: statistics)
        }
        let samples = members.filter { $0.type == type.code && activity?.contains($0) ?? true }
        return SampleAggregator.values(of: samples, type: type).flatMap { statistic.value(of: $0, unit: unit) }
    }
}

extension WorkoutBody.Activity {
    /// Returns whether a sample of the workout belongs to the activity: whether it starts within it.
    package func contains(_ sample: SampleRecord) -> Bool {
        sample.start >= start && sample.start < end ?? .infinity
    }
}
