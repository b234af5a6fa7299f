import HealthModel

extension HKUnit {
    /// Moles of a substance with a molar mass in grams per mole; compatible with mass.
    ///
    /// A molar mass that is not a finite number above 0 ends the process.
    public class func moleUnit(withMolarMass gramsPerMole: Double) -> Self {
        moleUnit(with: .none, molarMass: gramsPerMole)
    }

    /// Moles with a metric prefix, of a substance with a molar mass in grams per mole.
    ///
    /// A molar mass that is not a finite number above 0 ends the process.
    public class func moleUnit(with prefix: HKMetricPrefix, molarMass gramsPerMole: Double) -> Self {
        atom(.molarMass, prefix, molarMass: gramsPerMole) as! Self
    }

    /// Small calories, `cal`; the previous name of ``smallCalorie()``.
    public class func calorie() -> Self { atom(.smallCalorie) as! Self }
}

extension HKMetricPrefix {
    /// The prefix of the unit model, which has the same raw values.
    var unitPrefix: UnitPrefix { UnitPrefix(rawValue: UInt8(rawValue)) ?? .none }
}
