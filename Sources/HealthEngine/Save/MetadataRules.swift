import HealthModel

/// The rules for the values of predefined metadata keys: the class of the value, the unit of a quantity, and the raw
/// values of an enumeration.
///
/// The original refuses a value of another class, a quantity in a unit that doesn't fit, and a raw value that its
/// enumeration doesn't have. Archives contain such values, so an import doesn't apply these rules.
package enum MetadataRules {
    /// The values that are valid for a key.
    package enum Expectation: Sendable {
        case string, number, date
        /// A quantity in a unit that is compatible with this one; `nil` for the unit of the sample's type.
        case quantity(String?)
        /// A raw value of an enumeration.
        case value(of: String, in: ClosedRange<Int>)
        /// A raw value of `HKWorkoutActivityType`.
        case activity
    }

    /// Validates the values of all predefined keys of a sample, with the unit of its type if it has one.
    static func validate(_ metadata: Metadata, unit: String?) throws(ValidationError) {
        for entry in metadata.entries {
            guard let expectation = expectations[entry.key] else { continue }
            try validate(entry, expectation, unit)
        }
    }

    private static func validate(
        _ entry: Metadata.Entry, _ expectation: Expectation, _ sampleUnit: String?
    ) throws(ValidationError) {
        switch (expectation, entry.value) {
        case (.string, .string), (.date, .date):
            return
        case (.quantity(let expected), .quantity(_, let unit)):
            guard let expected = expected ?? sampleUnit, expected != unit,
                UnitConversion(between: unit, and: expected) == nil
            else { return }
            throw ValidationError(
                .metadataValue,
                reason: "Incompatible unit for metadata key: \(entry.key). Expected a unit compatible with \(expected)."
            )
        case (.number, .bool), (.number, .integer), (.number, .double):
            return
        case (.value(let name, let range), .bool), (.value(let name, let range), .integer),
            (.value(let name, let range), .double):
            guard let value = entry.value.number.flatMap({ Int(exactly: $0) }), range.contains(value) else {
                throw outOfRange(entry.key, name)
            }
        case (.activity, .bool), (.activity, .integer), (.activity, .double):
            guard let value = entry.value.number.flatMap({ UInt(exactly: $0) }),
                WorkoutActivityNames.name(of: value) != nil
            else { throw outOfRange(entry.key, "HKWorkoutActivityType") }
        default:
            throw ValidationError(
                .metadataValue,
                reason: "Invalid class \(className(of: entry.value)) for metadata key: \(entry.key). "
                    + "Expected \(className(of: expectation)).")
        }
    }

    // The texts for a raw value and for a unit are the project's own; they don't contain the value.
    private static func outOfRange(_ key: String, _ enumeration: String) -> ValidationError {
        ValidationError(
            .metadataValue, reason: "Invalid value for metadata key: \(key). Expected a value of \(enumeration).")
    }

    private static func className(of value: MetadataValue) -> String {
        switch value {
        case .string: "NSString"
        case .bool, .integer, .double: "NSNumber"
        case .date: "NSDate"
        case .quantity: "HKQuantity"
        }
    }

    private static func className(of expectation: Expectation) -> String {
        switch expectation {
        case .string: "NSString"
        case .number, .value, .activity: "NSNumber"
        case .date: "NSDate"
        case .quantity: "HKQuantity"
        }
    }
}
