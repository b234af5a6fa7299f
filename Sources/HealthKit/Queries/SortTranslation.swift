import Foundation
import HealthModel

/// Converts sort descriptors to the engine's sort keys.
enum SortTranslation {
    /// The keys of a query's descriptors, most significant first.
    ///
    /// - Throws: ``PredicateTranslationError`` for keys that no query can sort by.
    static func translate(_ descriptors: [NSSortDescriptor]?) throws(PredicateTranslationError) -> [SampleSort] {
        var sorts: [SampleSort] = []
        for descriptor in descriptors ?? [] {
            guard let name = descriptor.key, !ComparatorProbe.isCustom(descriptor) else {
                throw PredicateTranslationError(reason: "NSSortDescriptor using Blocks cannot be encoded")
            }
            sorts.append(SampleSort(try key(named: name), ascending: descriptor.ascending))
        }
        return sorts
    }

    /// The keys of an async descriptor's sort descriptors.
    static func translate<Sample: HKSample>(
        _ descriptors: [SortDescriptor<Sample>]
    ) throws(PredicateTranslationError) -> [SampleSort] {
        var sorts: [SampleSort] = []
        for descriptor in descriptors {
            guard let path = descriptor.keyPath, let name = PredicateKeyPaths.sortIdentifier(of: path) else {
                throw PredicateTranslationError(reason: "Unsupported sort key path")
            }
            sorts.append(SampleSort(try key(named: name), ascending: descriptor.order == .forward))
        }
        return sorts
    }

    private static func key(named name: String) throws(PredicateTranslationError) -> SampleSort.Key {
        switch name {
        case HKSampleSortIdentifierStartDate: .start
        case HKSampleSortIdentifierEndDate: .end
        case HKWorkoutSortIdentifierDuration: .duration
        case HKWorkoutSortIdentifierTotalDistance: .workoutTotal(.distance)
        case HKWorkoutSortIdentifierTotalEnergyBurned: .workoutTotal(.energyBurned)
        case HKWorkoutSortIdentifierTotalSwimmingStrokeCount: .workoutTotal(.swimmingStrokeCount)
        case HKWorkoutSortIdentifierTotalFlightsClimbed: .workoutTotal(.flightsClimbed)
        default: throw PredicateTranslationError(reason: "Unsupported sort descriptor key \(name)")
        }
    }
}

/// Finds out whether a sort descriptor orders by its own comparator.
///
/// Foundation does not tell, so the descriptor's comparator is tried on values of the property: a property that has
/// no order of its own always has a comparator, and any other is custom if it orders differently.
private enum ComparatorProbe {
    static func isCustom(_ descriptor: NSSortDescriptor) -> Bool {
        if let descriptor = descriptor as? KeySortDescriptor { return descriptor.ownComparator != nil }
        switch descriptor.key {
        case HKSampleSortIdentifierStartDate, HKSampleSortIdentifierEndDate:
            return differs(seconds.map { Date(timeIntervalSinceReferenceDate: $0) }, descriptor)
        case HKWorkoutSortIdentifierDuration:
            return differs(seconds, descriptor)
        default:
            return true
        }
    }

    /// In ascending order, from less than a second to years apart.
    private static let seconds: [TimeInterval] = [
        -1e9, -86_400, -1, 0, 0.001, 1, 60, 3_600, 86_400, 7e8, 7e8 + 0.5, 1e9,
    ]

    private static func differs<Value: Comparable>(_ ascending: [Value], _ descriptor: NSSortDescriptor) -> Bool {
        for (index, left) in ascending.enumerated() {
            for (other, right) in ascending.enumerated() {
                let natural: ComparisonResult =
                    index < other ? .orderedAscending : index > other ? .orderedDescending : .orderedSame
                if descriptor.comparator(left, right) != natural { return true }
            }
        }
        return false
    }
}
