/// A number with its unit string.
public struct QuantityRecord: Hashable, Sendable, Codable {
    /// The number, in ``unit``.
    public var value: Double
    /// The unit string, such as `count/min`.
    public var unit: String

    /// Makes a quantity; neither the unit string nor the number is checked.
    public init(_ value: Double, unit: String) {
        self.value = value
        self.unit = unit
    }
}
