public import Foundation
import HealthModel
public import enum PredicateTypes.NSComparisonPredicate

extension HKQuery {
    /// Objects that have the metadata key.
    public class func predicateForObjects(withMetadataKey key: String) -> NSPredicate {
        predicate(.metadataPresent(key), printed: "metadata.\(key) != nil")
    }

    /// Objects whose value for the metadata key is one of `allowedValues`. A value other than text, a number
    /// or a date ends the process.
    public class func predicateForObjects(withMetadataKey key: String, allowedValues: [Any]) -> NSPredicate {
        let values = allowedValues.compactMap { metadataOperand($0).metadataValue }
        return predicate(.metadataIn(key, values), printed: "metadata.\(key) IN values")
    }

    /// Objects whose value for the metadata key satisfies the comparison; `notEqualTo` also matches objects without the
    /// key. `in` takes a list of values, `between` the lowest and the highest one; `contains`, `beginsWith`,
    /// `endsWith`, `like` and `matches` compare text.
    public class func predicateForObjects(
        withMetadataKey key: String, operatorType: NSComparisonPredicate.Operator, value: Any
    ) -> NSPredicate {
        let operation = PredicateComparison.Operator(operatorType)
        let operand = metadataOperand(value, operation)
        if let comparison = operation.comparison, let wanted = operand.metadataValue {
            return predicate(.metadata(key, comparison, wanted), printed: "metadata.\(key) \(operation.rawValue) value")
        }
        return StructuredPredicate(
            .comparison(
                PredicateComparison(
                    left: .keyPath([HKPredicateKeyPathMetadata, key]), operation: operation, right: .value(operand))))
    }

    private static func metadataOperand(
        _ value: Any, _ operation: PredicateComparison.Operator = .equal
    ) -> PredicateValue {
        let operand = PredicateValue(value)
        let isList = operation == .isIn || operation == .between
        let values = isList ? operand?.elements : operand.map { [$0] }
        guard let operand, let values, !values.map(\.metadataValue).contains(nil),
            operation != .between || values.count == 2
        else { ProgrammerError.raise("Metadata predicates compare text, numbers and dates, not \(type(of: value))") }
        return operand
    }

    /// Objects written by the source.
    public class func predicateForObjects(from source: HKSource) -> NSPredicate {
        predicateForObjects(from: [source])
    }

    /// Objects written by one of the sources.
    public class func predicateForObjects(from sources: Set<HKSource>) -> NSPredicate {
        predicate(HKSource.filter(sources), printed: "source IN sources")
    }

    /// Objects written by one of the source revisions; the `HKSourceRevisionAny…` constants match any value.
    public class func predicateForObjects(from sourceRevisions: Set<HKSourceRevision>) -> NSPredicate {
        predicate(.revision(sourceRevisions.map(\.pattern)), printed: "sourceRevision IN revisions")
    }

    /// Objects measured with one of the devices. All properties must be equal, missing ones included.
    public class func predicateForObjects(from devices: Set<HKDevice>) -> NSPredicate {
        predicate(.device(Set(devices.map(\.record))), printed: "device IN devices")
    }

    /// Objects whose device has one of the values for a property; an empty set matches objects without it.
    public class func predicateForObjects(
        withDeviceProperty key: String, allowedValues: Set<String>
    ) -> NSPredicate {
        guard let property = DeviceProperty(rawValue: key) else {
            ProgrammerError.raise("Unknown device property key \(key)")
        }
        return predicate(.deviceProperty(property, allowedValues), printed: "device.\(key) IN values")
    }

    /// The object with this identity.
    public class func predicateForObject(with UUID: UUID) -> NSPredicate {
        predicateForObjects(with: [UUID])
    }

    /// Objects whose identity is one of these.
    public class func predicateForObjects(with UUIDs: Set<UUID>) -> NSPredicate {
        predicate(.uuid(UUIDs), printed: "UUID IN identities")
    }

    /// Samples that belong to no correlation.
    public class func predicateForObjectsWithNoCorrelation() -> NSPredicate {
        predicate(.noCorrelation, printed: "correlation == nil")
    }

    /// Samples that belong to the workout.
    public class func predicateForObjects(from workout: HKWorkout) -> NSPredicate {
        predicate(.memberOf(workout.uuid), printed: "workout == workout")
    }
}

extension HKQuery {
    /// Samples that overlap the interval from `startDate` to `endDate`; a `nil` date leaves its side open.
    ///
    /// Without options a sample matches when it ends at or after the start and begins before the end.
    /// `strictStartDate` requires the sample's start within the interval, `strictEndDate` its end. The
    /// interval never includes its end.
    public class func predicateForSamples(
        withStart startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
    ) -> NSPredicate {
        var filters: [SampleFilter] = []
        let start = startDate?.timeIntervalSinceReferenceDate
        let end = endDate?.timeIntervalSinceReferenceDate
        if let start {
            if options.isEmpty || options.contains(.strictEndDate) { filters.append(.end(.greaterThanOrEqual, start)) }
            if options.contains(.strictStartDate) { filters.append(.start(.greaterThanOrEqual, start)) }
        }
        if let end {
            if options.isEmpty || options.contains(.strictStartDate) { filters.append(.start(.lessThan, end)) }
            if options.contains(.strictEndDate) { filters.append(.end(.lessThan, end)) }
        }
        let printed = filters.map { filter in
            switch filter {
            case .start(.lessThan, _): "startDate < end"
            case .start: "startDate >= start"
            case .end(.lessThan, _): "endDate < end"
            default: "endDate >= start"
            }
        }
        // A start after the end matches nothing, not even a sample that overlaps both dates.
        let isReversed = start.flatMap { start in end.map { start > $0 } } ?? false
        return predicate(
            isReversed ? .nothing : filters.isEmpty ? .all : .and(filters),
            printed: printed.isEmpty ? "TRUEPREDICATE" : printed.joined(separator: " AND "))
    }

    /// Quantity samples whose quantity satisfies the comparison; units are converted first.
    public class func predicateForQuantitySamples(
        with operatorType: NSComparisonPredicate.Operator, quantity: HKQuantity
    ) -> NSPredicate {
        StructuredPredicate(
            .comparison(
                PredicateComparison(
                    left: .keyPath([HKPredicateKeyPathQuantity]),
                    operation: PredicateComparison.Operator(operatorType), right: .value(.quantity(quantity.record)))))
    }

    /// Category samples whose value satisfies the comparison.
    public class func predicateForCategorySamples(
        with operatorType: NSComparisonPredicate.Operator, value: Int
    ) -> NSPredicate {
        StructuredPredicate(
            .comparison(
                PredicateComparison(
                    left: .keyPath([HKPredicateKeyPathCategoryValue]),
                    operation: PredicateComparison.Operator(operatorType), right: .value(.number(Double(value))))))
    }

    /// Category samples whose value is one of the set.
    class func predicateForCategorySamples(equalTo values: Set<Int>) -> NSPredicate {
        predicate(.or(values.sorted().map { .category(.equal, $0) }), printed: "value IN set")
    }
}

extension HKQuery {
    /// The summary of one day.
    ///
    /// The components must contain a Gregorian calendar, a year, a month and a day, and nothing finer;
    /// others end the process.
    public class func predicateForActivitySummary(with dateComponents: DateComponents) -> NSPredicate {
        let day = checkedDay(dateComponents)
        return predicate(.summaryDay(.equal, day), printed: "dateComponents == day")
    }

    /// The summaries from one day to another, both included.
    public class func predicate(
        forActivitySummariesBetweenStart startDateComponents: DateComponents, end endDateComponents: DateComponents
    ) -> NSPredicate {
        let start = checkedDay(startDateComponents)
        let end = checkedDay(endDateComponents)
        return predicate(
            .and([.summaryDay(.greaterThanOrEqual, start), .summaryDay(.lessThanOrEqual, end)]),
            printed: "start <= dateComponents AND dateComponents <= end")
    }

    /// Checks the date components for an activity summary predicate.
    ///
    /// - Throws: ``ActivitySummaryDateError`` with the component that is missing or must not be set.
    public static func validateActivitySummaryComponents(_ components: DateComponents) throws {
        guard let calendar = components.calendar else { throw ActivitySummaryDateError(reason: "calendar must be set") }
        guard calendar.identifier == .gregorian else {
            throw ActivitySummaryDateError(reason: "calendar must be Gregorian")
        }
        let wanted: [(String, Int?)] = [
            ("year", components.year), ("month", components.month), ("day", components.day),
        ]
        for (name, value) in wanted where value == nil {
            throw ActivitySummaryDateError(reason: "\(name) must be set")
        }
        let refused: [(String, Int?)] = [
            ("hour", components.hour), ("minute", components.minute), ("second", components.second),
            ("nanosecond", components.nanosecond),
        ]
        for (name, value) in refused where value != nil {
            throw ActivitySummaryDateError(reason: "\(name) must not be set")
        }
    }

    private static func checkedDay(_ components: DateComponents) -> Int {
        do {
            try validateActivitySummaryComponents(components)
        } catch {
            ProgrammerError.raise("Invalid date components for an activity summary predicate: \(error)")
        }
        return components.dayNumber
    }
}

extension HKQuery {
    /// A predicate of a filter.
    static func predicate(_ filter: SampleFilter, printed: String) -> NSPredicate {
        StructuredPredicate(.filter(filter, printed: printed))
    }

    /// The sign of a factory's operator.
    static func sign(_ operatorType: NSComparisonPredicate.Operator) -> String {
        PredicateComparison.Operator(operatorType).rawValue
    }

    /// The comparison of a factory's operator; an operator that does not compare ends the process.
    static func comparison(_ operatorType: NSComparisonPredicate.Operator) -> ComparisonOperator {
        guard let comparison = PredicateComparison.Operator(operatorType).comparison else {
            ProgrammerError.raise("Unsupported predicate operator \(operatorType.rawValue)")
        }
        return comparison
    }
}

extension HKSource {
    /// The filter of objects from one of the sources.
    static func filter(_ sources: Set<HKSource>) -> SampleFilter {
        let others = SampleFilter.source(Set(sources.filter { !$0.isDefault }.map(\.bundleIdentifier)))
        return sources.contains(where: \.isDefault) ? .or([.ownSource, others]) : others
    }
}

/// Date components that do not specify a day.
public struct ActivitySummaryDateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The component that is missing or must not be set.
    public var reason: String

    /// Creates the error with its reason.
    public init(reason: String) {
        self.reason = reason
    }

    public var description: String { reason }
}

/// An enumeration of category values with predicates for samples by value.
public protocol HKCategoryValuePredicateProviding: Hashable, RawRepresentable {
    /// Samples whose value satisfies the comparison with `value`.
    static func predicateForSamples(_ operatorType: NSComparisonPredicate.Operator, value: Self) -> NSPredicate

    /// Samples whose value is one of `values`.
    static func predicateForSamples(equalTo values: Set<Self>) -> NSPredicate
}

extension HKCategoryValuePredicateProviding where RawValue == Int {
    /// Samples whose value satisfies the comparison with `value`.
    public static func predicateForSamples(
        _ operatorType: NSComparisonPredicate.Operator, value: Self
    ) -> NSPredicate {
        HKQuery.predicateForCategorySamples(with: operatorType, value: value.rawValue)
    }

    /// Samples whose value is one of `values`; none if the set is empty.
    public static func predicateForSamples(equalTo values: Set<Self>) -> NSPredicate {
        HKQuery.predicateForCategorySamples(equalTo: Set(values.map(\.rawValue)))
    }
}

extension HKCategoryValueSleepAnalysis {
    /// All values of sleep, whatever the stage.
    public static var allAsleepValues: Set<HKCategoryValueSleepAnalysis> {
        [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM]
    }
}
