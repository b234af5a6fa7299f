import HealthModel

/// A filter over one activity of a workout.
indirect enum ActivityTest: Sendable {
    case always(Bool)
    case every([ActivityTest])
    case any([ActivityTest])
    case not(ActivityTest)
    case start(ComparisonOperator, Double)
    /// An activity that still runs has no end and does not match.
    case end(ComparisonOperator, Double)
    case duration(ComparisonOperator, Double)
    case activityType(ComparisonOperator, UInt)
    case statistic(type: String, WorkoutStatistic, ComparisonOperator, QuantityRecord)
    case metadata(MetadataTest)

    /// - Parameter identifier: names the quantity type with a code, `nil` for unknown codes.
    init(_ filter: SampleFilter, identifier: (TypeCode) -> String?) {
        switch filter {
        case .all: self = .always(true)
        case .and(let parts): self = .every(parts.map { ActivityTest($0, identifier: identifier) })
        case .or(let parts): self = .any(parts.map { ActivityTest($0, identifier: identifier) })
        case .not(let part): self = .not(ActivityTest(part, identifier: identifier))
        case .start(let comparison, let bound): self = .start(comparison, bound)
        case .end(let comparison, let bound): self = .end(comparison, bound)
        case .duration(let comparison, let bound): self = .duration(comparison, bound)
        case .workoutActivityType(let comparison, let wanted): self = .activityType(comparison, wanted)
        case .workoutStatistic(let type, let figure, let comparison, let bound):
            self = identifier(type).map { .statistic(type: $0, figure, comparison, bound) } ?? .always(false)
        case .metadataPresent(let key): self = .metadata(.present(key))
        case .metadata(let key, let comparison, let value):
            self = .metadata(.compared(key, comparison, value))
        case .metadataIn(let key, let values): self = .metadata(.oneOf(key, values))
        // An activity has no other field.
        default: self = .always(false)
        }
    }

    func matches(_ activity: WorkoutBody.Activity) -> Bool {
        switch self {
        case .always(let answer): answer
        case .every(let parts): parts.allSatisfy { $0.matches(activity) }
        case .any(let parts): parts.contains { $0.matches(activity) }
        case .not(let part): !part.matches(activity)
        case .start(let comparison, let bound): comparison.holds(activity.start, bound)
        case .end(let comparison, let bound): activity.end.map { comparison.holds($0, bound) } ?? false
        case .duration(let comparison, let bound): comparison.holds(activity.duration, bound)
        case .activityType(let comparison, let wanted):
            comparison.holds(ObjectTest.order(activity.activityType, wanted))
        case .statistic(let type, let figure, let comparison, let bound):
            ObjectTest.compare(figure.value(of: type, in: activity.statistics), comparison, bound)
        case .metadata(let test): test.matches(activity.metadata)
        }
    }
}
