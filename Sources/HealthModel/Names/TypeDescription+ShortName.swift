extension TypeDescription {
    private static let prefixes = [
        "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKCorrelationTypeIdentifier", "HKDataTypeIdentifier",
        "HKCharacteristicTypeIdentifier", "HKClinicalTypeIdentifier", "HKScoredAssessmentTypeIdentifier",
        "HKDocumentTypeIdentifier",
    ]

    /// The type's name for people: its identifier without the prefix, beginning in lower case, such as
    /// `stepCount`.
    public var shortName: String { Self.shortName(of: identifier) }

    /// The short name of an identifier; the identifier itself where it begins like no other.
    public static func shortName(of identifier: String) -> String {
        guard let prefix = prefixes.first(where: { identifier.hasPrefix($0) && identifier != $0 }) else {
            switch identifier {
            case "HKWorkoutTypeIdentifier": return "workout"
            case "HKActivitySummaryTypeIdentifier": return "activitySummary"
            case "HKWorkoutRouteTypeIdentifier": return "workoutRoute"
            case "HKVisionPrescriptionTypeIdentifier": return "visionPrescription"
            default: return identifier
            }
        }
        let name = identifier.dropFirst(prefix.count)
        // VO2Max and UVExposure begin with more than one capital; the last of UVE belongs to the next word.
        let capitals = name.prefix { $0.isUppercase }.count
        let isWordNext = name.dropFirst(capitals).first?.isLowercase ?? false
        let lowered = max(1, isWordNext ? capitals - 1 : capitals)
        return name.prefix(lowered).lowercased() + name.dropFirst(lowered)
    }
}
