public import Foundation

/// One sample type with a predicate, for queries that are awaited. The generic parameter is the class
/// its samples have.
public struct HKSamplePredicate<Sample: HKSample>: Hashable, Sendable {
    /// The type asked for.
    public let sampleType: HKSampleType
    /// Which of its samples; `nil` for all.
    // Unsafe: predicates are immutable once made; a block that is not safe on other threads would be
    // wrong with the original as well, which runs queries in the background.
    nonisolated(unsafe) public let nsPredicate: NSPredicate?

    init(type: HKSampleType, predicate: NSPredicate?) {
        sampleType = type
        nsPredicate = predicate
    }

    /// Samples of any type.
    public static func sample(
        type sampleType: HKSampleType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKSample> {
        HKSamplePredicate<HKSample>(type: sampleType, predicate: predicate)
    }

    /// Quantity samples.
    public static func quantitySample(
        type quantityType: HKQuantityType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKQuantitySample> {
        HKSamplePredicate<HKQuantitySample>(type: quantityType, predicate: predicate)
    }

    /// Category samples.
    public static func categorySample(
        type categoryType: HKCategoryType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCategorySample> {
        HKSamplePredicate<HKCategorySample>(type: categoryType, predicate: predicate)
    }

    /// Correlations.
    public static func correlation(
        type correlationType: HKCorrelationType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCorrelation> {
        HKSamplePredicate<HKCorrelation>(type: correlationType, predicate: predicate)
    }

    /// Workouts.
    public static func workout(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKWorkout> {
        HKSamplePredicate<HKWorkout>(type: .workoutType(), predicate: predicate)
    }

    /// Routes of workouts.
    public static func workoutRoute(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKWorkoutRoute> {
        HKSamplePredicate<HKWorkoutRoute>(type: HKSeriesType.workoutRoute(), predicate: predicate)
    }

    public static func == (a: HKSamplePredicate<Sample>, b: HKSamplePredicate<Sample>) -> Bool {
        a.sampleType == b.sampleType && a.nsPredicate == b.nsPredicate
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(sampleType)
        hasher.combine(nsPredicate)
    }

    public var hashValue: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }

    /// The predicate as queries with handlers take it.
    var descriptor: HKQueryDescriptor {
        HKQueryDescriptor(sampleType: sampleType, predicate: nsPredicate)
    }
}
