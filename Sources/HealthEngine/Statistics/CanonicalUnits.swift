import HealthModel

/// How values of every unit number become values of the unit that results are told in.
struct CanonicalUnits: Sendable {
    /// The unit of all results.
    let unit: String
    private let conversions: [UnitConversion?]

    init(unit: String, dictionaries: StoreDictionaries) {
        self.unit = unit
        conversions = [nil] + dictionaries.units.map { UnitConversion(from: $0, to: unit) }
    }

    /// `nil` for a unit that is not compatible.
    func conversion(_ number: UInt32) -> UnitConversion? {
        number < conversions.count ? conversions[Int(number)] : nil
    }
}
