// The original does not publish its bound; this is the project's own.
extension HKAppleSleepingBreathingDisturbancesClassification {
    /// The class of a night's breathing disturbances; `nil` for another unit than a count, and for a number
    /// that is negative or none.
    public init?(classifying appleSleepingBreathingDisturbances: HKQuantity) {
        guard let value = try? appleSleepingBreathingDisturbances.validatedValue(for: .count()), value >= 0
        else { return nil }
        self = value >= Self.elevated.least ? .elevated : .notElevated
    }

    /// The least number of disturbances of the class.
    public var minimum: HKQuantity { HKQuantity(unit: .count(), doubleValue: least) }

    private var least: Double {
        switch self {
        case .notElevated: 0
        case .elevated: 15
        }
    }
}
