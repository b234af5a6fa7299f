/// A unit of measure: a product of powers of unit symbols, such as `mg/dL` or `kcal/hr·kg`.
///
/// Equal symbols are combined: `m·m` is `m^2` and `m/m` is the null unit. Different symbols remain, so that
/// `dL/L` is not the null unit although it has no dimension.
package struct UnitExpression: Hashable, Sendable, CustomStringConvertible {
    /// A symbol and its exponent.
    package struct Factor: Hashable, Sendable {
        /// The symbol.
        package let atom: UnitAtom
        /// The exponent; never 0, and negative in the denominator.
        package let exponent: Int
    }

    /// The factors in print order, with each symbol once. Empty for the null unit.
    package let factors: [Factor]

    /// The unit without factors.
    package static let null = UnitExpression(gathered: [])

    /// Creates a unit of one symbol.
    package init(_ atom: UnitAtom) {
        factors = [Factor(atom: atom, exponent: 1)]
    }

    /// A Boolean value that indicates whether the unit has no factors. `dL/L` and `count` have factors.
    package var isNull: Bool { factors.isEmpty }

    /// The same as ``string``.
    package var description: String { string }

    /// Creates a unit from factors in print order, each atom once and no exponent 0.
    init(gathered: [Factor]) {
        factors = gathered
    }
}

extension UnitExpression {
    /// The maximum magnitude of an exponent, far beyond use, which keeps exponent arithmetic from overflowing.
    static let maximumExponent = 1_000_000

    /// The product of two units.
    package func multiplied(by other: UnitExpression) -> UnitExpression {
        checked(Self.gather(factors + other.factors))
    }

    /// The quotient of two units.
    package func divided(by other: UnitExpression) -> UnitExpression {
        multiplied(by: other.reciprocal)
    }

    /// The unit raised to a power; the null unit for power 0.
    package func raised(to power: Int) -> UnitExpression {
        checked(raisedWithinRange(to: power))
    }

    /// The reciprocal of the unit.
    package var reciprocal: UnitExpression {
        UnitExpression(gathered: factors.map { Factor(atom: $0.atom, exponent: -$0.exponent) })
    }

    /// Like ``raised(to:)``, but returns `nil` if an exponent would be out of range.
    func raisedWithinRange(to power: Int) -> UnitExpression? {
        guard power != 0 else { return .null }
        var result: [Factor] = []
        for factor in factors {
            let (exponent, overflow) = factor.exponent.multipliedReportingOverflow(by: power)
            guard !overflow, exponent.magnitude <= Self.maximumExponent else { return nil }
            result.append(Factor(atom: factor.atom, exponent: exponent))
        }
        return UnitExpression(gathered: result)
    }

    /// Combines equal atoms, removes those that cancel and sorts; returns `nil` if an exponent would be out of
    /// range.
    static func gather(_ loose: [Factor]) -> UnitExpression? {
        var result: [Factor] = []
        for factor in loose {
            if let place = result.firstIndex(where: { $0.atom == factor.atom }) {
                // Both exponents are in range, so the sum cannot overflow.
                let exponent = result[place].exponent + factor.exponent
                guard exponent.magnitude <= maximumExponent else { return nil }
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
            preconditionFailure("The exponent of a unit must not exceed \(Self.maximumExponent)")
        }
        return result
    }
}

extension UnitExpression {
    /// The unit string: factors joined by `·`, exponents after `^`, at most one `/` before the whole denominator,
    /// and no parentheses; `()` for the null unit.
    package var string: String {
        guard !isNull else { return "()" }
        let above = Self.print(factors.filter { $0.exponent > 0 })
        let below = Self.print(factors.filter { $0.exponent < 0 })
        if below.isEmpty { return above }
        return (above.isEmpty ? "1" : above) + "/" + below
    }

    /// Parses a unit string.
    ///
    /// - Throws: ``UnitParsingError`` if the string does not follow the grammar or contains an unknown symbol.
    package init(parsing string: String) throws(UnitParsingError) {
        var parser = UnitParser(string)
        self = try parser.unit()
    }

    private static func print(_ factors: [Factor]) -> String {
        factors.map { factor in
            let exponent = factor.exponent.magnitude
            return exponent == 1 ? factor.atom.symbol : "\(factor.atom.symbol)^\(exponent)"
        }.joined(separator: "·")
    }
}
