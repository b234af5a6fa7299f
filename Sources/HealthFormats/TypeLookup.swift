package import HealthModel

extension TypeKind {
    /// The name in JSON, such as `quantity`.
    package var name: String { "\(self)" }
}

extension AggregationStyle {
    /// The name in JSON, such as `discreteArithmetic`.
    package var name: String { "\(self)" }
}

extension ValueNames {
    /// The raw values of a category type that have names, in ascending order, with the names.
    package static func all(of type: TypeDescription) -> [(value: Int, name: String)] {
        guard let range = type.categoryValues else { return [] }
        return range.compactMap { value in name(of: value, of: type).map { (value, $0) } }
    }
}
