/// What the record of a lens's prism calls its fields, and how it is made.
public enum PrismDocument {
    /// The strength, a quantity in prism dioptres.
    public static let amount = "amount"
    /// The direction of the base, a quantity of angle.
    public static let angle = "angle"
    /// The part up or down, a quantity in prism dioptres.
    public static let verticalAmount = "verticalAmount"
    /// Raw value of ``PrismParts/Base`` of the vertical part.
    public static let verticalBase = "verticalBase"
    /// The part in or out, a quantity in prism dioptres.
    public static let horizontalAmount = "horizontalAmount"
    /// Raw value of ``PrismParts/Base`` of the horizontal part.
    public static let horizontalBase = "horizontalBase"
    /// Raw value of the eye: ``left`` or ``right``.
    public static let eye = "eye"

    /// Raw value of the left eye.
    public static let left: Int64 = 1
    /// Raw value of the right eye.
    public static let right: Int64 = 2
    /// The unit in which the two parts are kept.
    public static let unit = "pD"

    /// A prism by its strength and direction, with the parts that come of them.
    public static func record(
        _ parts: PrismParts, amount: QuantityRecord, angle: QuantityRecord, isRightEye: Bool
    ) -> FieldValue {
        .record([
            Self.amount: .quantity(amount),
            Self.angle: .quantity(angle),
            verticalAmount: .quantity(QuantityRecord(parts.vertical, unit: unit)),
            verticalBase: .integer(Int64(parts.verticalBase.rawValue)),
            horizontalAmount: .quantity(QuantityRecord(parts.horizontal, unit: unit)),
            horizontalBase: .integer(Int64(parts.horizontalBase.rawValue)),
            eye: .integer(isRightEye ? right : left),
        ])
    }
}
