import HealthModel

/// A condition on fields that only objects have: those of workouts, activity summaries and documents.
indirect enum ObjectCondition: Sendable {
    case activityType(ComparisonOperator, UInt)
    case total(WorkoutTotal, ComparisonOperator, QuantityRecord)
    /// A stored statistic of the type with this identifier.
    case statistic(type: String, WorkoutStatistic, ComparisonOperator, QuantityRecord)
    /// One of the workout's activities matches.
    case anyActivity(ActivityCondition)
    case summaryDay(ComparisonOperator, Int)
    /// A document's field; a missing one satisfies only `notEqual`.
    case field(String, ComparisonOperator, FieldValue)
    /// A document's list field has the value among its elements.
    case fieldContains(String, FieldValue)

    /// Creates the condition of a filter; `nil` for a filter on fields that samples have, too.
    ///
    /// - Parameter identifier: Returns the identifier of a quantity type, or `nil` for an unknown one.
    init?(_ filter: SampleFilter, identifier: (TypeCode) -> String?) {
        switch filter {
        case .workoutActivityType(let comparison, let expected): self = .activityType(comparison, expected)
        case .workoutTotal(let total, let comparison, let bound): self = .total(total, comparison, bound)
        case .workoutStatistic(let type, let figure, let comparison, let bound):
            self = .statistic(type: identifier(type) ?? "", figure, comparison, bound)
        case .anyActivity(let filter): self = .anyActivity(ActivityCondition(filter, identifier: identifier))
        case .summaryDay(let comparison, let day): self = .summaryDay(comparison, day)
        case .field(let name, let comparison, let value): self = .field(name, comparison, value)
        case .fieldContains(let name, let value): self = .fieldContains(name, value)
        default: return nil
        }
    }

    /// Returns whether a body matches. A statistic and the conditions of an activity need the samples of the workout,
    /// too.
    func matches(_ body: ObjectBody) -> Bool {
        switch (self, body) {
        case (.activityType(let comparison, let expected), .workout(let workout)):
            comparison.holds(Self.order(workout.activityType, expected))
        case (.total(let total, let comparison, let bound), .workout(let workout)):
            Self.compare(total.value(of: workout), comparison, bound)
        case (.summaryDay(let comparison, let day), .activitySummary(let summary)):
            comparison.holds(Self.order(summary.year * 10_000 + summary.month * 100 + summary.day, day))
        case (.field(let name, let comparison, let expected), .document(let document)):
            comparison.holds(document[name].flatMap { Self.order($0, expected) })
        case (.fieldContains(let name, let expected), .document(let document)):
            document[name]?.elements.contains(expected) ?? false
        default:
            false
        }
    }

    /// Returns a negative number, 0 or a positive number if `left` is less than, equal to or greater than `right`, or
    /// `nil` if they are not comparable or have no order and differ.
    static func order(_ left: FieldValue, _ right: FieldValue) -> Int? {
        switch (left, right) {
        case (.string(let first), .string(let second)): return order(first, second)
        case (.quantity(let first), .quantity(let second)):
            return first.value(in: second.unit).map { order($0, second.value) }
        default:
            if let first = left.number, let second = right.number { return order(first, second) }
            return left == right ? 0 : nil
        }
    }

    /// Returns whether a comparison holds. A figure that is missing or in an incompatible unit does not match.
    static func compare(
        _ figure: QuantityRecord?, _ comparison: ComparisonOperator, _ bound: QuantityRecord
    ) -> Bool {
        guard let value = figure?.value(in: bound.unit) else { return false }
        return comparison.holds(value, bound.value)
    }

    static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left > right ? 1 : 0
    }
}

extension WorkoutStatistic {
    /// Returns the figure of a quantity type in stored statistics.
    func value(of type: String, in statistics: [WorkoutBody.Statistics]) -> QuantityRecord? {
        guard let found = statistics.first(where: { $0.type == type }) else { return nil }
        let value =
            switch self {
            case .sum: found.sum
            case .minimum: found.minimum
            case .maximum: found.maximum
            case .average: found.average
            }
        return value.map { QuantityRecord($0, unit: found.unit) }
    }

    /// Returns the figure in statistics that were computed from samples.
    func value(of values: StatisticsValues, unit: String) -> QuantityRecord? {
        let value =
            switch self {
            case .sum: values.sum
            case .minimum: values.minimum
            case .maximum: values.maximum
            case .average: values.average
            }
        return value.map { QuantityRecord($0, unit: unit) }
    }
}

/// A condition on one activity of a workout.
indirect enum ActivityCondition: Sendable {
    case always(Bool)
    case every([ActivityCondition])
    case any([ActivityCondition])
    case not(ActivityCondition)
    case start(ComparisonOperator, Double)
    /// An activity that is still running has no end and does not match.
    case end(ComparisonOperator, Double)
    case duration(ComparisonOperator, Double)
    case activityType(ComparisonOperator, UInt)
    case statistic(type: String, WorkoutStatistic, ComparisonOperator, QuantityRecord)
    case metadata(MetadataCondition)

    /// - Parameter identifier: Returns the identifier of a quantity type, or `nil` for an unknown one.
    init(_ filter: SampleFilter, identifier: (TypeCode) -> String?) {
        switch filter {
        case .all: self = .always(true)
        case .and(let parts): self = .every(parts.map { ActivityCondition($0, identifier: identifier) })
        case .or(let parts): self = .any(parts.map { ActivityCondition($0, identifier: identifier) })
        case .not(let part): self = .not(ActivityCondition(part, identifier: identifier))
        case .start(let comparison, let bound): self = .start(comparison, bound)
        case .end(let comparison, let bound): self = .end(comparison, bound)
        case .duration(let comparison, let bound): self = .duration(comparison, bound)
        case .workoutActivityType(let comparison, let expected): self = .activityType(comparison, expected)
        case .workoutStatistic(let type, let figure, let comparison, let bound):
            self = .statistic(type: identifier(type) ?? "", figure, comparison, bound)
        // An activity has no other fields.
        default: self = MetadataCondition(filter).map { .metadata($0) } ?? .always(false)
        }
    }

    /// Returns whether an activity matches.
    ///
    /// - Parameter figure: Returns a statistic of the activity by the identifier of the quantity type.
    func matches(
        _ activity: WorkoutBody.Activity, figure: (WorkoutStatistic, String) throws -> QuantityRecord?
    ) rethrows -> Bool {
        switch self {
        case .always(let answer): answer
        case .every(let parts): try parts.allSatisfy { try $0.matches(activity, figure: figure) }
        case .any(let parts): try parts.contains { try $0.matches(activity, figure: figure) }
        case .not(let part): try !part.matches(activity, figure: figure)
        case .start(let comparison, let bound): comparison.holds(activity.start, bound)
        case .end(let comparison, let bound): activity.end.map { comparison.holds($0, bound) } ?? false
        case .duration(let comparison, let bound): comparison.holds(activity.duration, bound)
        case .activityType(let comparison, let expected):
            comparison.holds(ObjectCondition.order(activity.activityType, expected))
        case .statistic(let type, let statistic, let comparison, let bound):
            ObjectCondition.compare(try figure(statistic, type), comparison, bound)
        case .metadata(let condition): condition.matches(activity.metadata)
        }
    }
}
