/// Type identifiers as people write them: `stepCount` for `HKQuantityTypeIdentifierStepCount`.
enum TypeNames {
    private static let prefixes = [
        "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKCorrelationTypeIdentifier",
        "HKCharacteristicTypeIdentifier", "HKClinicalTypeIdentifier", "HKDocumentTypeIdentifier",
        "HKScoredAssessmentTypeIdentifier", "HKDataTypeIdentifier", "HK",
    ]

    static func short(_ identifier: String) -> String {
        guard let prefix = prefixes.first(where: identifier.hasPrefix) else { return identifier }
        var name = identifier.dropFirst(prefix.count)
        if name.hasSuffix("TypeIdentifier") {
            name = name.dropLast("TypeIdentifier".count)
        }
        guard let first = name.first else { return identifier }
        return first.lowercased() + name.dropFirst()
    }
}
