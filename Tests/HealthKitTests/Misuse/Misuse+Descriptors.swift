import Foundation

@testable import HealthKit

extension Misuse {
    private static let pulse = HKSamplePredicate.quantitySample(type: FreshStore.heartRate)
    private static var unfitPulse: HKSamplePredicate<HKQuantitySample> {
        .quantitySample(type: FreshStore.heartRate, predicate: unfit)
    }

    /// Queries that are awaited.
    static let descriptors: [Misuse] = [
        Misuse("HKSampleQuery", 2, "HKSampleQuery data type must be non-nil") {
            let none: [HKSamplePredicate<HKQuantitySample>] = []
            _ = try await HKSampleQueryDescriptor(predicates: none, sortDescriptors: []).result(for: FreshStore.make())
        },
        Misuse("HKSampleQuery", 3, "Unsupported sort key path") {
            _ = try await HKSampleQueryDescriptor(
                predicates: [pulse], sortDescriptors: [SortDescriptor(\HKQuantitySample.count)]
            ).result(for: FreshStore.make())
        },
        Misuse("HKAnchoredObjectQuery", 4, aboutUnfit + "HKQuantityType") {
            _ = try await HKAnchoredObjectQueryDescriptor(predicates: [unfitPulse], anchor: nil)
                .result(for: FreshStore.make())
        },
        Misuse("HKAnchoredObjectQuery", 5, "HKAnchoredObjectQuery data type must be non-nil") {
            let none: [HKSamplePredicate<HKQuantitySample>] = []
            _ = HKAnchoredObjectQueryDescriptor(predicates: none, anchor: nil).results(for: FreshStore.make())
        },
        Misuse("HKSourceQuery", 1, aboutUnfit + "HKQuantityType") {
            _ = try await HKSourceQueryDescriptor(predicate: unfitPulse).result(for: FreshStore.make())
        },
        Misuse("HKStatisticsQuery", 2, aboutSum) {
            _ = try await HKStatisticsQueryDescriptor(predicate: pulse, options: .cumulativeSum)
                .result(for: FreshStore.make())
        },
        Misuse("HKStatisticsQuery", 3, aboutUnfit + "HKQuantityType") {
            _ = try await HKStatisticsQueryDescriptor(predicate: unfitPulse, options: .discreteMax)
                .result(for: FreshStore.make())
        },
        Misuse("HKStatisticsCollectionQuery", 4, aboutSum) { _ = days(pulse, .cumulativeSum) },
        Misuse("HKStatisticsCollectionQuery", 5, aboutUnfit + "HKQuantityType") {
            _ = days(unfitPulse, .discreteMax)
        },
        Misuse("HKQuantitySeriesSampleQuery", 3, aboutUnfit + "HKQuantityType") {
            _ = HKQuantitySeriesSampleQueryDescriptor(predicate: unfitPulse).results(for: FreshStore.make())
        },
        Misuse("HKActivitySummaryQuery", 2, aboutUnfit + "HKActivitySummaryType") {
            _ = try await HKActivitySummaryQueryDescriptor(predicate: unfit).result(for: FreshStore.make())
        },
        Misuse("HKVerifiableClinicalRecordQuery", 1, aboutUnfit) {
            _ = try await HKVerifiableClinicalRecordQueryDescriptor(
                recordTypes: [.immunization], sourceTypes: [.smartHealthCard], predicate: unfit
            ).result(for: FreshStore.make())
        },
        Misuse("HKSamplePredicate", 1, "NSPredicate using Blocks cannot be encoded") {
            let descriptor = HKQueryDescriptor(
                sampleType: FreshStore.heartRate, predicate: NSPredicate { _, _ in true })
            _ = try NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true)
        },
        Misuse("HKUserAnnotatedMedication", 1, aboutUnfit + "HKUserAnnotatedMedicationType") {
            _ = try await HKUserAnnotatedMedicationQueryDescriptor(predicate: unfit).result(for: FreshStore.make())
        },
    ]

    private static func days(
        _ predicate: HKSamplePredicate<HKQuantitySample>, _ options: HKStatisticsOptions
    ) -> HKStatisticsCollectionQueryDescriptor.Results {
        HKStatisticsCollectionQueryDescriptor(
            predicate: predicate, options: options, anchorDate: date, intervalComponents: DateComponents(day: 1)
        ).results(for: FreshStore.make())
    }
}
