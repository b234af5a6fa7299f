extension UnitConversion {
    /// Between temperatures with their zero points: degC is K - 273.15, degF is 9/5 K - 459.67.
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

    /// `(value * multiplier + offset) / divisor` with a prefix of the kelvin worked in. Towards a prefixed
    /// kelvin the zero point scales with the result; from one, only the value does.
    private static func kelvin(
        _ multiplier: Double, _ divisor: Double, _ offset: Double, tens: Int, offsetScales: Bool = true
    ) -> UnitConversion {
        let prefix = UnitScale.powerOfTen(tens).factors
        return UnitConversion(
            multiplier: multiplier * prefix.multiplier,
            divisor: divisor * prefix.divisor,
            offset: offset * (offsetScales ? prefix.multiplier : prefix.divisor))
    }
}
