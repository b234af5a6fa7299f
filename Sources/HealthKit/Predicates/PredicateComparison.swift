/// One comparison of a hand-written predicate.
struct PredicateComparison: Hashable, Sendable {
    /// How the two sides are compared.
    enum Operator: String, Hashable, Sendable {
        case lessThan = "<"
        case lessThanOrEqual = "<="
        case equal = "=="
        case notEqual = "!="
        case greaterThanOrEqual = ">="
        case greaterThan = ">"
        case isIn = "IN"
        case between = "BETWEEN"
        case contains = "CONTAINS"
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case like = "LIKE"
        case matches = "MATCHES"

        /// The operator with its two sides exchanged, where it has one.
        var mirrored: Operator? {
            switch self {
            case .lessThan: .greaterThan
            case .lessThanOrEqual: .greaterThanOrEqual
            case .equal, .notEqual: self
            case .greaterThanOrEqual: .lessThanOrEqual
            case .greaterThan: .lessThan
            case .isIn: .contains
            case .contains: .isIn
            case .between, .beginsWith, .endsWith, .like, .matches: nil
            }
        }
    }

    var left: PredicateOperand
    var operation: Operator
    var right: PredicateOperand
    /// `[c]`: upper and lower case are the same.
    var isCaseInsensitive = false
    /// `[d]`: accents do not count.
    var isDiacriticInsensitive = false
}
