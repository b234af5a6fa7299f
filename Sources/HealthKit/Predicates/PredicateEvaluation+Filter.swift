import Foundation
import HealthModel

extension PredicateEvaluation {
    /// Whether an object in memory satisfies a filter.
    ///
    /// What only a store knows is answered for an object by itself: it belongs to no correlation and to
    /// no workout.
    static func holds(_ filter: SampleFilter, for object: Any?) -> Bool {
        switch filter {
        case .all: return true
        case .nothing: return false
        case .and(let filters): return filters.allSatisfy { holds($0, for: object) }
        case .or(let filters): return filters.contains { holds($0, for: object) }
        case .not(let inner): return !holds(inner, for: object)
        case .summaryDay(let operation, let day):
            guard let summary = object as? HKActivitySummary else { return false }
            let number = summaryDay(summary.dateComponents(for: Calendar(identifier: .gregorian)))
            return operation.holds(number - day)
        default:
            guard let object = object as? HKObject else { return holdsForDocument(filter, object) ?? false }
            return holdsForSource(filter, object) ?? holdsForMetadata(filter, object)
                ?? holdsForSample(filter, object) ?? holdsForWorkout(filter, object)
                ?? holdsForDocument(filter, object) ?? false
        }
    }

    private static func holdsForSource(_ filter: SampleFilter, _ object: HKObject) -> Bool? {
        switch filter {
        case .uuid(let wanted): wanted.contains(object.uuid)
        case .source(let sources):
            sources.contains { $0.bundleIdentifier == object.sourceRevision.source.bundleIdentifier }
        case .revision(let patterns): patterns.contains { $0.agrees(with: object.sourceRevision.record) }
        case .device(let devices): object.device.map { devices.contains($0.record) } ?? false
        case .deviceProperty(let property, let values):
            values.isEmpty
                ? property.value(of: object.device?.record) == nil
                : property.value(of: object.device?.record).map { values.contains($0) } ?? false
        case .noCorrelation: true
        case .memberOf: false
        default: nil
        }
    }

    private static func holdsForMetadata(_ filter: SampleFilter, _ object: HKObject) -> Bool? {
        switch filter {
        case .metadataPresent(let key): return object.metadata?[key] != nil
        case .metadata(let key, let operation, let wanted):
            guard let value = PredicateValue(object.metadata?[key]), value != .null else { return operation == .notEqual }
            return operation.holds(order(value, PredicateValue(wanted)))
        case .metadataIn(let key, let values):
            guard let value = PredicateValue(object.metadata?[key]), value != .null else { return false }
            return values.contains { order(value, PredicateValue($0)) == 0 }
        default: return nil
        }
    }

    private static func holdsForSample(_ filter: SampleFilter, _ object: HKObject) -> Bool? {
        guard let sample = object as? HKSample else { return nil }
        switch filter {
        case .start(let operation, let instant):
            return operation.holds(order(.date(sample.startDate), .date(Date(timeIntervalSinceReferenceDate: instant))))
        case .end(let operation, let instant):
            return operation.holds(order(.date(sample.endDate), .date(Date(timeIntervalSinceReferenceDate: instant))))
        case .duration(let operation, let seconds):
            let duration = (sample as? HKWorkout)?.duration ?? sample.endDate.timeIntervalSince(sample.startDate)
            return operation.holds(order(.number(duration), .number(seconds)))
        case .quantity(let operation, let wanted):
            guard let sample = sample as? HKQuantitySample else { return false }
            return operation.holds(order(.quantity(sample.quantity), .quantity(HKQuantity(record: wanted))))
        case .category(let operation, let value):
            guard let sample = sample as? HKCategorySample else { return false }
            return operation.holds(sample.value - value)
        default: return nil
        }
    }

    private static func holdsForWorkout(_ filter: SampleFilter, _ object: HKObject) -> Bool? {
        guard let workout = object as? HKWorkout else { return nil }
        switch filter {
        case .workoutActivityType(let operation, let type):
            return operation.holds(Int(clamping: workout.workoutActivityType.rawValue) - Int(clamping: type))
        case .workoutTotal(let total, let operation, let wanted):
            let quantity: HKQuantity? = switch total {
            case .distance: workout.totalDistance
            case .energyBurned: workout.totalEnergyBurned
            case .swimmingStrokeCount: workout.totalSwimmingStrokeCount
            case .flightsClimbed: workout.totalFlightsClimbed
            }
            guard let quantity else { return false }
            return operation.holds(order(.quantity(quantity), .quantity(HKQuantity(record: wanted))))
        case .workoutStatistic(let type, let statistic, let operation, let wanted):
            guard let code = TypeCatalog.description(for: type),
                let statistics = workout.statistics(for: HKQuantityType(HKQuantityTypeIdentifier(rawValue: code.identifier)))
            else { return false }
            let quantity: HKQuantity? = switch statistic {
            case .sum: statistics.sumQuantity()
            case .minimum: statistics.minimumQuantity()
            case .maximum: statistics.maximumQuantity()
            case .average: statistics.averageQuantity()
            }
            guard let quantity else { return false }
            return operation.holds(order(.quantity(quantity), .quantity(HKQuantity(record: wanted))))
        default: return nil
        }
    }
}

extension PredicateValue {
    /// A metadata value as a predicate holds it.
    init(_ value: MetadataValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .number(Double(number))
        case .double(let number): self = .number(number)
        case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .quantity(let value, let unit): self = .quantity(HKQuantity(record: QuantityRecord(value, unit: unit)))
        }
    }

    /// The value as metadata holds it, or `nil` for kinds that metadata cannot hold.
    var metadataValue: MetadataValue? {
        switch self {
        case .string(let text): .string(text)
        case .bool(let flag): .bool(flag)
        case .number(let number): .double(number)
        case .date(let date): .date(date.timeIntervalSinceReferenceDate)
        case .quantity(let quantity): .quantity(quantity.record.value, unit: quantity.record.unit)
        default: nil
        }
    }
}
