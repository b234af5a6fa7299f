/// Doubles that are exactly an integer over a power of ten.
///
/// A double has the decimal form (integer, exponent) when dividing the integer by the power gives it
/// back bit for bit. Division rounds correctly, so every number that was parsed from a decimal text of
/// up to 15 digits has one.
enum DecimalScaling {
    static let greatestExponent = 12
    /// Integers stay below this in magnitude: rounding below is exact there.
    static let limit: Double = 0x1p50

    /// Ten to the power of `exponent`, exactly.
    @inline(__always)
    static func power(_ exponent: Int) -> Double {
        var power = 1.0
        for _ in 0..<exponent { power *= 10 }
        return power
    }

    /// Whether `value` is an integer over `power`, and which.
    @inline(__always)
    static func scale(_ value: Double, _ power: Double) -> (exact: Bool, integer: Int64) {
        let scaled = value * power
        guard scaled.magnitude < limit else { return (false, 0) }
        // Adding and taking off 1.5 · 2^52 rounds to the nearest integer without a call.
        let rounded = (scaled + 0x1.8p52) - 0x1.8p52
        let integer = Int64(rounded)
        return ((Double(integer) / power).bitPattern == value.bitPattern, integer)
    }

    /// The least exponent that gives `value` a decimal form, or `nil` where none does.
    static func exponent(of value: Double) -> Int? {
        var power = 1.0
        for exponent in 0...greatestExponent {
            if scale(value, power).exact { return exponent }
            power *= 10
        }
        return nil
    }
}
