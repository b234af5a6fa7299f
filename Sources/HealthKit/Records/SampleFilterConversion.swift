import Foundation
import HealthModel

// Filters in HealthKit's terms → the engine's filters. Nothing comes back, so there is no counterpart.

extension SampleFilter {
    /// The filter that the engine evaluates on columns and records.
    init(_ filter: ObjectFilter) {
        self =
            switch filter {
            case .all: .all
            case .nothing: .nothing
            case .and(let filters): .and(filters.map { SampleFilter($0) })
            case .or(let filters): .or(filters.map { SampleFilter($0) })
            case .not(let inner): .not(SampleFilter(inner))
            case .start(let comparison, let instant): .start(ComparisonOperator(comparison), instant)
            case .end(let comparison, let instant): .end(ComparisonOperator(comparison), instant)
            case .duration(let comparison, let seconds): .duration(ComparisonOperator(comparison), seconds)
            case .quantity(let comparison, let quantity): .quantity(ComparisonOperator(comparison), quantity.record)
            case .category(let comparison, let value): .category(ComparisonOperator(comparison), value)
            case .uuid(let identities): .uuid(identities)
            case .source(let sources): .source(Set(sources.map(\.record)))
            case .revision(let revisions): .revision(revisions.map(\.pattern))
            case .device(let devices): .device(Set(devices.map(\.record)))
            case .deviceProperty(let property, let values): .deviceProperty(DeviceProperty(property), values)
            case .metadataPresent(let key): .metadataPresent(key)
            // A value that metadata cannot contain equals none.
            case .metadata(let key, let comparison, let value):
                value.metadataValue.map { .metadata(key, ComparisonOperator(comparison), $0) }
                    ?? (comparison == .notEqual ? .all : .nothing)
            case .metadataIn(let key, let values): .metadataIn(key, values.compactMap(\.metadataValue))
            case .noCorrelation: .noCorrelation
            case .memberOf(let owner): .memberOf(owner)
            case .effortRelated(let workout, let activity): .effortRelated(workout: workout, activity: activity)
            case .workoutActivityType(let comparison, let type):
                .workoutActivityType(ComparisonOperator(comparison), type)
            case .workoutTotal(let total, let comparison, let quantity):
                .workoutTotal(WorkoutTotal(total), ComparisonOperator(comparison), quantity.record)
            case .workoutStatistic(let type, let statistic, let comparison, let quantity):
                .workoutStatistic(
                    type: type.code, WorkoutStatistic(statistic), ComparisonOperator(comparison), quantity.record)
            case .anyActivity(let inner): .anyActivity(SampleFilter(inner))
            case .summaryDay(let comparison, let day): .summaryDay(ComparisonOperator(comparison), day)
            case .field(let name, let comparison, let value):
                value.fieldValue.map { .field(name, ComparisonOperator(comparison), $0) }
                    ?? (comparison == .notEqual ? .all : .nothing)
            case .fieldContains(let name, let value):
                value.fieldValue.map { .fieldContains(name, $0) } ?? .nothing
            }
    }
}

extension ComparisonOperator {
    init(_ comparison: ObjectFilter.Comparison) {
        self =
            switch comparison {
            case .lessThan: .lessThan
            case .lessThanOrEqual: .lessThanOrEqual
            case .equal: .equal
            case .notEqual: .notEqual
            case .greaterThanOrEqual: .greaterThanOrEqual
            case .greaterThan: .greaterThan
            }
    }
}

extension DeviceProperty {
    fileprivate init(_ property: HKDevice.Property) {
        self =
            switch property {
            case .name: .name
            case .manufacturer: .manufacturer
            case .model: .model
            case .hardwareVersion: .hardwareVersion
            case .firmwareVersion: .firmwareVersion
            case .softwareVersion: .softwareVersion
            case .localIdentifier: .localIdentifier
            case .udiDeviceIdentifier: .udiDeviceIdentifier
            }
    }
}

extension WorkoutTotal {
    fileprivate init(_ total: ObjectFilter.Total) {
        self =
            switch total {
            case .distance: .distance
            case .energyBurned: .energyBurned
            case .swimmingStrokeCount: .swimmingStrokeCount
            case .flightsClimbed: .flightsClimbed
            }
    }
}

extension WorkoutStatistic {
    fileprivate init(_ statistic: ObjectFilter.Statistic) {
        self =
            switch statistic {
            case .sum: .sum
            case .minimum: .minimum
            case .maximum: .maximum
            case .average: .average
            }
    }
}

extension PredicateValue {
    /// The value as metadata contains it; `nil` for kinds that metadata cannot contain.
    fileprivate var metadataValue: MetadataValue? {
        switch self {
        case .string(let text): .string(text)
        case .bool(let flag): .bool(flag)
        case .number(let number): .double(number)
        case .date(let date): .date(date.timeIntervalSinceReferenceDate)
        case .quantity(let quantity): .quantity(quantity.record.value, unit: quantity.record.unit)
        case .null, .uuid, .source, .sourceRevision, .device, .object, .day, .list: nil
        }
    }

    /// The value as a document contains it; `nil` for kinds that fields cannot contain.
    fileprivate var fieldValue: FieldValue? {
        switch self {
        case .bool(let flag): .bool(flag)
        // Raw values of enumerations are stored as integers.
        case .number(let number): Int64(exactly: number).map { .integer($0) } ?? .double(number)
        case .string(let text): .string(text)
        case .date(let date): .date(date.timeIntervalSinceReferenceDate)
        case .uuid(let uuid): .uuid(uuid)
        case .quantity(let quantity): .quantity(quantity.record)
        case .null, .source, .sourceRevision, .device, .object, .day, .list: nil
        }
    }

    /// A document's value as a predicate compares it; `nil` for kinds without an order.
    init?(_ value: FieldValue) {
        switch value {
        case .bool(let truth): self = .bool(truth)
        case .integer(let number): self = .number(Double(number))
        case .double(let number): self = .number(number)
        case .string(let text): self = .string(text)
        case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .uuid(let uuid): self = .uuid(uuid)
        case .quantity(let record): self = .quantity(HKQuantity(record: record))
        case .list(let elements): self = .list(elements.compactMap { PredicateValue($0) })
        case .data, .record: return nil
        }
    }
}

extension PredicateEvaluation {
    /// Whether an object keeps its values in the fields of a document.
    static func hasFields(_ object: Any?) -> Bool { document(of: object) != nil }

    /// The value of a stored field; `nil` for an object without it.
    static func field(_ name: String, of object: Any?) -> PredicateValue? {
        document(of: object)?[name].flatMap { PredicateValue($0) }
    }
}
