public import HealthModel

/// The checks an object passes before it may be saved, each written once: the API layer ends the
/// process where one throws, as the original does; import and server report the reason.
///
/// Durations are not limited: the original's limits per type are not published. Neither are values:
/// NaN, infinity, negative and improbable values are stored as they are.
public enum RecordValidation {
    /// `Date.distantFuture`, in seconds since 2001: the end of a sample that has not ended.
    public static let distantFuture = 63_113_904_000.0

    /// Checks a quantity or category sample.
    public static func validate(
        _ sample: SampleRecord, description: TypeDescription
    ) throws(ValidationError) {
        try validateDates(start: sample.start, end: sample.end, description: description)
        switch description.kind {
        case .quantity:
            try UnitValidation.validate(sample.unit, description: description)
        case .category:
            try validateCategory(sample.value, description: description)
        default:
            throw ValidationError(
                .members, reason: "Type \(description.identifier) does not have quantity or category samples")
        }
        try validateMetadata(sample.metadata, description: description)
    }

    /// Checks an object without its members, which are samples to be checked by themselves.
    public static func validate(
        _ object: ObjectRecord, description: TypeDescription
    ) throws(ValidationError) {
        try validateDates(start: object.start, end: object.end, description: description)
        try validateMetadata(object.metadata, description: description)
        if description.kind == .correlation, object.members.isEmpty {
            throw ValidationError(
                .members, reason: "Correlation of type \(description.identifier) must have at least one object")
        }
        if case .workout(let workout) = object.body {
            try WorkoutValidation.validate(workout, start: object.start, end: object.end)
        }
    }

    /// Checks dates: both are instants, and the start does not lie after the end.
    static func validateDates(
        start: Double, end: Double, description: TypeDescription
    ) throws(ValidationError) {
        guard start.isFinite, end.isFinite else {
            throw ValidationError(
                .dates, reason: "Type \(description.identifier) requires a startDate and an endDate")
        }
        guard start <= end else {
            throw ValidationError(
                .dates, reason: "Type \(description.identifier) requires startDate to be at or before endDate")
        }
        if end >= distantFuture, !openEndedTypes.contains(description.identifier) {
            throw ValidationError(
                .openEnd, reason: "Type HKSample can not have endDate of NSDate.distantFuture")
        }
    }

    static func validateCategory(
        _ value: Double, description: TypeDescription
    ) throws(ValidationError) {
        guard let allowed = description.categoryValues else { return }
        guard let whole = Int(exactly: value), allowed.contains(whole) else {
            let shown = Int(exactly: value).map(String.init) ?? String(value)
            throw ValidationError(
                .categoryValue,
                reason: "Value \(shown) is not compatible with type \(description.identifier)")
        }
    }

    static func validateMetadata(
        _ metadata: Metadata, description: TypeDescription
    ) throws(ValidationError) {
        if let key = requiredKeys[description.identifier], metadata[key] == nil {
            throw ValidationError(
                .requiredMetadata,
                reason: "Type \(description.identifier) does not have required metadata \(key)")
        }
        guard !metadata.isEmpty else { return }
        let (identifier, version) = (metadata[MetadataKey.syncIdentifier], metadata[MetadataKey.syncVersion])
        if identifier != nil, version == nil {
            throw missing(MetadataKey.syncVersion, besides: MetadataKey.syncIdentifier)
        }
        if identifier == nil, version != nil {
            throw missing(MetadataKey.syncIdentifier, besides: MetadataKey.syncVersion)
        }
        if let identifier {
            guard case .string = identifier else {
                throw ValidationError(
                    .syncMetadata, reason: "Metadata key \(MetadataKey.syncIdentifier) requires a string")
            }
        }
        if let version, version.number == nil {
            throw ValidationError(
                .syncMetadata, reason: "Metadata key \(MetadataKey.syncVersion) requires a number")
        }
    }

    private static func missing(_ key: String, besides other: String) -> ValidationError {
        ValidationError(.syncMetadata, reason: "Metadata key \(other) requires \(key)")
    }

    private static let requiredKeys = [
        "HKCategoryTypeIdentifierMenstrualFlow": MetadataKey.menstrualCycleStart,
        "HKQuantityTypeIdentifierInsulinDelivery": MetadataKey.insulinDeliveryReason,
    ]

    /// States that a person enters while they last. Which types the original leaves open is not
    /// published; these are the ones its Health app shows as ongoing.
    private static let openEndedTypes: Set<String> = [
        "HKCategoryTypeIdentifierContraceptive", "HKCategoryTypeIdentifierLactation",
        "HKCategoryTypeIdentifierPregnancy",
    ]
}
