public import Foundation

/// The displacement of what an eye sees through a lens: an amount in one direction, or parts that are vertical
/// (up or down) and horizontal (in or out).
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKVisionPrism: _ValueObject, @unchecked Sendable {
    let fields: Fields

    /// Creates a prism from its strength and the direction of its base: 0° points to the right of someone who
    /// faces the person, 90° up.
    ///
    /// An amount that is not in prism diopters, or an angle that is not in degrees, ends the process.
    public init(amount: HKQuantity, angle: HKQuantity, eye: HKVisionEye) {
        fields = ProgrammerError.checked { () throws(InvalidObjectError) in
            try Fields(amount: amount, angle: angle, eye: eye)
        }
    }

    /// Creates a prism from its two parts.
    ///
    /// An amount that is not in prism diopters, or a base of the other direction, ends the process.
    public init(
        verticalAmount: HKQuantity, verticalBase: HKPrismBase, horizontalAmount: HKQuantity,
        horizontalBase: HKPrismBase, eye: HKVisionEye
    ) {
        fields = ProgrammerError.checked { () throws(InvalidObjectError) in
            try Fields(
                verticalAmount: verticalAmount, verticalBase: verticalBase, horizontalAmount: horizontalAmount,
                horizontalBase: horizontalBase, eye: eye)
        }
    }

    /// Creates a prism from values that have been validated.
    init(_ fields: Fields) {
        self.fields = fields
    }

    /// The strength, in prism diopters.
    open var amount: HKQuantity { fields.amount }

    /// The direction of the base, in degrees.
    open var angle: HKQuantity { fields.angle }

    /// The vertical part, in prism diopters.
    open var verticalAmount: HKQuantity { fields.verticalAmount }

    /// The direction of the base of the vertical part: up or down.
    open var verticalBase: HKPrismBase { fields.verticalBase }

    /// The horizontal part, in prism diopters.
    open var horizontalAmount: HKQuantity { fields.horizontalAmount }

    /// The direction of the base of the horizontal part: in, towards the nose, or out.
    open var horizontalBase: HKPrismBase { fields.horizontalBase }

    /// The eye.
    open var eye: HKVisionEye { fields.eye }

    public required init?(coder: NSCoder) {
        guard let fields = FieldValueCoding.fields(Fields.self, from: coder) else { return nil }
        self.fields = fields
    }

    override var archivedRecord: any Codable & Hashable { fields.fieldValue }

    override var equatableValues: any Hashable { fields }

    open override var description: String { "HKVisionPrism \(amount) \(angle)" }
}
