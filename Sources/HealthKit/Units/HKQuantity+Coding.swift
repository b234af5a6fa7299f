public import Foundation

extension HKQuantity {
    private static let valueKey = "value"
    private static let unitKey = "unit"

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        // As text, because an archive's real numbers lose the kind of a NaN and the sign of a zero.
        coder.encode(String(value.bitPattern) as NSString, forKey: HKQuantity.valueKey)
        coder.encode(unit, forKey: HKQuantity.unitKey)
    }

    /// The quantity in an archive; `nil` when a piece is missing or damaged.
    public convenience init?(coder: NSCoder) {
        guard let bits = coder.decodeObject(of: NSString.self, forKey: HKQuantity.valueKey) as String?,
            let pattern = UInt64(bits), let unit = coder.decodeObject(of: HKUnit.self, forKey: HKQuantity.unitKey)
        else { return nil }
        self.init(unit: unit, doubleValue: Double(bitPattern: pattern))
    }
}
