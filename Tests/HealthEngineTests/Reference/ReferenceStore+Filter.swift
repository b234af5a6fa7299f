import Foundation
import HealthModel

extension ReferenceStore {
    /// Whether one item passes a filter, read straight off the words of ``SampleFilter``.
    func matches(_ item: ReferenceItem, _ filter: SampleFilter) -> Bool {
        switch filter {
        case .all: return true
        case .nothing: return false
        case .and(let parts): return parts.allSatisfy { matches(item, $0) }
        case .or(let parts): return parts.contains { matches(item, $0) }
        case .not(let part): return !matches(item, part)
        case .start(let comparison, let bound): return compare(item.start, comparison, bound)
        case .end(let comparison, let bound): return compare(item.end, comparison, bound)
        case .duration(let comparison, let bound): return compare(item.duration, comparison, bound)
        case .quantity(let comparison, let bound):
            guard TypeCatalog.description(for: item.type)?.kind == .quantity,
                let value = ReferenceUnits.convert(item.value, from: item.unit, to: bound.unit)
            else { return false }
            return compare(value, comparison, bound.value)
        case .category(let comparison, let value):
            guard TypeCatalog.description(for: item.type)?.kind == .category else { return false }
            return compare(item.value, comparison, Double(value))
        case .uuid(let wanted): return item.uuid.map(wanted.contains) ?? false
        case .source(let sources): return sources.contains(item.revision.source.bundleIdentifier)
        case .revision(let patterns): return patterns.contains { $0.matches(item.revision) }
        case .device(let devices): return item.device.map(devices.contains) ?? false
        case .deviceProperty(let property, let values):
            guard let value = property.value(of: item.device) else { return values.isEmpty }
            return values.contains(value)
        case .metadataPresent(let key): return item.metadata[key] != nil
        case .metadata(let key, let comparison, let wanted):
            guard let value = item.metadata[key] else { return comparison == .notEqual }
            return compare(value, comparison, wanted)
        case .metadataIn(let key, let wanted):
            guard let value = item.metadata[key] else { return false }
            return wanted.contains { compare(value, .equal, $0) }
        case .noCorrelation:
            return !items.contains {
                item.owners.contains($0.order)
                    && TypeCatalog.description(for: $0.type)?.kind == .correlation
            }
        case .memberOf(let uuid):
            return items.contains { $0.uuid == uuid && item.owners.contains($0.order) }
        case .workoutActivityType(let comparison, let wanted):
            guard let workout = item.workout else { return false }
            return compare(Double(workout.activityType), comparison, Double(wanted))
        case .workoutTotal(let total, let comparison, let bound):
            guard let workout = item.workout, let stored = total.value(of: workout),
                let value = ReferenceUnits.convert(stored.value, from: stored.unit, to: bound.unit)
            else { return false }
            return compare(value, comparison, bound.value)
        case .ownSource, .effortRelated, .workoutStatistic, .anyActivity, .summaryDay, .field, .fieldContains:
            fatalError("the reference model has no such filter")
        }
    }

    private func compare(_ left: Double, _ comparison: ComparisonOperator, _ right: Double) -> Bool {
        switch comparison {
        case .lessThan: left < right
        case .lessThanOrEqual: left <= right
        case .equal: left == right
        case .notEqual: left != right
        case .greaterThanOrEqual: left >= right
        case .greaterThan: left > right
        }
    }

    private func compare(
        _ left: MetadataValue, _ comparison: ComparisonOperator, _ right: MetadataValue
    ) -> Bool {
        if let one = left.number, let other = right.number { return compare(one, comparison, other) }
        switch (left, right) {
        case (.date(let one), .date(let other)): return compare(one, comparison, other)
        case (.string(let one), .string(let other)):
            return compare(one == other ? 0 : one < other ? -1 : 1, comparison, 0)
        default: return comparison == .notEqual
        }
    }
}
