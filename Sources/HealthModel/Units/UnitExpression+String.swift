extension UnitExpression {
    /// The unit string: factors joined by `·`, powers after `^`, at most one `/` with every
    /// denominator behind it and no parentheses; `()` for the null unit.
    public var string: String {
        guard !isNull else { return "()" }
        let above = Self.print(factors.filter { $0.exponent > 0 })
        let below = Self.print(factors.filter { $0.exponent < 0 })
        if below.isEmpty { return above }
        return (above.isEmpty ? "1" : above) + "/" + below
    }

    /// Reads a unit string.
    ///
    /// - Throws: ``UnitParsingError`` for a string outside the grammar or with an unknown symbol.
    public init(parsing string: String) throws(UnitParsingError) {
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
