public import Foundation
public import enum PredicateTypes.NSComparisonPredicate

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
