import HealthModel

/// A number attribute with its unit attribute.
enum QuantityText {
    /// The quantity as it stands, with its number in the `wanted` unit; `nil` where there is none, it is not
    /// finite, or its unit cannot be told in the wanted one.
    ///
    /// - Parameter fallback: what a missing unit means; without it, such a quantity is none.
    static func read(
        _ text: String?, unit: String?, in wanted: String, without fallback: String? = nil
    ) -> (record: QuantityRecord, canonical: Double)? {
        guard let text, let value = NumberText.parse(text), value.isFinite, let unit = unit ?? fallback,
            let expression = try? UnitExpression(parsing: unit), let canonical = try? UnitExpression(parsing: wanted),
            let convert = expression.conversion(to: canonical)
        else { return nil }
        let converted = convert(value)
        return converted.isFinite ? (QuantityRecord(value, unit: unit), converted) : nil
    }
}
