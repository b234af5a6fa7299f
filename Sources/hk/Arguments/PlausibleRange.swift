import HealthModel

/// The values of a quantity type that a sample entered by hand can have. They are wide: they refuse a slip of the finger
/// or of the unit, not a rare value.
struct PlausibleRange {
    let values: ClosedRange<Double>
    /// The unit of the values.
    let unit: String

    private init(_ values: ClosedRange<Double>, _ unit: String) {
        (self.values, self.unit) = (values, unit)
    }

    /// The range of a type; `nil` for one that only the store knows.
    init?(_ type: TypeDescription) {
        let found = Self.named[TypeName.short(type.identifier)] ?? type.canonicalUnit.flatMap { Self.byUnit[$0] }
        guard let found else { return nil }
        self = found
    }

    /// `0 to 200000 count`.
    var text: String {
        "\(NumberOutput.plain(values.lowerBound)) to \(NumberOutput.plain(values.upperBound)) \(unit)"
    }

    /// - Throws: `UnitParsingError` if the unit of the range can't be read.
    func contains(_ number: Double, _ given: UnitExpression) throws -> Bool {
        guard let conversion = given.conversion(to: try UnitExpression(parsing: unit)) else { return false }
        return values.contains(conversion(number))
    }

    private static let named: [String: PlausibleRange] = {
        let mass = PlausibleRange(0.1...1_000, "kg")
        let heartRate = PlausibleRange(1...500, "count/min")
        return [
            "bodyMass": mass, "leanBodyMass": mass, "height": PlausibleRange(0.1...3, "m"),
            "waistCircumference": PlausibleRange(0.1...5, "m"), "bodyMassIndex": PlausibleRange(1...500, "count"),
            "bodyTemperature": PlausibleRange(10...50, "degC"), "basalBodyTemperature": PlausibleRange(10...50, "degC"),
            "heartRate": heartRate, "restingHeartRate": heartRate, "walkingHeartRateAverage": heartRate,
            "respiratoryRate": PlausibleRange(0...200, "count/min"),
            "bloodPressureSystolic": PlausibleRange(20...400, "mmHg"),
            "bloodPressureDiastolic": PlausibleRange(5...300, "mmHg"), "dietaryWater": PlausibleRange(0...50, "L"),
            "stepCount": PlausibleRange(0...200_000, "count"), "uvExposure": PlausibleRange(0...50, "count"),
            // A fraction that is given as a percentage is a slip, too.
            "oxygenSaturation": PlausibleRange(10...100, "%"), "bodyFatPercentage": PlausibleRange(1...100, "%"),
            "flightsClimbed": PlausibleRange(0...10_000, "count"),
            "underwaterDepth": PlausibleRange(0...500, "m"), "walkingStepLength": PlausibleRange(0...5, "m"),
            "runningStrideLength": PlausibleRange(0...10, "m"),
        ]
    }()

    /// The ranges of the other types by their canonical unit.
    private static let byUnit: [String: PlausibleRange] = Dictionary(
        uniqueKeysWithValues: [
            (0...100_000, "count"), (0...50_000, "kcal"), (0...10_000, "g"), (0...1_000_000, "m"), (0...500, "cm"),
            (0...1_000, "kg"), (0...100, "%"), (-100...100, "degC"), (0...1_000, "mmHg"), (0...5_000, "mg/dL"),
            (0...1_000, "count/min"), (0...20, "count/s"), (0...10_000, "W"), (0...200, "m/s"), (0...10_000, "ms"),
            (0...10_080, "min"), (0...50_000, "mL"), (0...50, "L"), (0...3_000, "L/min"), (0...10_000, "IU"),
            (-50...250, "dBASPL"), (0...1, "S"), (0...50, "kcal/(kg*hr)"), (0...200, "ml/(kg*min)"),
            (0...10, "appleEffortScore"),
        ].map { ($1, PlausibleRange($0, $1)) })
}
