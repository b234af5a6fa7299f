/// A predicate that does not fit the data type it was given for.
struct PredicateTranslationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, without values.
    var reason: String

    var description: String { reason }
}
