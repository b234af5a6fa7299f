/// The properties of a data type.
public struct TypeDescription: Hashable, Sendable {
    /// The type's code in pages and tables.
    package let code: TypeCode
    /// The identifier as archives and apps spell it, such as `HKQuantityTypeIdentifierStepCount`.
    public let identifier: String
    /// The kind of samples.
    package let kind: TypeKind
    /// The unit string of stored statistics; `nil` for other kinds and for unknown types.
    package let canonicalUnit: String?
    /// The units in which people measure the quantities: one for all regions, or those of the metric system, the United
    /// States and the United Kingdom; empty for a type that people measure in its canonical unit.
    package let customaryUnits: [String]
    /// How quantities are aggregated; `nil` for other kinds.
    package let aggregationStyle: AggregationStyle?
    /// The allowed raw values of a category type; `nil` for other kinds and unknown types.
    package let categoryValues: ClosedRange<Int>?
    /// The enumeration of a category type's values, such as `HKCategoryValueSleepAnalysis`.
    package let categoryEnumeration: String?
    /// A Boolean value that indicates whether an app may request to write samples of the type.
    package let isShareable: Bool

    /// Creates a description. Use ``TypeCatalog`` for known types; a store creates those found in archives.
    package init(
        code: TypeCode, identifier: String, kind: TypeKind, canonicalUnit: String? = nil,
        customaryUnits: [String] = [], aggregationStyle: AggregationStyle? = nil,
        categoryValues: ClosedRange<Int>? = nil, categoryEnumeration: String? = nil, isShareable: Bool = true
    ) {
        self.code = code
        self.identifier = identifier
        self.kind = kind
        self.canonicalUnit = canonicalUnit
        self.customaryUnits = customaryUnits
        self.aggregationStyle = aggregationStyle
        self.categoryValues = categoryValues
        self.categoryEnumeration = categoryEnumeration
        self.isShareable = isShareable
    }
}

extension TypeDescription {
    /// The maximum duration of a sample in seconds; `nil` for a type without a known limit. Limits aren't published;
    /// that of clinical documents was observed in the original.
    package var maximumDuration: Double? { identifier == "HKDocumentTypeIdentifierCDA" ? 345_600 : nil }
}

extension TypeDescription {
    private static let prefixes = [
        "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKCorrelationTypeIdentifier", "HKDataTypeIdentifier",
        "HKCharacteristicTypeIdentifier", "HKClinicalTypeIdentifier", "HKScoredAssessmentTypeIdentifier",
        "HKDocumentTypeIdentifier",
    ]

    /// The identifier without its prefix, in lower camel case, such as `stepCount`.
    package var shortName: String { Self.shortName(of: identifier) }

    /// The short name of an identifier, or the identifier itself if it has no known prefix.
    package static func shortName(of identifier: String) -> String {
        guard let prefix = prefixes.first(where: { identifier.hasPrefix($0) && identifier != $0 }) else {
            switch identifier {
            case "HKWorkoutTypeIdentifier": return "workout"
            case "HKActivitySummaryTypeIdentifier": return "activitySummary"
            case "HKWorkoutRouteTypeIdentifier": return "workoutRoute"
            case "HKVisionPrescriptionTypeIdentifier": return "visionPrescription"
            case "HKDataTypeStateOfMind": return "stateOfMind"
            default: return identifier
            }
        }
        let name = identifier.dropFirst(prefix.count)
        // VO2Max and UVExposure begin with several capitals, the last of which belongs to the next word in UVExposure.
        let capitals = name.prefix { $0.isUppercase }.count
        let isWordNext = name.dropFirst(capitals).first?.isLowercase ?? false
        let lowered = max(1, isWordNext ? capitals - 1 : capitals)
        return name.prefix(lowered).lowercased() + name.dropFirst(lowered)
    }
}

/// The kind of a data type, which determines how its samples are stored.
package enum TypeKind: UInt8, Hashable, Sendable, Codable {
    /// A number with a unit. Stored in pages.
    case quantity = 1
    /// A value of an enumeration. Stored in pages as an integer.
    case category = 2
    /// A group of quantity and category samples. Stored as an object row with links.
    case correlation = 3
    /// A workout. Stored as an object row.
    case workout = 4
    /// A fact about the person, such as the date of birth. Not a sample.
    case characteristic = 5
    /// A day's activity rings. Computed, or an imported object row.
    case activitySummary = 6
    /// A long series, such as a route or heartbeats. Stored as an object row.
    case series = 7
    /// Any other single object (ECG, audiogram, prescription, document). Stored as an object row.
    case document = 8

    /// A Boolean value that indicates whether samples of this kind are stored in pages.
    package var isPaged: Bool { self == .quantity || self == .category }
}

/// How the quantities of a type are combined. Raw values match the original.
package enum AggregationStyle: UInt8, Hashable, Sendable, Codable {
    /// The sum of the values, as of steps.
    case cumulative = 0
    /// The arithmetic mean of the values.
    case discreteArithmetic = 1
    /// The mean weighted by time.
    case discreteTemporallyWeighted = 2
    /// The equivalent continuous sound level of IEC 61672-1.
    case discreteEquivalentContinuousLevel = 3

    /// A Boolean value that indicates whether the type's statistic is a sum.
    package var isCumulative: Bool { self == .cumulative }
}
