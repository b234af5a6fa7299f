package import HealthModel

/// The values of a quantity type that a sample entered by hand can have. They are wide: they refuse a slip of the finger
/// or of the unit, not a rare value.
package struct PlausibleRange: Sendable {
    /// The least and the greatest value with their unit, such as `0 to 200000 count`.
    package let text: String
    private let values: ClosedRange<Double>
    private let unit: String

    private init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 4, let least = Double(parts[0]), let greatest = Double(parts[2]) else { return nil }
        (self.text, values, unit) = (text, least...greatest, String(parts[3]))
    }

    /// The range of a type; `nil` for one that only the store knows.
    package init?(_ type: TypeDescription) {
        let found = Self.byIdentifier[type.identifier] ?? type.canonicalUnit.flatMap { Self.byUnit[$0] }
        guard let found else { return nil }
        self = found
    }

    /// Whether a quantity is in the range; one in another kind of unit isn't. As in HealthKit, 97 % is 0.97.
    package func contains(_ value: Double, _ given: String) -> Bool {
        guard let conversion = UnitConversion(between: given, and: unit) else { return false }
        return values.contains(conversion(value) * (unit == "%" ? 100 : 1))
    }

    private static let byIdentifier: [String: PlausibleRange] = TypeCatalog.values(table).reduce(into: [:]) {
        $0[$1.identifier] = PlausibleRange(String($1.value))
    }

    /// The ranges of the other types by their canonical unit.
    private static let byUnit: [String: PlausibleRange] = [
        "0 to 100000 count", "0 to 50000 kcal", "0 to 10000 g", "0 to 1000000 m", "0 to 500 cm", "0 to 1000 kg",
        "0 to 100 %", "-100 to 100 degC", "0 to 1000 mmHg", "0 to 5000 mg/dL", "0 to 1000 count/min", "0 to 20 count/s",
        "0 to 10000 W", "0 to 200 m/s", "0 to 10000 ms", "0 to 10080 min", "0 to 50000 mL", "0 to 50 L",
        "0 to 3000 L/min", "0 to 10000 IU", "-50 to 250 dBASPL", "0 to 1 S", "0 to 50 kcal/hr·kg", "0 to 200 mL/min·kg",
        "0 to 10 appleEffortScore",
    ].compactMap { PlausibleRange($0) }.reduce(into: [:]) { $0[$1.unit] = $1 }
}
