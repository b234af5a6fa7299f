public import Foundation
import HealthModel

extension HKQuery {
    /// Samples that touch the interval from `startDate` to `endDate`; a `nil` date leaves its side open.
    ///
    /// Without options a sample matches when it ends at or after the start and begins before the end.
    /// `strictStartDate` wants the sample's start inside, `strictEndDate` its end. The interval's end
    /// itself is outside in every case.
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
        return predicate(
            filters.isEmpty ? .all : .and(filters),
            printed: printed.isEmpty ? "TRUEPREDICATE" : printed.joined(separator: " AND "))
    }

    /// Quantity samples whose value compares as said; units are converted first.
    public class func predicateForQuantitySamples(
        with operatorType: NSComparisonPredicate.Operator, quantity: HKQuantity
    ) -> NSPredicate {
        StructuredPredicate(
            .comparison(
                PredicateComparison(
                    left: .keyPath([HKPredicateKeyPathQuantity]),
                    operation: PredicateComparison.Operator(operatorType), right: .value(.quantity(quantity)))))
    }

    /// Category samples whose value compares as said.
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
