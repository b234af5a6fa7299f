import Foundation
import HealthModel

/// Converts a predicate to a filter, which a store evaluates, and a remainder, which is evaluated on objects.
enum PredicateTranslation {
    /// Translates a predicate.
    ///
    /// - Throws: ``PredicateTranslationError`` for key paths that the type does not have and values of
    ///   the wrong kind; its text is the reason the original gives when the query is executed.
    static func translate(
        _ predicate: NSPredicate?, for type: HKObjectType
    ) throws(PredicateTranslationError) -> TranslatedPredicate {
        guard let predicate else { return TranslatedPredicate(filter: .all, residual: nil) }
        switch predicate {
        case let predicate as StructuredPredicate:
            return try KeyPathTranslation(type: type).translate(predicate.node)
        case let predicate as NSCompoundPredicate:
            return try translate(predicate, for: type)
        default:
            return opaque(predicate)
        }
    }

    private static func translate(
        _ compound: NSCompoundPredicate, for type: HKObjectType
    ) throws(PredicateTranslationError) -> TranslatedPredicate {
        var parts: [TranslatedPredicate] = []
        for predicate in compound.subpredicates {
            parts.append(try translate(predicate, for: type))
        }
        switch compound.compoundPredicateType {
        case .and: return .conjunction(parts)
        case .or: return .disjunction(parts, of: compound)
        case .not:
            return parts.first.map { .negation($0, of: compound) } ?? TranslatedPredicate(filter: .all, residual: nil)
        @unknown default: return opaque(compound)
        }
    }

    /// A predicate without structure: constants are recognized by their format, blocks are evaluated on objects.
    private static func opaque(_ predicate: NSPredicate) -> TranslatedPredicate {
        switch predicate.format {
        case "TRUEPREDICATE": return TranslatedPredicate(filter: .all, residual: nil)
        case "FALSEPREDICATE": return TranslatedPredicate(filter: .nothing, residual: nil)
        default: return TranslatedPredicate(filter: .all, residual: TranslatedPredicate.evaluation(of: predicate))
        }
    }
}

/// A predicate in two parts: what a store evaluates, and what is evaluated on its objects afterwards.
struct TranslatedPredicate: Sendable {
    /// Matches every object that the predicate matches.
    var filter: SampleFilter
    /// The remaining condition; `nil` where the filter is exact.
    var residual: (@Sendable (Any) -> Bool)?

    static func conjunction(_ parts: [TranslatedPredicate]) -> TranslatedPredicate {
        let residuals = parts.compactMap(\.residual)
        let filter = joined(parts.map(\.filter))
        guard !residuals.isEmpty else { return TranslatedPredicate(filter: filter, residual: nil) }
        return TranslatedPredicate(filter: filter) { (object: Any) -> Bool in
            residuals.allSatisfy { residual in residual(object) }
        }
    }

    static func disjunction(_ parts: [TranslatedPredicate], of whole: NSPredicate) -> TranslatedPredicate {
        let filter: SampleFilter =
            parts.isEmpty ? .nothing : parts.count == 1 ? parts[0].filter : .or(parts.map(\.filter))
        // One opaque branch makes the filter match everything, so the whole must be evaluated again.
        return TranslatedPredicate(
            filter: filter, residual: parts.contains { $0.residual != nil } ? evaluation(of: whole) : nil)
    }

    static func negation(_ part: TranslatedPredicate, of whole: NSPredicate) -> TranslatedPredicate {
        guard part.residual == nil else { return TranslatedPredicate(filter: .all, residual: evaluation(of: whole)) }
        return TranslatedPredicate(filter: .not(part.filter), residual: nil)
    }

    /// Evaluates a whole predicate on an object.
    static func evaluation(of predicate: NSPredicate) -> @Sendable (Any) -> Bool {
        let holder = PredicateHolder(predicate: predicate)
        return { holder.predicate.evaluate(with: $0) }
    }

    private static func joined(_ filters: [SampleFilter]) -> SampleFilter {
        let effective = filters.filter { $0 != .all }
        return effective.isEmpty ? .all : effective.count == 1 ? effective[0] : .and(effective)
    }
}

/// Carries a predicate to the thread that evaluates it.
// Unchecked: predicates are immutable; a block that is unsafe on other threads would be wrong with the
// original as well, which runs queries in the background.
private struct PredicateHolder: @unchecked Sendable {
    let predicate: NSPredicate
}

/// A predicate that is invalid for a data type.
struct PredicateTranslationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason. Contains no value.
    var reason: String

    var description: String { reason }
}

/// Converts the comparisons of hand-written predicates to filters, for one data type.
struct KeyPathTranslation {
    let type: HKObjectType

    /// The filter of a predicate, with the remainder to evaluate on objects.
    func translate(_ node: PredicateNode) throws(PredicateTranslationError) -> TranslatedPredicate {
        switch node {
        case .constant(let value):
            return TranslatedPredicate(filter: value ? .all : .nothing, residual: nil)
        case .and(let nodes):
            return .conjunction(try translate(nodes))
        case .or(let nodes):
            return .disjunction(try translate(nodes), of: StructuredPredicate(node))
        case .not(let inner):
            return .negation(try translate(inner), of: StructuredPredicate(node))
        case .filter(let filter, _):
            try check(filter)
            return TranslatedPredicate(filter: filter, residual: nil)
        case .comparison(let comparison):
            if let filter = try filter(for: oriented(comparison)) {
                return TranslatedPredicate(filter: filter, residual: nil)
            }
            return TranslatedPredicate(
                filter: .all, residual: TranslatedPredicate.evaluation(of: StructuredPredicate(node)))
        }
    }

    private func translate(_ nodes: [PredicateNode]) throws(PredicateTranslationError) -> [TranslatedPredicate] {
        var parts: [TranslatedPredicate] = []
        for node in nodes { parts.append(try translate(node)) }
        return parts
    }

    /// The comparison with its key path on the left.
    private func oriented(_ comparison: PredicateComparison) -> PredicateComparison {
        guard case .value = comparison.left, let mirrored = comparison.operation.mirrored else { return comparison }
        var result = comparison
        (result.left, result.operation, result.right) = (comparison.right, mirrored, comparison.left)
        return result
    }

    // The original checks predicates against the data type when the query is executed.
    private func check(_ filter: SampleFilter) throws(PredicateTranslationError) {
        switch filter {
        case .start where type is HKActivitySummaryType: throw unexpectedType("startDate")
        case .end where type is HKActivitySummaryType: throw unexpectedType("endDate")
        case .summaryDay where !(type is HKActivitySummaryType):
            throw unexpectedType(HKPredicateKeyPathDateComponents)
        case .workoutActivityType where !(type is HKWorkoutType): throw unexpectedType(HKPredicateKeyPathWorkoutType)
        case .duration where !(type is HKWorkoutType): throw unexpectedType(HKPredicateKeyPathWorkoutDuration)
        case .workoutTotal(let total, _, _) where !(type is HKWorkoutType): throw unexpectedType(total.keyPath)
        case .workoutStatistic(_, let statistic, _, _) where !(type is HKWorkoutType):
            throw unexpectedType(statistic.keyPath)
        case .anyActivity where !(type is HKWorkoutType): throw unexpectedType(HKPredicateKeyPathWorkoutActivity)
        // The start of a sample comes after its end in the predicate of a date interval; the original names the start.
        case .and(let filters), .or(let filters): for inner in filters.reversed() { try check(inner) }
        case .not(let inner): try check(inner)
        default: break
        }
    }

    func unexpectedType(_ keyPath: String) -> PredicateTranslationError {
        PredicateTranslationError(
            reason: "Unexpected dataType of class \(Swift.type(of: type)) for \(keyPath) predicate")
    }

    func wrongValue(_ keyPath: String, wanted: String) -> PredicateTranslationError {
        PredicateTranslationError(reason: "The value compared with key path \(keyPath) must be \(wanted)")
    }

    /// The filter of one comparison, or `nil` where it must be evaluated on objects.
    private func filter(for comparison: PredicateComparison) throws(PredicateTranslationError) -> SampleFilter? {
        guard case .keyPath(let parts) = comparison.left, let path = parts.first else {
            return nil
        }
        guard case .value(let value) = comparison.right else { return nil }
        if comparison.isCaseInsensitive || comparison.isDiacriticInsensitive { return nil }
        if path == HKPredicateKeyPathMetadata { return try metadata(parts, comparison.operation, value) }
        switch comparison.operation {
        case .isIn:
            var filters: [SampleFilter] = []
            for element in value.elements {
                guard let filter = try self.filter(path, parts, .equal, element) else { return nil }
                filters.append(filter)
            }
            return filters.isEmpty ? .nothing : filters.count == 1 ? filters[0] : .or(filters)
        case .between:
            guard let low = try filter(path, parts, .greaterThanOrEqual, value.elements[0]),
                let high = try filter(path, parts, .lessThanOrEqual, value.elements[1])
            else { return nil }
            return .and([low, high])
        case .contains, .beginsWith, .endsWith, .like, .matches:
            return nil
        case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            guard let operation = comparison.operation.comparison else { return nil }
            return try filter(path, parts, operation, value)
        }
    }

    private func metadata(
        _ parts: [String], _ operation: PredicateComparison.Operator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter? {
        guard parts.count > 1 else { return nil }
        let key = parts[1]
        switch operation {
        case .isIn:
            let values = value.elements.map(\.metadataValue)
            guard !values.contains(nil) else { throw wrongValue("metadata", wanted: "text, numbers or dates") }
            return .metadataIn(key, values.compactMap { $0 })
        case .between:
            guard let low = value.elements[0].metadataValue, let high = value.elements[1].metadataValue else {
                throw wrongValue("metadata", wanted: "text, a number or a date")
            }
            return .and([.metadata(key, .greaterThanOrEqual, low), .metadata(key, .lessThanOrEqual, high)])
        default:
            guard let comparison = operation.comparison else { return nil }
            if value == .null {
                return comparison == .equal ? .not(.metadataPresent(key)) : .metadataPresent(key)
            }
            guard let wanted = value.metadataValue else {
                throw wrongValue("metadata", wanted: "text, a number or a date")
            }
            return .metadata(key, comparison, wanted)
        }
    }
}

extension KeyPathTranslation {
    /// The filter of one key path and one value. An unknown key path throws.
    func filter(
        _ path: String, _ parts: [String], _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter? {
        if let filter = try dateFilter(path, operation, value) { return filter }
        if let filter = try valueFilter(path, operation, value) { return filter }
        if let filter = try originFilter(path, parts, operation, value) { return filter }
        if let filter = try workoutFilter(path, operation, value) { return filter }
        if let filter = try workoutPartFilter(path, parts, operation, value) { return filter }
        if let filter = try electrocardiogramFilter(path, operation, value) { return filter }
        if let filter = try healthRecordFilter(path, parts, operation, value) { return filter }
        if path == HKPredicateKeyPathDateComponents {
            guard type is HKActivitySummaryType else { throw unexpectedType(path) }
            guard case .day(let day) = value else { throw wrongValue(path, wanted: "date components") }
            return .summaryDay(operation, day)
        }
        if Self.evaluatedOnObjects.contains(path) { return nil }
        throw PredicateTranslationError(
            reason: "Unsupported key path \(path) for a predicate of \(Swift.type(of: type))")
    }

    /// Key paths of quantity samples that are evaluated on objects.
    private static let evaluatedOnObjects: Set<String> = [
        HKPredicateKeyPathCount, HKPredicateKeyPathSum, HKPredicateKeyPathMin, HKPredicateKeyPathMax,
        HKPredicateKeyPathAverage, HKPredicateKeyPathMostRecent, HKPredicateKeyPathMostRecentStartDate,
        HKPredicateKeyPathMostRecentEndDate, HKPredicateKeyPathMostRecentDuration,
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
            guard quantityType.is(compatibleWith: HKQuantity(record: quantity).unit) else {
                throw wrongValue(path, wanted: "a quantity in a unit of the type")
            }
            return .quantity(operation, quantity)
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
            switch value {
            case .source(let identifier): filter = .source([identifier])
            case .ownSource: filter = .ownSource
            default: throw wrongValue(path, wanted: "a source")
            }
        case HKPredicateKeyPathSourceRevision:
            guard case .sourceRevision(let revision) = value else {
                throw wrongValue(path, wanted: "a source revision")
            }
            filter = .revision([revision])
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
                filter = .device([device])
            }
        case HKPredicateKeyPathCorrelation:
            guard value == .null else { throw wrongValue(path, wanted: "nil") }
            filter = .noCorrelation
        case HKPredicateKeyPathWorkout:
            guard case .object(let workout) = value else { throw wrongValue(path, wanted: "a workout") }
            filter = .memberOf(workout)
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
            guard type is HKWorkoutType else { throw unexpectedType(path) }
            return .workoutActivityType(operation, try activityType(value, path))
        case HKPredicateKeyPathWorkoutDuration:
            guard type is HKWorkoutType else { throw unexpectedType(path) }
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
        return .workoutTotal(total, operation, quantity)
    }
}

extension KeyPathTranslation {
    /// The filter of a key path that only electrocardiograms have; `nil` for another path.
    func electrocardiogramFilter(
        _ path: String, _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter? {
        switch path {
        case HKPredicateKeyPathECGClassification, HKPredicateKeyPathECGSymptomsStatus:
            guard type is HKElectrocardiogramType else { throw unexpectedType(path) }
            guard let number = value.asNumber else { throw wrongValue(path, wanted: "a whole number") }
            let field =
                path == HKPredicateKeyPathECGClassification
                ? HKElectrocardiogram.Field.classification : HKElectrocardiogram.Field.symptomsStatus
            return .field(field, operation, .double(number))
        case HKPredicateKeyPathAverageHeartRate:
            guard type is HKElectrocardiogramType else { throw unexpectedType(path) }
            guard case .quantity(let quantity) = value,
                HKQuantity(record: quantity).is(compatibleWith: HKUnit.count().unitDivided(by: .minute()))
            else { throw wrongValue(path, wanted: "a heart rate") }
            return .field(HKElectrocardiogram.Field.averageHeartRate, operation, .quantity(quantity))
        default:
            return nil
        }
    }
}
