import Foundation

/// One side of a comparison: a key path of the object, or a value.
enum PredicateOperand: Hashable, Sendable {
    /// The path's parts; a metadata key is one part, whatever characters it has.
    case keyPath([String])
    /// The object itself (`SELF`).
    case object
    case value(PredicateValue)
}
