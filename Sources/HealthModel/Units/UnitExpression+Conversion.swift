extension UnitExpression {
    /// Whether a value of this unit can be told in the other one.
    public func isCompatible(with other: UnitExpression) -> Bool {
        self == other || dimensions == other.dimensions
    }

    /// How values of this unit become values of `other`; `nil` when the two are not compatible.
    ///
    /// Zero points count only between bare temperatures: in a compound such as `degC·m` a degree is a
    /// difference.
    public func conversion(to other: UnitExpression) -> UnitConversion? {
        guard self != other else { return .identity }
        guard dimensions == other.dimensions else { return nil }
        if let from = bareTemperature, let to = other.bareTemperature {
            return .temperature(from: from, to: to)
        }
        let factors = scale(relativeTo: other).factors
        return UnitConversion(multiplier: factors.multiplier, divisor: factors.divisor)
    }

    /// Power of each dimension, those of power 0 left out.
    var dimensions: [UnitDimension: Int] {
        var result: [UnitDimension: Int] = [:]
        for factor in factors {
            guard let (dimension, power) = factor.atom.kind.dimension else { continue }
            result[dimension, default: 0] += power * factor.exponent
        }
        return result.filter { $0.value != 0 }
    }

    private func scale(relativeTo other: UnitExpression) -> UnitScale {
        // Symbols that stand on both sides cancel before any number is multiplied; what remains of
        // them is their prefixes. So a common molar mass or π leaves no trace.
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
