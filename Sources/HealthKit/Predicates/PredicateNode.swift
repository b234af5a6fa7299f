import HealthModel

/// The structure of a predicate that this module made: what can be pushed down to the store.
indirect enum PredicateNode: Hashable, Sendable {
    case constant(Bool)
    case and([PredicateNode])
    case or([PredicateNode])
    case not(PredicateNode)
    /// Made by a factory of `HKQuery`: the filter is known, whatever the type.
    case filter(SampleFilter, printed: String)
    /// Written by hand: a key path compared with a value.
    case comparison(PredicateComparison)
}
