public import Foundation
import HealthModel

/// How a lens shifts what an eye sees: by an amount in one direction, or up or down and in or out.
public final class HKVisionPrism: NSObject, NSSecureCoding, NSCopying, FieldValueCoding, Sendable {
    private typealias Field = PrismDocument

    let fieldValue: FieldValue

    /// A prism by its strength and the direction of its base: 0° points to the right of somebody who faces
    /// the person, 90° up.
    ///
    /// An amount that is not in prism dioptres, or an angle in another unit, ends the process.
    public convenience init(amount: HKQuantity, angle: HKQuantity, eye: HKVisionEye) {
        let parts = ProgrammerError.checked { () throws(ObjectRefusal) in
            PrismParts(
                amount: try VisionUnits.value(of: amount, in: .prismDiopter(), named: "amount"),
                degrees: try VisionUnits.value(of: angle, in: .degreeAngle(), named: "angle"),
                isRightEye: eye == .right)
        }
        self.init(parts, amount: amount, angle: angle, eye: eye)
    }

    /// A prism by its two parts.
    ///
    /// An amount that is not in prism dioptres, or a base of the other direction, ends the process.
    public convenience init(
        verticalAmount: HKQuantity, verticalBase: HKPrismBase, horizontalAmount: HKQuantity,
        horizontalBase: HKPrismBase, eye: HKVisionEye
    ) {
        let parts = ProgrammerError.checked { () throws(ObjectRefusal) in
            try PrismParts(
                vertical: VisionUnits.value(of: verticalAmount, in: .prismDiopter(), named: "verticalAmount"),
                verticalBase: verticalBase,
                horizontal: VisionUnits.value(of: horizontalAmount, in: .prismDiopter(), named: "horizontalAmount"),
                horizontalBase: horizontalBase)
        }
        let (amount, degrees) = parts.polar(isRightEye: eye == .right)
        self.init(
            parts, amount: HKQuantity(unit: .prismDiopter(), doubleValue: amount),
            angle: HKQuantity(unit: .degreeAngle(), doubleValue: degrees), eye: eye)
    }

    private init(_ parts: PrismParts, amount: HKQuantity, angle: HKQuantity, eye: HKVisionEye) {
        fieldValue = PrismDocument.record(
            parts, amount: amount.record, angle: angle.record, isRightEye: eye == .right)
        super.init()
    }

    private init(checked fieldValue: FieldValue) {
        self.fieldValue = fieldValue
        super.init()
    }

    convenience init?(_ fieldValue: FieldValue) {
        let amounts = [Field.amount, Field.verticalAmount, Field.horizontalAmount]
        guard amounts.allSatisfy({ fieldValue.hasQuantity($0, in: .prismDiopter(), isRequired: true) }),
            fieldValue.hasQuantity(Field.angle, in: .degreeAngle(), isRequired: true),
            [Field.verticalBase, Field.horizontalBase].allSatisfy({
                fieldValue[$0]?.wholeNumber.flatMap(HKPrismBase.init(rawValue:)) != nil
            }),
            fieldValue[Field.eye]?.wholeNumber.flatMap(HKVisionEye.init(rawValue:)) != nil
        else { return nil }
        self.init(checked: fieldValue)
    }

    /// The strength, in prism dioptres.
    public var amount: HKQuantity { quantity(Field.amount, .prismDiopter()) }

    /// The direction of the base, in degrees.
    public var angle: HKQuantity { quantity(Field.angle, .degreeAngle()) }

    /// The part up or down, in prism dioptres.
    public var verticalAmount: HKQuantity { quantity(Field.verticalAmount, .prismDiopter()) }

    /// Whether the base of the vertical part is up or down.
    public var verticalBase: HKPrismBase { base(Field.verticalBase) }

    /// The part in or out, in prism dioptres.
    public var horizontalAmount: HKQuantity { quantity(Field.horizontalAmount, .prismDiopter()) }

    /// Whether the base of the horizontal part is in, towards the nose, or out.
    public var horizontalBase: HKPrismBase { base(Field.horizontalBase) }

    /// The eye.
    public var eye: HKVisionEye {
        fieldValue[Field.eye]?.wholeNumber.flatMap(HKVisionEye.init(rawValue:)) ?? .left
    }

    // What stands in the record was checked when it was made.
    private func quantity(_ name: String, _ unit: HKUnit) -> HKQuantity {
        fieldValue[name]?.quantityObject ?? HKQuantity(unit: unit, doubleValue: 0)
    }

    private func base(_ name: String) -> HKPrismBase {
        fieldValue[name]?.wholeNumber.flatMap(HKPrismBase.init(rawValue:)) ?? .none
    }

    public static var supportsSecureCoding: Bool { true }

    public convenience init?(coder: NSCoder) {
        guard let value = Self.decode(from: coder) else { return nil }
        self.init(checked: value)
    }

    public func encode(with coder: NSCoder) { SecureRecord.encode(fieldValue, with: coder) }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKVisionPrism)?.fieldValue == fieldValue
    }

    public override var hash: Int { fieldValue.hashValue }

    public override var description: String { "HKVisionPrism \(amount) \(angle)" }
}
