import HealthModel

/// A test of one metadata key. It is asked once for every distinct metadata of a page.
enum MetadataTest: Sendable {
    case present(String)
    case compared(String, ComparisonOperator, MetadataValue)
    case oneOf(String, [MetadataValue])

    func matches(_ metadata: Metadata) -> Bool {
        switch self {
        case .present(let key):
            metadata[key] != nil
        case .compared(let key, let comparison, let wanted):
            // A missing key, like a value of another kind, is only ever unequal.
            comparison.holds(metadata[key].flatMap { $0.order(against: wanted) })
        case .oneOf(let key, let wanted):
            metadata[key].map { value in wanted.contains { value.order(against: $0) == 0 } } ?? false
        }
    }
}
