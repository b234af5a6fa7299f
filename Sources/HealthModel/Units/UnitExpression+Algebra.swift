extension UnitExpression {
    /// Greatest magnitude of an exponent. Far beyond use; it keeps arithmetic on exponents from overflowing.
    static let greatestExponent = 1_000_000

    /// The product of two units; equal symbols gather.
    public func multiplied(by other: UnitExpression) -> UnitExpression {
        checked(Self.gather(factors + other.factors))
    }

    /// The quotient of two units; equal symbols cancel.
    public func divided(by other: UnitExpression) -> UnitExpression {
        multiplied(by: other.reciprocal)
    }

    /// The unit with every exponent multiplied by `power`; power 0 gives the null unit.
    public func raised(to power: Int) -> UnitExpression {
        checked(raisedWithinRange(to: power))
    }

    /// One over this unit.
    public var reciprocal: UnitExpression {
        UnitExpression(gathered: factors.map { Factor(atom: $0.atom, exponent: -$0.exponent) })
    }

    /// As ``raised(to:)``; `nil` when an exponent would leave its range.
    func raisedWithinRange(to power: Int) -> UnitExpression? {
        guard power != 0 else { return .null }
        var result: [Factor] = []
        for factor in factors {
            let (exponent, overflow) = factor.exponent.multipliedReportingOverflow(by: power)
            guard !overflow, exponent.magnitude <= Self.greatestExponent else { return nil }
            result.append(Factor(atom: factor.atom, exponent: exponent))
        }
        return UnitExpression(gathered: result)
    }

    /// Adds the exponents of equal atoms, drops those that cancel and sorts; `nil` when an exponent
    /// would leave its range.
    static func gather(_ loose: [Factor]) -> UnitExpression? {
        var result: [Factor] = []
        for factor in loose {
            if let place = result.firstIndex(where: { $0.atom == factor.atom }) {
                // Both are within range, so the sum cannot overflow.
                let exponent = result[place].exponent + factor.exponent
                guard exponent.magnitude <= greatestExponent else { return nil }
                result[place] = Factor(atom: result[place].atom, exponent: exponent)
            } else {
                result.append(factor)
            }
        }
        result.removeAll { $0.exponent == 0 }
        result.sort { $0.atom.precedes($1.atom) }
        return UnitExpression(gathered: result)
    }

    private func checked(_ result: UnitExpression?) -> UnitExpression {
        guard let result else {
            preconditionFailure("A unit's exponent may not exceed \(Self.greatestExponent)")
        }
        return result
    }
}
