public import Foundation

// Conversions from and to the units of Foundation's formatters.
extension HKUnit {
    /// Creates the unit of an energy formatter's unit. `.kilocalorie` is `kcal`, `.calorie` is `cal`.
    public convenience init(from energyFormatterUnit: EnergyFormatter.Unit) {
        switch energyFormatterUnit {
        case .joule: self.init(sharing: .joule())
        case .kilojoule: self.init(sharing: .jouleUnit(with: .kilo))
        case .calorie: self.init(sharing: .smallCalorie())
        case .kilocalorie: self.init(sharing: .kilocalorie())
        }
    }

    /// Creates the unit of a length formatter's unit.
    public convenience init(from lengthFormatterUnit: LengthFormatter.Unit) {
        switch lengthFormatterUnit {
        case .millimeter: self.init(sharing: .meterUnit(with: .milli))
        case .centimeter: self.init(sharing: .meterUnit(with: .centi))
        case .meter: self.init(sharing: .meter())
        case .kilometer: self.init(sharing: .meterUnit(with: .kilo))
        case .inch: self.init(sharing: .inch())
        case .foot: self.init(sharing: .foot())
        case .yard: self.init(sharing: .yard())
        case .mile: self.init(sharing: .mile())
        }
    }

    /// Creates the unit of a mass formatter's unit.
    public convenience init(from massFormatterUnit: MassFormatter.Unit) {
        switch massFormatterUnit {
        case .gram: self.init(sharing: .gram())
        case .kilogram: self.init(sharing: .gramUnit(with: .kilo))
        case .ounce: self.init(sharing: .ounce())
        case .pound: self.init(sharing: .pound())
        case .stone: self.init(sharing: .stone())
        }
    }

    /// The energy formatter's unit for `unit`; an unsupported unit ends the process.
    public class func energyFormatterUnit(from unit: HKUnit) -> EnergyFormatter.Unit {
        matching(unit, [.joule, .kilojoule, .calorie, .kilocalorie]) { HKUnit(from: $0) }
            ?? (unit == .largeCalorie() ? .kilocalorie : noFormatterUnit(unit, of: "energy"))
    }

    /// The length formatter's unit for `unit`; an unsupported unit ends the process.
    public class func lengthFormatterUnit(from unit: HKUnit) -> LengthFormatter.Unit {
        matching(unit, [.millimeter, .centimeter, .meter, .kilometer, .inch, .foot, .yard, .mile]) { HKUnit(from: $0) }
            ?? noFormatterUnit(unit, of: "length")
    }

    /// The mass formatter's unit for `unit`; an unsupported unit ends the process.
    public class func massFormatterUnit(from unit: HKUnit) -> MassFormatter.Unit {
        matching(unit, [.gram, .kilogram, .ounce, .pound, .stone]) { HKUnit(from: $0) }
            ?? noFormatterUnit(unit, of: "mass")
    }

    private static func matching<Formatted>(
        _ unit: HKUnit, _ all: [Formatted], _ make: (Formatted) -> HKUnit
    ) -> Formatted? {
        all.first { make($0) == unit }
    }

    private static func noFormatterUnit<Formatted>(_ unit: HKUnit, of kind: String) -> Formatted {
        ProgrammerError.raise("There is no \(kind) formatter unit for the unit \(unit.unitString)")
    }
}
