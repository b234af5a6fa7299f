public import Foundation

/// The types nested in Foundation's `NSComparisonPredicate`, which HealthKit's declarations are written with.
///
/// On Linux, Foundation deprecates the class because it can't be created there, so that each mention of it is a
/// compiler warning. Its nested types work. This enumeration has the same types under the same name; a file that
/// imports it by name (`public import enum PredicateTypes.NSComparisonPredicate`) can spell its declarations as the
/// original does. It is in a separate module, so that applications, which don't import that module, still have only
/// one type of this name: the class, whose nested types are the identical ones.
public enum NSComparisonPredicate: ComparisonPredicateTypes {
    /// Returns `nil`. Only the types of its result are used: they are inferred from a declaration that is itself
    /// deprecated, in which the compiler doesn't warn.
    @available(*, deprecated, message: "Only its type is used.")
    public static func types() -> (
        Foundation.NSComparisonPredicate.Operator, Foundation.NSComparisonPredicate.Modifier,
        Foundation.NSComparisonPredicate.Options
    )? { nil }
}

/// The types that a comparison predicate is made with. Only ``NSComparisonPredicate`` conforms.
public protocol ComparisonPredicateTypes {
    /// How the two sides are compared.
    associatedtype Operator
    /// Whether one, any or all objects of a collection must satisfy the comparison.
    associatedtype Modifier
    /// How text is compared.
    associatedtype Options
    /// Returns `nil`. Only the types of its result are used.
    static func types() -> (Operator, Modifier, Options)?
}
