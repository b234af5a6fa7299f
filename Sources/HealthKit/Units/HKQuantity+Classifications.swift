// Apple does not publish its bounds; these are the project's own.
extension HKAppleWalkingSteadinessClassification {
    /// Creates the class of a walking steadiness between 0 % and 100 %.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for another unit and outside 0 % to 100 %.
    public init(for appleWalkingSteadiness: HKQuantity) throws {
        self = try HKError.checked { () throws(InvalidObjectError) in try Self.classified(appleWalkingSteadiness) }
    }

    static func classified(_ quantity: HKQuantity) throws(InvalidObjectError) -> Self {
        guard let share = try? quantity.validatedValue(for: .percent()) else {
            throw InvalidObjectError(reason: "A walking steadiness requires unit %, not \(quantity.unit.unitString)")
        }
        guard share >= 0, share <= 1 else {
            throw InvalidObjectError(reason: "A walking steadiness must be between 0 % and 100 %")
        }
        return share >= Self.ok.lowerBound ? .ok : share >= Self.low.lowerBound ? .low : .veryLow
    }

    /// The minimum walking steadiness of the class.
    public var minimum: HKQuantity { HKQuantity(unit: .percent(), doubleValue: lowerBound) }

    /// The maximum walking steadiness of the class; the next class begins right after it.
    public var maximum: HKQuantity {
        let maximum: Double =
            switch self {
            case .ok: 1
            case .low: Self.ok.lowerBound.nextDown
            case .veryLow: Self.low.lowerBound.nextDown
            }
        return HKQuantity(unit: .percent(), doubleValue: maximum)
    }

    private var lowerBound: Double {
        switch self {
        case .ok: 0.6
        case .low: 0.4
        case .veryLow: 0
        }
    }
}

// Apple does not publish its bound; this is the project's own.
extension HKAppleSleepingBreathingDisturbancesClassification {
    /// Creates the class of a night's breathing disturbances; `nil` for a unit other than a count and for a
    /// number that is negative or not a number.
    public init?(classifying appleSleepingBreathingDisturbances: HKQuantity) {
        guard let value = try? appleSleepingBreathingDisturbances.validatedValue(for: .count()), value >= 0
        else { return nil }
        self = value >= Self.elevated.lowerBound ? .elevated : .notElevated
    }

    /// The minimum number of disturbances of the class.
    public var minimum: HKQuantity { HKQuantity(unit: .count(), doubleValue: lowerBound) }

    private var lowerBound: Double {
        switch self {
        case .notElevated: 0
        case .elevated: 15
        }
    }
}
