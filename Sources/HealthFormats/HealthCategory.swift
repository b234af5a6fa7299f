package import HealthModel

extension TypeDescription {
    /// The category in which the Health app shows the type, such as `heart` or `symptoms`; `nil` for a type that is unknown
    /// to this version.
    package var healthCategory: String? { healthCategories[identifier] }
}

private let healthCategories: [String: String] = TypeCatalog.values(TypeTables.categories).reduce(into: [:]) {
    $0[$1.identifier] = String($1.value)
}
