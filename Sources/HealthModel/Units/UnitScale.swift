/// A ratio of units: an exact fraction and a power of ten while they fit, and two floating-point factors for
/// what is irrational (π) or only known as a `Double`.
///
/// Conversions multiply by one integer and divide by another, so that results are correctly rounded: 150 lb are
/// 68.0388555 kg to the last bit.
struct UnitScale: Hashable, Sendable {
    private var numerator: UInt128
    private var denominator: UInt128
    private var tens: Int
    private var inexactNumerator: Double = 1
    private var inexactDenominator: Double = 1

    static let one = UnitScale(1)

    init(_ numerator: UInt128, over denominator: UInt128 = 1, tens: Int = 0) {
        self.numerator = numerator
        self.denominator = denominator
        self.tens = tens
        reduce()
    }

    init(inexact numerator: Double, over denominator: UInt128 = 1) {
        self.init(1, over: denominator)
        inexactNumerator = numerator
    }

    static func powerOfTen(_ exponent: Int) -> UnitScale {
        UnitScale(1, tens: exponent)
    }

    var reciprocal: UnitScale {
        var result = self
        result.numerator = denominator
        result.denominator = numerator
        result.tens = -tens
        result.inexactNumerator = inexactDenominator
        result.inexactDenominator = inexactNumerator
        return result
    }

    static func * (left: UnitScale, right: UnitScale) -> UnitScale {
        // Reducing crosswise first keeps the products small.
        let one = greatestCommonDivisor(left.numerator, right.denominator)
        let two = greatestCommonDivisor(right.numerator, left.denominator)
        let above = (left.numerator / one).multipliedReportingOverflow(by: right.numerator / two)
        let below = (left.denominator / two).multipliedReportingOverflow(by: right.denominator / one)
        var result: UnitScale
        if above.overflow || below.overflow {
            result = .one
            result.inexactNumerator = Double(left.numerator) * Double(right.numerator)
            result.inexactDenominator = Double(left.denominator) * Double(right.denominator)
        } else {
            result = UnitScale(above.partialValue, over: below.partialValue)
        }
        result.tens += left.tens + right.tens
        result.inexactNumerator *= left.inexactNumerator * right.inexactNumerator
        result.inexactDenominator *= left.inexactDenominator * right.inexactDenominator
        return result
    }

    func raised(to power: Int) -> UnitScale {
        var result = UnitScale.one
        var square = power < 0 ? reciprocal : self
        var rest = power.magnitude
        while rest > 0 {
            if rest & 1 == 1 { result = result * square }
            rest >>= 1
            if rest > 0 { square = square * square }
        }
        return result
    }

    /// The multiplier and divisor of a conversion.
    var factors: (multiplier: Double, divisor: Double) {
        var above = numerator
        var below = denominator
        var rest = tens
        // Multiply only while the result is an integer that a Double represents exactly.
        while rest > 0, let next = Self.tenfold(above, over: below) { (above, below) = next; rest -= 1 }
        while rest < 0, let next = Self.tenfold(below, over: above) { (below, above) = next; rest += 1 }
        var multiplier = Double(above) * inexactNumerator
        var divisor = Double(below) * inexactDenominator
        while rest > 0 { multiplier *= Self.power(min(rest, 22)); rest -= min(rest, 22) }
        while rest < 0 { divisor *= Self.power(min(-rest, 22)); rest += min(-rest, 22) }
        return (multiplier, divisor)
    }

    private static func tenfold(_ above: UInt128, over below: UInt128) -> (UInt128, UInt128)? {
        let shared = greatestCommonDivisor(10, below)
        let (product, overflow) = above.multipliedReportingOverflow(by: 10 / shared)
        return overflow ? nil : (product, below / shared)
    }

    /// Powers of ten up to 22 are exact in a `Double`.
    private static func power(_ exponent: Int) -> Double {
        var result = 1.0
        for _ in 0..<exponent { result *= 10 }
        return result
    }

    private mutating func reduce() {
        let divisor = Self.greatestCommonDivisor(numerator, denominator)
        numerator /= divisor
        denominator /= divisor
        while numerator % 10 == 0 { numerator /= 10; tens += 1 }
        while denominator % 10 == 0 { denominator /= 10; tens -= 1 }
    }

    private static func greatestCommonDivisor(_ left: UInt128, _ right: UInt128) -> UInt128 {
        var (a, b) = (left, right)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}
