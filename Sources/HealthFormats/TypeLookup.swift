package import HealthModel

extension StoreDictionaries {
    /// The type with an identifier or a short name, such as `HKQuantityTypeIdentifierStepCount` or `stepCount`; of the
    /// catalog or of this store, or with a name that people call it by, such as “Blood Oxygen”.
    package func type(named name: String) -> TypeDescription? {
        if let exact = type(identifier: name) { return exact }
        let lowered = name.lowercased()
        let called = TypeWords.type(called: name)
        if let called, called.shortName.lowercased() == lowered { return called }
        return types.first { $0.shortName.lowercased() == lowered } ?? called
    }
}

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
