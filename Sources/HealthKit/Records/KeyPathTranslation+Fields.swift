import Foundation
import HealthModel

extension KeyPathTranslation {
    /// The filter of one key path against one value. An unknown key path throws.
    func filter(
        _ path: String, _ parts: [String], _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter? {
        if let filter = try dateFilter(path, operation, value) { return filter }
        if let filter = try valueFilter(path, operation, value) { return filter }
        if let filter = try originFilter(path, parts, operation, value) { return filter }
        if let filter = try workoutFilter(path, operation, value) { return filter }
        if let filter = try electrocardiogramFilter(path, operation, value) { return filter }
        if let filter = try healthRecordFilter(path, parts, operation, value) { return filter }
        if path == HKPredicateKeyPathDateComponents {
            guard type is HKActivitySummaryType else { throw unexpectedType(path) }
            guard case .day(let day) = value else { throw wrongValue(path, wanted: "date components") }
            return .summaryDay(operation, PredicateEvaluation.summaryDay(day))
        }
        if Self.answeredByObjects.contains(path) { return nil }
        throw PredicateTranslationError(reason: "Unsupported key path \(path) for a predicate of \(Swift.type(of: type))")
    }

    /// Key paths of quantity samples that columns do not answer.
    private static let answeredByObjects: Set<String> = [
        HKPredicateKeyPathCount, HKPredicateKeyPathSum, HKPredicateKeyPathMin, HKPredicateKeyPathMax,
        HKPredicateKeyPathAverage, HKPredicateKeyPathMostRecent,
    ]

    private func dateFilter(
        _ path: String, _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter? {
        guard path == HKPredicateKeyPathStartDate || path == HKPredicateKeyPathEndDate else { return nil }
        guard !(type is HKActivitySummaryType) else { throw unexpectedType(path) }
        guard case .date(let date) = value else { throw wrongValue(path, wanted: "a date") }
        let instant = date.timeIntervalSinceReferenceDate
        return path == HKPredicateKeyPathStartDate ? .start(operation, instant) : .end(operation, instant)
    }

    private func valueFilter(
        _ path: String, _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter? {
        switch path {
        case HKPredicateKeyPathQuantity:
            guard let quantityType = type as? HKQuantityType else { throw unexpectedType(path) }
            guard case .quantity(let quantity) = value else { throw wrongValue(path, wanted: "a quantity") }
            guard quantityType.is(compatibleWith: HKUnit(from: quantity.record.unit)) else {
                throw wrongValue(path, wanted: "a quantity in a unit of the type")
            }
            return .quantity(operation, quantity.record)
        case HKPredicateKeyPathCategoryValue:
            guard type is HKCategoryType else { throw unexpectedType(path) }
            guard let number = value.asNumber.flatMap({ Int(exactly: $0) }) else {
                throw wrongValue(path, wanted: "a whole number")
            }
            return .category(operation, number)
        default: return nil
        }
    }

    private func originFilter(
        _ path: String, _ parts: [String], _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter? {
        let filter: SampleFilter
        switch path {
        case HKPredicateKeyPathUUID, "uuid":
            guard case .uuid(let uuid) = value else { throw wrongValue(path, wanted: "a UUID") }
            filter = .uuid([uuid])
        case HKPredicateKeyPathSource:
            guard case .source(let source) = value else { throw wrongValue(path, wanted: "a source") }
            filter = .source([source.record])
        case HKPredicateKeyPathSourceRevision:
            guard case .sourceRevision(let revision) = value else { throw wrongValue(path, wanted: "a source revision") }
            filter = .revision([revision.pattern])
        case HKPredicateKeyPathDevice:
            if parts.count > 1 {
                guard let property = DeviceProperty(rawValue: parts[1]) else {
                    throw PredicateTranslationError(reason: "Unsupported device property \(parts[1])")
                }
                guard case .string(let text) = value else {
                    guard value == .null else { throw wrongValue(path, wanted: "text") }
                    filter = .deviceProperty(property, [])
                    break
                }
                filter = .deviceProperty(property, [text])
            } else {
                guard case .device(let device) = value else { throw wrongValue(path, wanted: "a device") }
                filter = .device([device.record])
            }
        case HKPredicateKeyPathCorrelation:
            guard value == .null else { throw wrongValue(path, wanted: "nil") }
            filter = .noCorrelation
        case HKPredicateKeyPathWorkout:
            guard case .object(let workout) = value else { throw wrongValue(path, wanted: "a workout") }
            filter = .memberOf(workout.uuid)
        default: return nil
        }
        switch operation {
        case .equal: return filter
        case .notEqual: return .not(filter)
        default: throw PredicateTranslationError(reason: "Unsupported predicate operator for key path \(path)")
        }
    }

    private func workoutFilter(
        _ path: String, _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter? {
        let total: WorkoutTotal
        switch path {
        case HKPredicateKeyPathWorkoutType:
            guard let number = value.asNumber, number >= 0 else { throw wrongValue(path, wanted: "an activity type") }
            return .workoutActivityType(operation, UInt(number))
        case HKPredicateKeyPathWorkoutDuration:
            guard let number = value.asNumber else { throw wrongValue(path, wanted: "seconds") }
            return .duration(operation, number)
        case HKPredicateKeyPathWorkoutTotalDistance: total = .distance
        case HKPredicateKeyPathWorkoutTotalEnergyBurned: total = .energyBurned
        case HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount: total = .swimmingStrokeCount
        case HKPredicateKeyPathWorkoutTotalFlightsClimbed: total = .flightsClimbed
        default: return nil
        }
        guard type is HKWorkoutType else { throw unexpectedType(path) }
        guard case .quantity(let quantity) = value else { throw wrongValue(path, wanted: "a quantity") }
        return .workoutTotal(total, operation, quantity.record)
    }
}
