/// How values of one unit become values of a compatible one.
///
/// A value becomes `(value * multiplier + offset) / divisor`. Multiplier and divisor are whole numbers
/// wherever the units' ratio is rational, so that common conversions come out exact: 98.6 degF is
/// 37 degC, 1 mi is 1609.344 m.
public struct UnitConversion: Hashable, Sendable {
    /// What a value is multiplied by, first of all.
    public let multiplier: Double
    /// Never 0.
    public let divisor: Double
    /// Added after multiplying and before dividing; 0 except between bare temperatures.
    public let offset: Double

    /// Leaves every value as it is, bit for bit.
    public static let identity = UnitConversion(multiplier: 1, divisor: 1)

    /// Makes a conversion. The divisor must not be 0.
    public init(multiplier: Double, divisor: Double, offset: Double = 0) {
        self.multiplier = multiplier
        self.divisor = divisor
        self.offset = offset
    }

    /// Whether values stay as they are.
    public var isIdentity: Bool { multiplier == 1 && divisor == 1 && offset == 0 }

    /// The converted value.
    @inlinable
    public func callAsFunction(_ value: Double) -> Double {
        // A zero offset is not added, because that would turn -0 into 0.
        let scaled = value * multiplier
        return (offset == 0 ? scaled : scaled + offset) / divisor
    }
}
