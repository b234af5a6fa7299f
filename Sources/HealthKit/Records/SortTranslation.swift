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
            guard let path = descriptor.keyPath, let name = name(of: path) else {
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

    /// The sort identifier of a Swift key path.
    ///
    /// A key path contains the class it was written for, so there is an entry for each class.
    static func name(of keyPath: AnyKeyPath?) -> String? {
        guard let keyPath else { return nil }
        return names[keyPath]
    }

    // Key paths are not Sendable, but these are constants.
    private nonisolated(unsafe) static let names: [AnyKeyPath: String] = {
        var names: [AnyKeyPath: String] = [:]
        func add<Sample: HKSample>(_ type: Sample.Type) {
            names[\Sample.startDate] = HKSampleSortIdentifierStartDate
            names[\Sample.endDate] = HKSampleSortIdentifierEndDate
        }
        names[\HKWorkout.duration] = HKWorkoutSortIdentifierDuration
        names[\HKWorkout.totalDistance] = HKWorkoutSortIdentifierTotalDistance
        names[\HKWorkout.totalEnergyBurned] = HKWorkoutSortIdentifierTotalEnergyBurned
        names[\HKWorkout.totalSwimmingStrokeCount] = HKWorkoutSortIdentifierTotalSwimmingStrokeCount
        names[\HKWorkout.totalFlightsClimbed] = HKWorkoutSortIdentifierTotalFlightsClimbed
        add(HKSample.self)
        add(HKQuantitySample.self)
        add(HKCumulativeQuantitySample.self)
        add(HKDiscreteQuantitySample.self)
        add(HKCategorySample.self)
        add(HKCorrelation.self)
        add(HKWorkout.self)
        add(HKAudiogramSample.self)
        add(HKCDADocumentSample.self)
        add(HKClinicalRecord.self)
        add(HKContactsPrescription.self)
        add(HKDocumentSample.self)
        add(HKElectrocardiogram.self)
        add(HKGAD7Assessment.self)
        add(HKGlassesPrescription.self)
        add(HKHeartbeatSeriesSample.self)
        add(HKMedicationDoseEvent.self)
        add(HKPHQ9Assessment.self)
        add(HKScoredAssessment.self)
        add(HKSeriesSample.self)
        add(HKStateOfMind.self)
        add(HKVerifiableClinicalRecord.self)
        add(HKVisionPrescription.self)
        add(HKWorkoutRoute.self)
        return names
    }()
}

/// Finds out whether a sort descriptor orders by a comparator of its own.
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
