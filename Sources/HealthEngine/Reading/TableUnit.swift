package import HealthModel

/// The unit of a type's quantities in tables, where a column of numbers needs one.
package struct TableUnit: Sendable {
    /// The unit, as most samples have it.
    package let unit: String
    /// Its number in the dictionaries; 0 if no sample has it.
    package let number: UInt32
    /// The conversions from the other units, by number.
    private let conversions: [UInt32: UnitConversion]

    init(_ unit: String, _ dictionaries: StoreDictionaries) {
        self.unit = unit
        var (number, conversions) = (UInt32(0), [UInt32: UnitConversion]())
        for (index, other) in dictionaries.units.enumerated() {
            if other == unit {
                number = UInt32(index + 1)
            } else if let conversion = UnitConversion(between: other, and: unit) {
                conversions[UInt32(index + 1)] = conversion
            }
        }
        (self.number, self.conversions) = (number, conversions)
    }

    /// How a value is converted that was written in another unit, by the number of that; `nil` for one that is written as
    /// it is, with its unit.
    package func conversion(from number: UInt32) -> UnitConversion? {
        number == self.number ? nil : conversions[number]
    }

    /// The same for a unit by its name.
    package func conversion(from written: String) -> UnitConversion? {
        written == unit ? nil : UnitConversion(between: written, and: unit)
    }
}

extension StoreReader {
    /// The unit of a type's quantities in tables; `nil` for other types, and for those whose units are unknown.
    ///
    /// It is the one that the person chose; else the one in which most samples were written, whose values stay exactly as
    /// they are; else the one in which they are shown.
    package func tableUnit(of type: TypeDescription) throws -> TableUnit? {
        try engine.tableUnit(of: type, as: caller, dictionaries, in: snapshot).map { TableUnit($0, dictionaries) }
    }
}
