public import Foundation

/// An enumeration of category values that can ask for samples by value.
public protocol HKCategoryValuePredicateProviding: Hashable, RawRepresentable {
    /// Samples whose value compares to `value` as said.
    static func predicateForSamples(_ operatorType: NSComparisonPredicate.Operator, value: Self) -> NSPredicate

    /// Samples whose value is one of `values`.
    static func predicateForSamples(equalTo values: Set<Self>) -> NSPredicate
}

extension HKCategoryValuePredicateProviding where RawValue == Int {
    /// Samples whose value compares to `value` as said.
    public static func predicateForSamples(
        _ operatorType: NSComparisonPredicate.Operator, value: Self
    ) -> NSPredicate {
        HKQuery.predicateForCategorySamples(with: operatorType, value: value.rawValue)
    }

    /// Samples whose value is one of `values`; none when the set is empty.
    public static func predicateForSamples(equalTo values: Set<Self>) -> NSPredicate {
        HKQuery.predicateForCategorySamples(equalTo: Set(values.map(\.rawValue)))
    }
}
