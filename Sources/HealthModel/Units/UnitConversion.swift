/// A conversion of values from one unit to a compatible one.
///
/// A value becomes `(value * multiplier + offset) / divisor`. The multiplier is the size of its unit in base units, the
/// divisor that of the other unit, as in the original: the last bit of a result can differ from correct rounding.
/// Temperatures with different zero points are converted with integers, so that 98.6 degF is 37 degC.
package struct UnitConversion: Hashable, Sendable {
    /// The factor, applied first.
    package let multiplier: Double
    /// The divisor, applied last; never 0.
    package let divisor: Double
    /// The offset, added after multiplying and before dividing; 0 except between plain temperatures.
    package let offset: Double

    /// The conversion that leaves every value unchanged, bit for bit.
    package static let identity = UnitConversion(multiplier: 1, divisor: 1)

    /// Creates a conversion. The divisor must not be 0.
    package init(multiplier: Double, divisor: Double, offset: Double = 0) {
        self.multiplier = multiplier
        self.divisor = divisor
        self.offset = offset
    }

    /// A Boolean value that indicates whether values remain unchanged.
    package var isIdentity: Bool { multiplier == 1 && divisor == 1 && offset == 0 }

    /// Converts a value.
    @inlinable
    package func callAsFunction(_ value: Double) -> Double {
        // Adding an offset of 0 would turn -0 into 0.
        let scaled = value * multiplier
        return (offset == 0 ? scaled : scaled + offset) / divisor
    }
}

extension UnitConversion {
    /// Converts between temperatures with different zero points: degC is K - 273.15, degF is 9/5 K - 459.67.
    static func temperature(from: UnitAtom, to: UnitAtom) -> UnitConversion {
        switch (from.kind, to.kind) {
        case (.degreeCelsius, .degreeFahrenheit): UnitConversion(multiplier: 9, divisor: 5, offset: 160)
        case (.degreeFahrenheit, .degreeCelsius): UnitConversion(multiplier: 5, divisor: 9, offset: -160)
        case (.degreeCelsius, _): kelvin(1, 1, 273.15, tens: -to.prefix.powerOfTen)
        case (_, .degreeCelsius): kelvin(1, 1, -273.15, tens: from.prefix.powerOfTen, offsetScales: false)
        case (.degreeFahrenheit, _): kelvin(500, 900, 229_835, tens: -to.prefix.powerOfTen)
        case (_, .degreeFahrenheit): kelvin(900, 500, -229_835, tens: from.prefix.powerOfTen, offsetScales: false)
        default: kelvin(1, 1, 0, tens: from.prefix.powerOfTen - to.prefix.powerOfTen)
        }
    }

    /// `(value * multiplier + offset) / divisor` with the prefix of the kelvin included. The offset is scaled when
    /// converting to a prefixed kelvin, but not when converting from one.
    private static func kelvin(
        _ multiplier: Double, _ divisor: Double, _ offset: Double, tens: Int, offsetScales: Bool = true
    ) -> UnitConversion {
        let prefix = UnitScale.powerOfTen(tens).factors
        return UnitConversion(
            multiplier: multiplier * prefix.multiplier, divisor: divisor * prefix.divisor,
            offset: offset * (offsetScales ? prefix.multiplier : prefix.divisor))
    }
}

extension UnitExpression {
    /// Returns whether values of this unit can be converted to another unit.
    ///
    /// The null unit converts to no other unit: since iOS 27, not to count and percent either.
    package func isCompatible(with other: UnitExpression) -> Bool {
        self == other || (isNull == other.isNull && dimensions == other.dimensions)
    }

    /// Returns the conversion to another unit, or `nil` if the units are not compatible.
    ///
    /// Zero points matter only between plain temperatures: in a compound such as `degC·m`, a degree is a
    /// difference.
    package func conversion(to other: UnitExpression) -> UnitConversion? {
        guard self != other else { return .identity }
        guard isNull == other.isNull, dimensions == other.dimensions else { return nil }
        if let from = bareTemperature, let to = other.bareTemperature {
            return .temperature(from: from, to: to)
        }
        let (multiplier, divisor) = (size, other.size)
        // Units of the same size, such as Cal and kcal, leave every value unchanged.
        guard multiplier != divisor else { return .identity }
        // Powers beyond the range of a Double can still have a ratio within it.
        guard multiplier.isNormal, divisor.isNormal else { return exactConversion(to: other) }
        return UnitConversion(multiplier: multiplier, divisor: divisor)
    }

    /// Returns the conversion to another unit that rounds only once where possible, or `nil` if the units are not
    /// compatible. Quantities are equal if their values are equal after it.
    package func exactConversion(to other: UnitExpression) -> UnitConversion? {
        guard self != other else { return .identity }
        guard isNull == other.isNull, dimensions == other.dimensions else { return nil }
        if let from = bareTemperature, let to = other.bareTemperature {
            return .temperature(from: from, to: to)
        }
        let factors = scale(relativeTo: other).factors
        return UnitConversion(multiplier: factors.multiplier, divisor: factors.divisor)
    }

    /// The nonzero exponents of the unit's dimensions.
    var dimensions: [UnitDimension: Int] {
        var result: [UnitDimension: Int] = [:]
        for factor in factors {
            guard let (dimension, power) = factor.atom.kind.dimension else { continue }
            result[dimension, default: 0] += power * factor.exponent
        }
        return result.filter { $0.value != 0 }
    }

    private func scale(relativeTo other: UnitExpression) -> UnitScale {
        // Symbols in both units cancel before any number is multiplied, except for their prefixes, so that a common
        // molar mass or π causes no rounding.
        var powers: [(atom: UnitAtom, exponent: Int)] = []
        var tens = 0
        for (factors, sign) in [(factors, 1), (other.factors, -1)] {
            for factor in factors {
                let exponent = sign * factor.exponent
                tens += exponent * factor.atom.prefix.powerOfTen
                if let place = powers.firstIndex(where: {
                    $0.atom.kind == factor.atom.kind && $0.atom.hasMolarMass(of: factor.atom)
                }) {
                    powers[place].exponent += exponent
                } else {
                    powers.append((factor.atom, exponent))
                }
            }
        }
        return powers.reduce(UnitScale.powerOfTen(tens)) { result, power in
            let atom = power.atom
            let scale = atom.kind == .molarMass ? UnitScale(inexact: atom.molarMass) : atom.kind.scale
            return result * scale.raised(to: power.exponent)
        }
    }

    private var bareTemperature: UnitAtom? {
        guard let only = factors.first, factors.count == 1, only.exponent == 1 else { return nil }
        return only.atom.kind.dimension?.0 == .temperature ? only.atom : nil
    }
}

extension UnitExpression {
    /// The compatible unit that consists of base units only (g, m, s, K, J, Pa …). All compatible units have the
    /// same base unit.
    package var baseUnit: UnitExpression {
        let factors = dimensions.map { Factor(atom: UnitAtom($0.key.baseKind), exponent: $0.value) }
        return UnitExpression.gather(factors) ?? self
    }
}

extension UnitConversion {
    /// The conversion between units in texts; `nil` if one is invalid or they are not compatible. Equal texts convert by
    /// identity, even if this version can't parse them.
    package init?(between unit: String, and other: String) {
        guard unit != other else {
            self = .identity
            return
        }
        guard let from = try? UnitExpression(parsing: unit), let to = try? UnitExpression(parsing: other),
            let conversion = from.conversion(to: to)
        else { return nil }
        self = conversion
    }
}
