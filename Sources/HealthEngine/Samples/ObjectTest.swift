import HealthModel

/// A test of what only objects have: a workout's or an activity summary's own fields.
indirect enum ObjectTest: Sendable {
    case activityType(ComparisonOperator, UInt)
    case total(WorkoutTotal, ComparisonOperator, QuantityRecord)
    /// A stored statistic of the type with this identifier.
    case statistic(type: String, WorkoutStatistic, ComparisonOperator, QuantityRecord)
    /// One of the workout's activities passes.
    case anyActivity(ActivityTest)
    case summaryDay(ComparisonOperator, Int)
    /// A document's field; a missing one satisfies only `notEqual`.
    case field(String, ComparisonOperator, FieldValue)
    /// A document's list field has the value among its elements.
    case fieldContains(String, FieldValue)

    func matches(_ body: ObjectBody) -> Bool {
        switch (self, body) {
        case (.activityType(let comparison, let wanted), .workout(let workout)):
            comparison.holds(Self.order(workout.activityType, wanted))
        case (.total(let total, let comparison, let bound), .workout(let workout)):
            Self.compare(total.value(of: workout), comparison, bound)
        case (.statistic(let type, let figure, let comparison, let bound), .workout(let workout)):
            Self.compare(figure.value(of: type, in: workout.statistics), comparison, bound)
        case (.anyActivity(let test), .workout(let workout)):
            workout.activities.contains { test.matches($0) }
        case (.summaryDay(let comparison, let day), .activitySummary(let summary)):
            comparison.holds(Self.order(summary.year * 10_000 + summary.month * 100 + summary.day, day))
        case (.field(let name, let comparison, let wanted), .document(let document)):
            comparison.holds(document[name].flatMap { Self.order($0, wanted) })
        case (.fieldContains(let name, let wanted), .document(let document)):
            document[name]?.elements.contains(wanted) ?? false
        default:
            false
        }
    }

    /// Negative, zero or positive as `left` stands before, at or after `right`; `nil` for kinds that do not
    /// compare and for values that are only unequal.
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

    /// A figure that is missing, or that cannot be told in the bound's unit, does not match.
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
    /// The figure of one quantity type among stored statistics.
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
}
