/// The few units of the reference model, as factor and zero point of a base unit.
enum ReferenceUnits {
    private static let known: [String: (base: String, factor: Double, zero: Double)] = [
        "count": ("count", 1, 0), "kcal": ("kcal", 1, 0), "kJ": ("kcal", 1 / 4.184, 0),
        "kg": ("g", 1_000, 0), "g": ("g", 1, 0), "lb": ("g", 453.59237, 0),
        "m": ("m", 1, 0), "km": ("m", 1_000, 0),
        "count/s": ("count/s", 1, 0), "count/min": ("count/s", 1.0 / 60, 0),
        "degC": ("K", 1, 273.15), "degF": ("K", 5.0 / 9, 459.67 * 5 / 9),
        "dBASPL": ("dBASPL", 1, 0), "min": ("min", 1, 0),
    ]

    /// The value told in another unit; `nil` if it cannot be.
    static func convert(_ value: Double, from: String, to: String) -> Double? {
        if from == to { return value }
        guard let source = known[from], let target = known[to], source.base == target.base else { return nil }
        return (value * source.factor + source.zero - target.zero) / target.factor
    }
}
