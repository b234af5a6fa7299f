/// The size of units in base units, in the floating-point steps of the original: the bases are g, m, m³, s, Pa, J and
/// so on, the size of a symbol is that of its prefix times its own, and compound units are calculated factor by factor,
/// in the order in which they are printed.
extension UnitExpression {
    /// The number of base units in one of this unit.
    ///
    /// The numerator comes first. A factor of the denominator is a division if it is larger than its base unit, and
    /// otherwise a multiplication by its reciprocal: `mg/min·dL` is 0.001 ÷ 60 × 10,000.
    var size: Double {
        var result = 1.0
        for factor in factors where factor.exponent > 0 {
            result.apply(factor.atom.size, times: factor.exponent, *)
        }
        for factor in factors where factor.exponent < 0 {
            let size = factor.atom.size
            if size < 1 {
                result.apply(1 / size, times: -factor.exponent, *)
            } else {
                result.apply(size, times: -factor.exponent, /)
            }
        }
        return result
    }
}

extension UnitAtom {
    /// The number of base units in one of this symbol, including its prefix.
    var size: Double {
        let own = kind == .molarMass ? molarMass : kind.size
        return prefix == .none ? own : prefix.size * own
    }
}

extension UnitPrefix {
    private static let sizes = allCases.sorted { $0.rawValue < $1.rawValue }.map {
        UnitScale.powerOfTen($0.powerOfTen).quotient
    }

    /// The nearest number to the power of ten.
    fileprivate var size: Double { Self.sizes[Int(rawValue)] }
}

extension UnitKind {
    private static let sizes: [Double] = allCases.map { kind in
        guard let (dimension, power) = kind.dimension, dimension == .length, power == 3 else {
            return kind.scale.quotient
        }
        // Volumes are defined in liters, a liter in cubic meters.
        return (kind.scale * UnitKind.liter.scale.reciprocal).quotient * UnitKind.liter.scale.quotient
    }

    /// The number of base units in one of this symbol. For a molar mass, that of its mole.
    fileprivate var size: Double { Self.sizes[Int(rawValue)] }
}

extension UnitScale {
    /// The nearest number to the ratio.
    fileprivate var quotient: Double {
        let (multiplier, divisor) = factors
        return multiplier / divisor
    }
}

extension Double {
    /// Multiplies by or divides by a factor as often as its exponent says, as long as that changes anything.
    fileprivate mutating func apply(_ factor: Double, times count: Int, _ operation: (Double, Double) -> Double) {
        guard factor != 1 else { return }
        for _ in 0..<count {
            self = operation(self, factor)
            if !isNormal { return }
        }
    }
}
