package import HealthModel
import Synchronization

/// The rules for samples and objects to be saved. Where one throws an error, the API layer ends the process, as the
/// original does; import and server report the reason.
///
/// Durations are limited only for clinical documents, because the original's limits for other types are not published.
/// Values are not limited: NaN, infinity, negative and improbable values are stored as they are.
package enum RecordValidation {
    /// `Date.distantFuture` in seconds since 2001: the end of a sample that has not ended.
    package static let distantFuture = 63_113_904_000.0

    /// Validates a quantity or category sample.
    package static func validate(
        _ sample: SampleRecord, description: TypeDescription
    ) throws(ValidationError) {
        try validateDates(start: sample.start, end: sample.end, description: description)
        switch description.kind {
        case .quantity:
            try UnitValidation.validate(sample.unit, description: description)
        case .category:
            try validateCategory(sample.value, description: description)
            if sample.start != sample.end, description.identifier == momentaryType {
                throw ValidationError(
                    .dates, reason: "Type \(description.identifier) requires startDate to be equal to endDate")
            }
        default:
            throw ValidationError(
                .members, reason: "Type \(description.identifier) does not have quantity or category samples")
        }
        try validateMetadata(sample.metadata, description: description)
    }

    /// Validates an object without its members, which are validated as samples.
    package static func validate(
        _ object: ObjectRecord, description: TypeDescription
    ) throws(ValidationError) {
        try validateDates(start: object.start, end: object.end, description: description)
        if let maximum = description.maximumDuration {
            try validateDuration(object.end - object.start, maximum: maximum, identifier: description.identifier)
        }
        try validateMetadata(object.metadata, description: description)
        if description.kind == .correlation, object.members.isEmpty {
            throw ValidationError(
                .members, reason: "Correlation of type \(description.identifier) must have at least one object")
        }
        if case .workout(let workout) = object.body {
            try WorkoutValidation.validate(workout, start: object.start, end: object.end)
        }
    }

    /// Validates that both dates are finite and that the start is not after the end.
    package static func validateDates(
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

    /// Validates the duration of a sample, in seconds.
    package static func validateDuration(
        _ duration: Double, maximum: Double, identifier: String
    ) throws(ValidationError) {
        guard duration > maximum else { return }
        throw ValidationError(
            .duration,
            reason: "startDate and endDate exceed the maximum allowed duration for this sample type. "
                + "Maximum duration for type \(identifier) is \(maximum)")
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

    package static func validateMetadata(
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
        try MetadataRules.validate(metadata, unit: description.canonicalUnit)
    }

    private static func missing(_ key: String, besides other: String) -> ValidationError {
        ValidationError(.syncMetadata, reason: "Metadata key \(other) requires \(key)")
    }

    private static let requiredKeys = [
        "HKCategoryTypeIdentifierMenstrualFlow": MetadataKey.menstrualCycleStart,
        "HKQuantityTypeIdentifierInsulinDelivery": MetadataKey.insulinDeliveryReason,
    ]

    /// The type whose samples are moments (documented for iOS 27).
    private static let momentaryType = "HKCategoryTypeIdentifierMenopausalState"

    /// The types of states that a person enters while they last. Which types may be open-ended is not published; these
    /// are the ones that the Health app shows as ongoing.
    private static let openEndedTypes: Set<String> = [
        "HKCategoryTypeIdentifierContraceptive", "HKCategoryTypeIdentifierLactation",
        "HKCategoryTypeIdentifierPregnancy",
    ]
}

/// The error for a sample or object that the original would not construct.
package struct ValidationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A rule of ``RecordValidation``.
    package enum Rule: Hashable, Sendable {
        /// The subject of a rule.
        case unit, dates, categoryValue, requiredMetadata, metadataValue, syncMetadata, openEnd, duration, members,
            workoutEvent
    }

    /// The rule that was violated.
    package var rule: Rule
    /// The original's exception text where it is known, otherwise the project's own. It may contain the category value
    /// that was rejected, but no quantity, date or metadata value.
    package var reason: String

    /// Creates the error for a rule.
    package init(_ rule: Rule, reason: String) {
        self.rule = rule
        self.reason = reason
    }

    /// A text for logs, which names the rule that was violated and nothing of the data.
    package var description: String {
        switch rule {
        case .categoryValue: "The category value is not valid for its type"
        default: reason
        }
    }
}

/// Checks whether the unit of a quantity is compatible with its type. Results are cached, because the same few units
/// recur with every sample.
private enum UnitValidation {
    private struct CacheKey: Hashable {
        var canonical: String
        var unit: String
    }

    private static let results = Mutex<[CacheKey: Bool]>([:])

    /// Validates a unit. Types outside the catalog accept any unit.
    static func validate(_ unit: String, description: TypeDescription) throws(ValidationError) {
        guard let canonical = description.canonicalUnit, unit != canonical else { return }
        let key = CacheKey(canonical: canonical, unit: unit)
        let isCompatible: Bool
        if let known = results.withLock({ $0[key] }) {
            isCompatible = known
        } else {
            isCompatible = compare(key)
            // Units are arbitrary input: the cache must not grow without limit.
            results.withLock { results in
                if results.count > 10_000 { results.removeAll() }
                results[key] = isCompatible
            }
        }
        guard !isCompatible else { return }
        throw ValidationError(
            .unit,
            reason:
                "\(description.identifier) requires unit of type \(dimensionName(of: canonical)). Incompatible unit: "
                + (unit.isEmpty ? "(null)" : unit))
    }

    private static func compare(_ key: CacheKey) -> Bool {
        guard !key.unit.isEmpty,
            let canonical = try? UnitExpression(parsing: key.canonical),
            let given = try? UnitExpression(parsing: key.unit)
        else { return false }
        return given.isCompatible(with: canonical)
    }

    /// Returns the name of a unit's dimension, such as `Mass` or `Length/Time`.
    private static func dimensionName(of unit: String) -> String {
        guard let expression = try? UnitExpression(parsing: unit) else { return unit }
        var above: [String] = []
        var below: [String] = []
        for factor in expression.factors {
            let name = factor.atom.kind.dimensionName
            let power = factor.exponent.magnitude
            let text = power == 1 ? name : "\(name)^\(power)"
            if factor.exponent > 0 { above.append(text) } else { below.append(text) }
        }
        let numerator = above.isEmpty ? "1" : above.joined(separator: "·")
        return below.isEmpty ? numerator : numerator + "/" + below.joined(separator: "·")
    }
}

/// The rules for the events and the figures of a workout.
private enum WorkoutValidation {
    /// The raw values of the event types in key.
    private enum EventType {
        static let resume = 2
        static let lap = 3
        static let segment = 7
    }

    static func validate(
        _ workout: WorkoutBody, start: Double, end: Double
    ) throws(ValidationError) {
        try validate(workout.events, start: start, end: end)
        let distance = "HKQuantityTypeIdentifierDistanceWalkingRunning"
        try validate(workout.totalEnergyBurned?.unit, of: "HKQuantityTypeIdentifierActiveEnergyBurned")
        try validate(workout.totalDistance?.unit, of: distance)
        try validate(workout.totalSwimmingStrokeCount?.unit, of: "HKQuantityTypeIdentifierSwimmingStrokeCount")
        try validate(workout.totalFlightsClimbed?.unit, of: "HKQuantityTypeIdentifierFlightsClimbed")
        for figures in workout.statistics { try validate(figures.unit, of: figures.type) }
        for zones in workout.zones { try validate(zones.unit, of: zones.type) }
        for activity in workout.activities {
            try validate(activity.lapLength?.unit, of: distance)
            for figures in activity.statistics { try validate(figures.unit, of: figures.type) }
        }
    }

    /// Validates the unit of a figure, if there is one.
    private static func validate(_ unit: String?, of identifier: String) throws(ValidationError) {
        guard let unit, let type = TypeCatalog.description(for: identifier) else { return }
        try UnitValidation.validate(unit, description: type)
    }

    private static func validate(
        _ events: [WorkoutBody.Event], start: Double, end: Double
    ) throws(ValidationError) {
        for event in events {
            guard event.start <= event.end else {
                throw ValidationError(
                    .workoutEvent, reason: "Workout event must not begin after it ends")
            }
            let mayLast = event.type == EventType.lap || event.type == EventType.segment
            guard mayLast || event.start == event.end else {
                throw ValidationError(
                    .workoutEvent, reason: "Only lap and segment workout events may have a duration")
            }
            guard event.start >= start, event.end <= end else {
                throw ValidationError(
                    .workoutEvent, reason: "Workout events must lie between the workout's start and end")
            }
        }
        if events.first?.type == EventType.resume {
            throw ValidationError(
                .workoutEvent, reason: "The first workout event must not be a resume event")
        }
    }
}
