import HealthFiles
import HealthModel

/// Parses a number attribute and its unit attribute.
enum ArchiveQuantity {
    /// Returns the quantity as written and its value in the `wanted` unit; `nil` if it is missing, not finite, or in an
    /// incompatible unit.
    ///
    /// - Parameter fallback: The unit of a quantity without one; if `nil`, such a quantity is invalid.
    static func read(
        _ text: String?, unit: String?, in wanted: String, without fallback: String? = nil
    ) -> (record: QuantityRecord, canonical: Double)? {
        guard let text, let value = DecimalText.parse(text), value.isFinite, let unit = unit ?? fallback,
            let expression = try? UnitExpression(parsing: unit), let canonical = try? UnitExpression(parsing: wanted),
            let convert = expression.conversion(to: canonical)
        else { return nil }
        let converted = convert(value)
        return converted.isFinite ? (QuantityRecord(value, unit: unit), converted) : nil
    }
}
