// The original does not publish its bounds; these are the project's own.
extension HKAppleWalkingSteadinessClassification {
    /// The class of a walking steadiness between 0 % and 100 %.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for another unit and outside 0 % to 100 %.
    public init(for appleWalkingSteadiness: HKQuantity) throws {
        self = try HKError.checked { () throws(ObjectRefusal) in try Self.classified(appleWalkingSteadiness) }
    }

    static func classified(_ quantity: HKQuantity) throws(ObjectRefusal) -> Self {
        guard let share = try? quantity.validatedValue(for: .percent()) else {
            throw ObjectRefusal(reason: "A walking steadiness requires unit %, not \(quantity.unit.unitString)")
        }
        guard share >= 0, share <= 1 else {
            throw ObjectRefusal(reason: "A walking steadiness must be between 0 % and 100 %")
        }
        return share >= Self.ok.least ? .ok : share >= Self.low.least ? .low : .veryLow
    }

    /// The least walking steadiness of the class.
    public var minimum: HKQuantity { HKQuantity(unit: .percent(), doubleValue: least) }

    /// The greatest walking steadiness of the class; the next class begins right after it.
    public var maximum: HKQuantity {
        let greatest: Double = switch self {
        case .ok: 1
        case .low: Self.ok.least.nextDown
        case .veryLow: Self.low.least.nextDown
        }
        return HKQuantity(unit: .percent(), doubleValue: greatest)
    }

    private var least: Double {
        switch self {
        case .ok: 0.6
        case .low: 0.4
        case .veryLow: 0
        }
    }
}
